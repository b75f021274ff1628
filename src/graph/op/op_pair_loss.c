/*
 * op_pair_loss.c: cross-entropy over the rows of packed blocks of scores: which row of its
 * sentence each row belongs to.
 *
 * scores (T,1), blocks as in struct dgm_spans, targets (N) -> (N,1): -log softmax(E_i)[target_i].
 * In training the forward pass turns the scores, in their own memory, into their gradient times
 * grad_scale. The sum over rows is the caller's.
 */
#include "graph/op.h"

struct pair_loss {
    struct dgm_spans spans;
    struct dgm_ref targets;
    enum dgm_pair_mask mask;
    dgm_real grad_scale;
};

static dgm_status pair_loss_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct pair_loss *loss = y->attr;
    struct dgm_pair_loss_args args = { 0 };

    args.scores = y->in[0]->value;
    args.losses = y->value;
    args.targets = loss->targets;
    args.offsets = loss->spans.offsets;
    args.squares = loss->spans.squares;
    args.sentences = loss->spans.sentences;
    args.grad_scale = loss->grad_scale;
    args.mask = loss->mask;
    args.want_gradient = y->wants_grad;
    return dgm_device_run(g->env, g->device, DGM_TASK_pair_loss, &args);
}

static dgm_status pair_loss_backward(struct dgm_graph *g, struct dgm_node *y)
{
    (void)g;
    y->in[0]->grad_ready = 1; /* written by the forward pass */
    return DGM_OK;
}

/* A column that row i of an n x n block may choose, or -1 where there is none. */
static int32_t sample_target(struct dgm_sample *sample, int32_t n, int32_t i,
                             enum dgm_pair_mask mask)
{
    int32_t most = mask == DGM_PAIRS_CAUSAL ? i : n - 1;
    int32_t target = (int32_t)dgm_sample_int(sample, -1, most);

    if (mask == DGM_PAIRS_NOT_SELF && target == i)
        target = n > 1 ? (i + 1) % n : -1;
    return target;
}

static struct dgm_node *pair_loss_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int32_t offsets[DGM_SAMPLE_SPANS + 1], targets[5 * DGM_SAMPLE_SPANS], i;
    struct dgm_spans spans = dgm_sample_spans(g, sample, offsets);
    int64_t dim = dgm_sample_int(sample, 1, 4), s;
    enum dgm_pair_mask mask = (enum dgm_pair_mask)dgm_sample_int(sample, 0, 2);
    struct dgm_columns q = { NULL, 0 }, k = { NULL, 0 };

    q.node = dgm_sample_leaf(g, sample, spans.rows, dim);
    k.node = dgm_sample_leaf(g, sample, spans.rows, dim);
    for (s = 0; s < spans.sentences; s++)
        for (i = offsets[s]; i < offsets[s + 1]; i++)
            targets[i] = sample_target(sample, offsets[s + 1] - offsets[s], i - offsets[s], mask);
    return dgm_pair_loss(g, dgm_pair_scores(g, q, k, dim, &spans), &spans,
                         dgm_sample_data(g, sample, targets, (size_t)spans.rows * sizeof *targets),
                         mask, 1);
}

const struct dgm_op dgm_op_pair_loss = {
    .name = "pair_loss",
    .is_loss = DGM_LOSS_IN_PLACE,
    .forward = pair_loss_forward,
    .backward = pair_loss_backward,
    .sample = pair_loss_sample,
};

struct dgm_node *dgm_pair_loss(struct dgm_graph *g, struct dgm_node *scores,
                               const struct dgm_spans *spans, struct dgm_ref targets,
                               enum dgm_pair_mask mask, dgm_real grad_scale)
{
    const struct pair_loss loss = { *spans, targets, mask, grad_scale };

    if (scores == NULL)
        return NULL;
    if (scores->op == NULL || scores->is_placed || scores->cols != 1 ||
        scores->rows != spans->pairs)
        return dgm_node_fail(g, "pair_loss", scores, NULL, "computed scores (T,1) of the spans");
    return dgm_keep(g, dgm_node_new(g, &dgm_op_pair_loss, spans->rows, 1, &scores, 1, &loss,
                                    sizeof loss));
}
