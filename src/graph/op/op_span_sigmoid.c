/*
 * op_span_sigmoid.c: y = max(n sigmoid(x), floor), n the rows of the row's sentence: centers and
 * windows of local attention (specification 3.7).
 *
 * Backward reads y alone: dx = dy y (1 - y/n) where y > floor, else 0.
 */
#include "graph/op.h"

struct span_sigmoid {
    struct dgm_ref owners, counts;
    dgm_real floor;
};

static dgm_status span_sigmoid_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct span_sigmoid *span = y->attr;
    struct dgm_span_sigmoid_forward_args args = { 0 };

    args.y = y->value;
    args.x = y->in[0]->value;
    args.owners = span->owners;
    args.counts = span->counts;
    args.rows = y->rows;
    args.cols = y->cols;
    args.floor = span->floor;
    return dgm_device_run(g->env, g->device, DGM_TASK_span_sigmoid_forward, &args);
}

static dgm_status span_sigmoid_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct span_sigmoid *span = y->attr;
    struct dgm_span_sigmoid_backward_args args = { 0 };

    args.dx = y->in[0]->grad;
    args.dy = y->grad;
    args.y = y->value;
    args.owners = span->owners;
    args.counts = span->counts;
    args.rows = y->rows;
    args.cols = y->cols;
    args.floor = span->floor;
    args.accumulate = dgm_node_accumulate(y->in[0]);
    return dgm_device_run(g->env, g->device, DGM_TASK_span_sigmoid_backward, &args);
}

static struct dgm_node *span_sigmoid_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 9), cols = dgm_sample_int(sample, 1, 5), i;
    int32_t owners[9], counts[3];
    struct dgm_node *x = dgm_sample_leaf(g, sample, n, cols), *both[2];
    struct dgm_ref owner_ref, count_ref;
    int computed = (int)dgm_sample_int(sample, 0, 2);

    for (i = 0; i < n; i++)
        owners[i] = (int32_t)dgm_sample_int(sample, 0, 2);
    for (i = 0; i < 3; i++)
        counts[i] = (int32_t)dgm_sample_int(sample, 1, 7);
    owner_ref = dgm_sample_data(g, sample, owners, (size_t)n * sizeof *owners);
    count_ref = dgm_sample_data(g, sample, counts, sizeof counts);
    if (computed)
        x = dgm_linear(g, x, dgm_sample_leaf(g, sample, cols, cols), NULL);
    both[0] = dgm_span_sigmoid(g, x, owner_ref, count_ref,
                               dgm_sample_int(sample, 0, 1) ? (dgm_real)0.7 : 0);
    both[1] = x;
    return computed == 2 ? dgm_mean(g, both, 2) : both[0]; /* 2: x is needed by both */
}

const struct dgm_op dgm_op_span_sigmoid = {
    .name = "span_sigmoid",
    .keep = DGM_KEEP_OUTPUT,
    .in_place = 1,
    .hands_down = 1,
    .forward = span_sigmoid_forward,
    .backward = span_sigmoid_backward,
    .sample = span_sigmoid_sample,
};

struct dgm_node *dgm_span_sigmoid(struct dgm_graph *g, struct dgm_node *x, struct dgm_ref owners,
                                  struct dgm_ref counts, dgm_real floor)
{
    const struct span_sigmoid span = { owners, counts, floor };

    if (x == NULL)
        return NULL;
    if (owners.buffer == NULL || counts.buffer == NULL || !(floor >= 0))
        return dgm_node_fail(g, "span_sigmoid", x, NULL, "owners, counts and a floor >= 0");
    return dgm_node_new(g, &dgm_op_span_sigmoid, x->rows, x->cols, &x, 1, &span, sizeof span);
}
