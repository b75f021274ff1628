/*
 * op_norm.c: layer norm over the columns of each row (specification 1.5).
 *
 * y = gain (x - mean) / sqrt(var + eps) + bias. Mean and 1/sqrt(var + eps) of each row are saved,
 * (N,2), so that backward does not compute them again.
 */
#include "graph/op.h"

enum { X, GAIN, BIAS };

static uint64_t norm_extra(const struct dgm_node *y)
{
    return (uint64_t)y->rows * 2 * sizeof(dgm_real);
}

static dgm_status norm_forward(struct dgm_graph *g, struct dgm_node *y)
{
    struct dgm_norm_forward_args args = { 0 };

    args.y = y->value;
    if (y->wants_grad) /* else nobody reads them */
        args.stats = y->extra;
    args.x = y->in[X]->value;
    args.gain = y->in[GAIN]->value;
    args.bias = y->in[BIAS]->value;
    args.rows = y->rows;
    args.dim = y->cols;
    args.eps = *(const dgm_real *)y->attr;
    return dgm_device_run(g->env, g->device, DGM_TASK_norm_forward, &args);
}

static dgm_status norm_backward(struct dgm_graph *g, struct dgm_node *y)
{
    struct dgm_norm_backward_args args = { 0 };

    dgm_node_take_grad(y, X, &args.dx, &args.accumulate);
    if (dgm_node_wants(y, GAIN))
        args.dgain = y->in[GAIN]->grad;
    if (dgm_node_wants(y, BIAS))
        args.dbias = y->in[BIAS]->grad;
    args.dy = y->grad;
    args.x = y->in[X]->value;
    args.stats = y->extra;
    args.gain = y->in[GAIN]->value;
    args.rows = y->rows;
    args.dim = y->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_norm_backward, &args);
}

static struct dgm_node *norm_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 9), dim = dgm_sample_int(sample, 2, 20);
    struct dgm_node *x = dgm_sample_leaf(g, sample, n, dim);
    struct dgm_node *gain = dgm_sample_leaf(g, sample, 1, dim);
    struct dgm_node *bias = dgm_sample_leaf(g, sample, 1, dim);

    return dgm_norm(g, x, gain, bias, (dgm_real)1e-5);
}

const struct dgm_op dgm_op_norm = {
    .name = "norm",
    .keep = 1u << X | 1u << GAIN,
    .is_cheap = 1,
    .extra = norm_extra,
    .forward = norm_forward,
    .backward = norm_backward,
    .sample = norm_sample,
};

struct dgm_node *dgm_norm(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *gain,
                          struct dgm_node *bias, dgm_real eps)
{
    struct dgm_node *const in[] = { [X] = x, [GAIN] = gain, [BIAS] = bias };

    if (x == NULL || gain == NULL || bias == NULL)
        return NULL;
    if (gain->cols != x->cols || bias->cols != x->cols)
        return dgm_node_fail(g, "norm", x, gain, "x (N,D), gain (1,D), bias (1,D)");
    return dgm_node_new(g, &dgm_op_norm, x->rows, x->cols, in, 3, &eps, sizeof eps);
}
