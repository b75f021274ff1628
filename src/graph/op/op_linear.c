/*
 * op_linear.c: y = x W^T + b, optionally followed by max(., 0).
 *
 * x (N,in), W (out,in) as the specification stores weights, b (1,out), y (N,out).
 * Backward: dx = dy W, dW += dy^T x, db += column sums of dy, which belong to the product of dW.
 * With relu, dy becomes 0 where y <= 0 before that, in its own memory: nobody reads it later. Where
 * one linear layer alone reads y, its product of dx sees to that.
 */
#include <assert.h>
#include "graph/calls.h"
#include "graph/op.h"

struct linear {
    int relu;
    int is_masked; /* y's gradient is 0 already where y <= 0 */
};

enum { X, WEIGHT, BIAS };

static dgm_status linear_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct linear *linear = y->attr;
    const struct dgm_node *x = y->in[X], *w = y->in[WEIGHT];
    struct dgm_product product = dgm_product(DGM_NT, y->rows, y->cols, x->cols, 0);

    product.relu = linear->relu;
    if (y->in[BIAS] != NULL)
        product.bias = y->in[BIAS]->value;
    return dgm_call_product(g, &product, dgm_matrix(y->value, y->cols),
                            dgm_matrix(x->value, x->cols), dgm_matrix(w->value, x->cols));
}

static dgm_status mask_grad(struct dgm_graph *g, struct dgm_node *y)
{
    struct dgm_relu_backward_args mask = { 0 };

    mask.dx = y->grad;
    mask.dy = y->grad;
    mask.y = y->value;
    mask.count = y->rows * y->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_relu_backward, &mask);
}

static dgm_status weight_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    struct dgm_node *x = y->in[X], *w = y->in[WEIGHT];
    struct dgm_product product =
        dgm_product(DGM_TN, y->cols, x->cols, y->rows, dgm_node_accumulate(w) ? 1 : 0);

    if (dgm_node_wants(y, BIAS))
        product.sums = y->in[BIAS]->grad;
    return dgm_call_product(g, &product, dgm_matrix(w->grad, x->cols), dgm_matrix(y->grad, y->cols),
                            dgm_matrix(x->value, x->cols));
}

static const struct dgm_op op_linear_relu;

static dgm_status input_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    struct dgm_node *x = y->in[X];
    struct dgm_product product =
        dgm_product(DGM_NN, y->rows, x->cols, y->cols, dgm_node_accumulate(x) ? 1 : 0);

    if (x->op == &op_linear_relu && x->readers == 1) {
        assert(product.beta == 0); /* what this product writes is the whole gradient */
        ((struct linear *)x->attr)->is_masked = 1;
        product.mask = x->value;
    }
    return dgm_call_product(g, &product, dgm_matrix(x->grad, x->cols), dgm_matrix(y->grad, y->cols),
                            dgm_matrix(y->in[WEIGHT]->value, x->cols));
}

static dgm_status linear_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct linear *linear = y->attr;

    if (linear->relu && !linear->is_masked)
        DGM_TRY(mask_grad(g, y));
    if (dgm_node_wants(y, WEIGHT))
        DGM_TRY(weight_grad(g, y));
    else if (dgm_node_wants(y, BIAS))
        DGM_TRY(dgm_call_column_sums(g, y->in[BIAS]->grad, dgm_matrix(y->grad, y->cols), y->rows,
                                     y->cols));
    if (dgm_node_wants(y, X))
        DGM_TRY(input_grad(g, y));
    return DGM_OK;
}

static struct dgm_node *linear_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 9), in = dgm_sample_int(sample, 1, 11);
    int64_t out = dgm_sample_int(sample, 1, 13);
    struct dgm_node *x = dgm_sample_leaf(g, sample, n, in);
    struct dgm_node *w = dgm_sample_leaf(g, sample, out, in);
    struct dgm_node *b = dgm_sample_int(sample, 0, 2) ? dgm_sample_leaf(g, sample, 1, out) : NULL;

    return dgm_sample_int(sample, 0, 1) ? dgm_linear(g, x, w, b) : dgm_linear_relu(g, x, w, b);
}

/* One operation, two descriptions: only with relu does backward read the output. */
const struct dgm_op dgm_op_linear = {
    .name = "linear",
    .keep = 1u << X | 1u << WEIGHT,
    .forward = linear_forward,
    .backward = linear_backward,
    .sample = linear_sample,
};

static const struct dgm_op op_linear_relu = {
    .name = "linear_relu",
    .keep = 1u << X | 1u << WEIGHT | DGM_KEEP_OUTPUT,
    .forward = linear_forward,
    .backward = linear_backward,
    .sample = linear_sample,
};

static struct dgm_node *new_linear(struct dgm_graph *g, const struct dgm_op *op, struct dgm_node *x,
                                   struct dgm_node *w, struct dgm_node *bias, int relu)
{
    struct dgm_node *const in[] = { [X] = x, [WEIGHT] = w, [BIAS] = bias };
    const struct linear linear = { .relu = relu };

    if (x == NULL || w == NULL)
        return NULL;
    if (x->cols != w->cols)
        return dgm_node_fail(g, op->name, x, w, "x (N,in) and weight (out,in)");
    if (bias != NULL && (bias->cols != w->rows || bias->rows != 1))
        return dgm_node_fail(g, op->name, w, bias, "weight (out,in) and bias (1,out)");
    return dgm_node_new(g, op, x->rows, w->rows, in, 3, &linear, sizeof linear);
}

struct dgm_node *dgm_linear(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *w,
                            struct dgm_node *bias)
{
    return new_linear(g, &dgm_op_linear, x, w, bias, 0);
}

struct dgm_node *dgm_linear_relu(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *w,
                                 struct dgm_node *bias)
{
    return new_linear(g, &op_linear_relu, x, w, bias, 1);
}
