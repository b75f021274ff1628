/*
 * op_gather.c: rows of a matrix by number: y_m = x[index_m], zeros where index_m is -1.
 *
 * Backward: dx[index_m] += dy_m, rows m in order; rows of x that no index names get nothing.
 */
#include "graph/calls.h"
#include "graph/op.h"

struct gather {
    struct dgm_ref index;
};

static dgm_status gather_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct gather *gather = y->attr;

    return dgm_call_gather(g, y->value, y->in[0]->value, gather->index, y->rows, y->cols);
}

static dgm_status gather_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct gather *gather = y->attr;
    struct dgm_node *x = y->in[0];

    DGM_TRY(dgm_node_open_sum(g, x));
    return dgm_call_scatter(g, x->grad, y->grad, gather->index, y->rows, y->cols);
}

/* x is a leaf, or a computed matrix whose gradient starts from nothing. */
static struct dgm_node *gather_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 6), dim = dgm_sample_int(sample, 1, 9);
    int64_t count = dgm_sample_int(sample, 1, 12), i;
    int32_t index[12];
    struct dgm_node *x = dgm_sample_leaf(g, sample, n, dim);

    if (dgm_sample_int(sample, 0, 1))
        x = dgm_linear(g, x, dgm_sample_leaf(g, sample, dim + 1, dim), NULL);
    for (i = 0; i < count; i++)
        index[i] = (int32_t)dgm_sample_int(sample, -1, n - 1);
    return dgm_gather(g, x, dgm_sample_data(g, sample, index, (size_t)count * sizeof *index),
                      count);
}

const struct dgm_op dgm_op_gather = {
    .name = "gather",
    .forward = gather_forward,
    .backward = gather_backward,
    .sample = gather_sample,
};

struct dgm_node *dgm_gather(struct dgm_graph *g, struct dgm_node *x, struct dgm_ref index,
                            int64_t count)
{
    const struct gather gather = { index };

    if (x == NULL)
        return NULL;
    return dgm_node_new(g, &dgm_op_gather, count, x->cols, &x, 1, &gather, sizeof gather);
}
