/*
 * op_mean.c: y = (x_1 + .. + x_n) / n. Backward: dx_i = dy / n.
 */
#include "graph/op.h"

/* to = from / n, or to += from / n. */
static dgm_status add_share(struct dgm_graph *g, const struct dgm_node *y, struct dgm_ref to,
                            struct dgm_ref from, int accumulate)
{
    struct dgm_axpby_args share = { 0 };

    share.y = to;
    share.x = from;
    share.count = y->rows * y->cols;
    share.a = 1 / (dgm_real)y->in_count;
    share.b = accumulate ? 1 : 0;
    return dgm_device_run(g->env, g->device, DGM_TASK_axpby, &share);
}

static dgm_status mean_forward(struct dgm_graph *g, struct dgm_node *y)
{
    int i;

    for (i = 0; i < y->in_count; i++)
        DGM_TRY(add_share(g, y, y->value, y->in[i]->value, i > 0));
    return DGM_OK;
}

static dgm_status mean_backward(struct dgm_graph *g, struct dgm_node *y)
{
    int i;

    for (i = 0; i < y->in_count; i++)
        if (dgm_node_wants(y, i))
            DGM_TRY(add_share(g, y, y->in[i]->grad, y->grad, dgm_node_accumulate(y->in[i])));
    return DGM_OK;
}

/* The last part may be the first one again. */
static struct dgm_node *mean_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 9), dim = dgm_sample_int(sample, 1, 11), i;
    int64_t count = dgm_sample_int(sample, 1, 5);
    struct dgm_node *parts[5];

    for (i = 0; i < count; i++)
        parts[i] = dgm_sample_leaf(g, sample, n, dim);
    if (dgm_sample_int(sample, 0, 1))
        parts[0] = dgm_linear(g, parts[0], dgm_sample_leaf(g, sample, dim, dim), NULL);
    if (dgm_sample_int(sample, 0, 1))
        parts[count - 1] = parts[0];
    return dgm_mean(g, parts, (int)count);
}

const struct dgm_op dgm_op_mean = {
    .name = "mean",
    .forward = mean_forward,
    .backward = mean_backward,
    .sample = mean_sample,
};

struct dgm_node *dgm_mean(struct dgm_graph *g, struct dgm_node *const *parts, int count)
{
    int i;

    for (i = 0; i < count; i++) {
        if (parts[i] == NULL)
            return NULL;
        if (parts[i]->rows != parts[0]->rows || parts[i]->cols != parts[0]->cols)
            return dgm_node_fail(g, "mean", parts[0], parts[i], "equal shapes");
    }
    if (count < 1)
        return dgm_node_fail(g, "mean", NULL, NULL, "one part or more");
    return dgm_node_new(g, &dgm_op_mean, parts[0]->rows, parts[0]->cols, parts, count, NULL, 0);
}
