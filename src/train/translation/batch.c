/*
 * batch.c: the loss of a batch of sentence pairs.
 */
#include "train/translation/batch.h"

#include <string.h>

#include "base/mem.h"
#include "nn/attn/sentence.h"

dgm_status dgm_translation_batch_build(const struct dgm_run *run,
                                       const struct dgm_translation *self,
                                       const struct dgm_batch *batch, struct dgm_replica *replica,
                                       int training)
{
    struct dgm_translation_replica *own = replica->self;
    struct dgm_graph *g = &replica->graph;
    uint32_t update = (uint32_t)(run->state.updates + 1);
    double smoothing = training ? self->model.net.config.smoothing : 0;

    DGM_TRY(
        dgm_net_stage(run->env, own->net, &own->step, batch, training, run->options.seed, update));
    dgm_graph_begin(g, training, run->options.seed, update);
    own->parse_losses.of = self->shares;
    own->parse_losses.guide = self->sets.guide;
    own->loss =
        dgm_net_loss(g, own->net, &own->step, smoothing, 1, training ? &own->parse_losses : NULL);
    return DGM_OK;
}

dgm_status dgm_translation_batch_read(const struct dgm_run *run, struct dgm_translation *self,
                                      struct dgm_replica *replica, double sums[2], int64_t *labels)
{
    const struct dgm_translation_replica *own = replica->self;

    *labels = dgm_node_rows(own->loss);
    DGM_TRY(dgm_reserve(run->env, &self->losses, &self->loss_capacity, 2 * (size_t)*labels,
                        sizeof *self->losses));
    DGM_TRY(dgm_graph_read(&replica->graph, own->loss, self->losses));
    sums[0] = sums[1] = 0;
    for (int64_t i = 0; i < *labels; i++) {
        sums[0] += (double)self->losses[2 * i];
        sums[1] += (double)self->losses[2 * i + 1];
    }
    return DGM_OK;
}

/* ---- training -------------------------------------------------------------------------------- */

/*
 * Shares make the loss of an update independent of how it is cut into batches. A parse loss is a
 * mean over the supervised rows of a whole update (specification 5, A-16): counts them over its
 * batches before the first one is built. Batches in the next epoch count by themselves.
 */
dgm_status dgm_translation_batch_share(const struct dgm_run *run, struct dgm_trainee *trainee,
                                       const struct dgm_order *order, int64_t first, int64_t count)
{
    struct dgm_translation *self = trainee->self;
    struct dgm_loss_shares *of = &self->shares;
    int64_t b, end = first + count;

    if (run->options.accumulate == 1)
        return DGM_OK;
    memset(of, 0, sizeof *of);
    for (b = first; b < end && b < order->batches; b++) {
        const struct dgm_packed *target = &self->ahead.target;
        DGM_TRY(dgm_order_batch(run->env, order, trainee->corpus, b, &self->ahead));
        of->rows += target->offsets[target->count];
        if (self->ahead.source.heads != NULL)
            of->supervised[DGM_SOURCE] += dgm_attn_supervised(&self->ahead.source, DGM_SOURCE);
        if (target->heads != NULL)
            of->supervised[DGM_TARGET] += dgm_attn_supervised(target, DGM_TARGET);
    }
    return DGM_OK;
}

dgm_status dgm_translation_batch_train(const struct dgm_run *run, struct dgm_trainee *trainee,
                                       const struct dgm_batch *batch, struct dgm_replica *replica)
{
    return dgm_translation_batch_build(run, trainee->self, batch, replica, 1);
}

/* Adds up a loss (rows). */
static dgm_status add_losses(const struct dgm_run *run, struct dgm_translation *self,
                             struct dgm_replica *replica, const struct dgm_node *loss, double *sum)
{
    const int64_t rows = dgm_node_rows(loss);

    DGM_TRY(dgm_reserve(run->env, &self->losses, &self->loss_capacity, (size_t)rows,
                        sizeof *self->losses));
    DGM_TRY(dgm_graph_read(&replica->graph, loss, self->losses));
    for (int64_t i = 0; i < rows; i++)
        *sum += (double)self->losses[i];
    return DGM_OK;
}

/* The losses of heads that parse, and of attention that learns links, go into the log alone: the
 * cost stays that of translating, so that runs with and without such heads compare. Their gradients
 * are in the graph. */
static dgm_status read_beside(const struct dgm_run *run, struct dgm_translation *self,
                              struct dgm_replica *replica, struct dgm_beside_costs *beside)
{
    const struct dgm_translation_replica *own = replica->self;
    const struct dgm_parse_losses *losses = &own->parse_losses;

    for (int i = 0; i < losses->count; i++) {
        DGM_TRY(add_losses(run, self, replica, losses->items[i].node, &beside->parse_cost));
        beside->parse_rows += (double)losses->items[i].supervised;
    }
    if (losses->guided == NULL)
        return DGM_OK;
    beside->link_rows += (double)losses->guided_rows;
    return add_losses(run, self, replica, losses->guided, &beside->link_cost);
}

dgm_status dgm_translation_batch_cost(const struct dgm_run *run, struct dgm_trainee *trainee,
                                      struct dgm_replica *replica, struct dgm_batch_cost *cost)
{
    struct dgm_translation *self = trainee->self;
    double sums[2];

    memset(cost, 0, sizeof *cost);
    DGM_TRY(dgm_translation_batch_read(run, self, replica, sums, &cost->labels));
    cost->cost = sums[0];
    return read_beside(run, self, replica, &cost->beside);
}
