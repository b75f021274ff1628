/*
 * attention_view.c: one sentence pair through encoder and decoder, with a watch in place.
 */
#include "decode/attention_view.h"

#include <string.h>

#include "base/mem.h"
#include "model/encoder.h"

dgm_status dgm_sight_init(struct dgm_env *env, struct dgm_sight *sight,
                          const struct dgm_net *model, struct dgm_device *device)
{
    memset(sight, 0, sizeof *sight);
    sight->model = model;
    dgm_watch_init(&sight->watch, device);
    dgm_step_init(&sight->step, device);
    sight->step.watch = &sight->watch;
    return dgm_graph_init(env, &sight->graph, device);
}

void dgm_sight_clear(struct dgm_env *env, struct dgm_sight *sight)
{
    if (sight->model == NULL)
        return;
    dgm_watch_clear(env, &sight->watch);
    dgm_graph_clear(&sight->graph);
    dgm_step_clear(env, &sight->step);
    dgm_batch_clear(env, &sight->batch);
    dgm_release(env, sight->words);
    dgm_release(env, sight->values);
    memset(sight, 0, sizeof *sight);
}

/* The pair as a batch. Which tokens of a target are words does not matter to the model. */
static dgm_status fill_batch(struct dgm_env *env, struct dgm_sight *sight,
                             const struct dgm_packed *source, int32_t s, const int32_t *tokens,
                             int32_t n)
{
    size_t count = (size_t)n;

    dgm_batch_reset(&sight->batch);
    DGM_TRY(dgm_batch_add(env, &sight->batch, source, NULL, s, s));
    if (n == 0)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &sight->words, &sight->word_capacity, count, sizeof *sight->words));
    memset(sight->words, 0, count * sizeof *sight->words);
    sight->words[n - 1] = -1;
    return dgm_packed_add(env, &sight->batch.target, tokens, sight->words, n, NULL, 1);
}

dgm_status dgm_sight_look(struct dgm_env *env, struct dgm_sight *sight,
                          const struct dgm_packed *source, int32_t s, const int32_t *tokens,
                          int32_t n)
{
    struct dgm_graph *g = &sight->graph;
    struct dgm_encoding encoded;

    DGM_TRY(fill_batch(env, sight, source, s, tokens, n));
    DGM_TRY(dgm_net_stage(env, sight->model, &sight->step, &sight->batch, 0, 0, 0));
    DGM_TRY(dgm_watch_stage(env, &sight->watch, sight->model, &sight->step, &sight->batch));
    dgm_graph_begin(g, 0, 0, 0);
    encoded = dgm_net_encode(g, sight->model, &sight->step);
    dgm_keep(g, encoded.rows);
    if (n > 0)
        dgm_keep(g, dgm_net_decode(g, sight->model, &sight->step, &encoded));
    return dgm_graph_run(g);
}

/* Columns of a row of `cross` that are positions of the source. */
static int64_t shown_positions(const struct dgm_sight *sight)
{
    const struct dgm_net *net = sight->model;
    int64_t rows = sight->step.memory.rows;

    return net->encoder->positions != NULL
               ? net->encoder->positions(&net->config, sight->step.source.rows) : rows;
}

dgm_status dgm_sight_read(struct dgm_env *env, struct dgm_sight *sight,
                          enum dgm_attention_kind kind, int layer,
                          struct dgm_sight_weights *weights)
{
    const struct dgm_node *node = sight->watch.weights[kind][layer - 1];

    memset(weights, 0, sizeof *weights);
    if (node == NULL)
        return DGM_OK;
    weights->heads = dgm_watch_heads(sight->model, kind);
    weights->rows = dgm_node_rows(node);
    weights->step = sight->watch.width[kind];
    weights->columns = kind == DGM_ATTENTION_CROSS ? shown_positions(sight) : weights->step;
    weights->ld = weights->heads * weights->step;
    DGM_TRY(dgm_reserve(env, &sight->values, &sight->value_capacity,
                        (size_t)(weights->rows * weights->ld), sizeof *sight->values));
    DGM_TRY(dgm_graph_read(&sight->graph, node, sight->values));
    weights->values = sight->values;
    return DGM_OK;
}
