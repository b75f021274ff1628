/*
 * op_self_gate.c: y = x g(x): swish, whose g is the logistic function (Ramachandran et al. 2017),
 * and GELU, whose g is the normal distribution function (Hendrycks, Gimpel 2016).
 *
 * Backward reads x: dx = dy (g(x) + x g'(x)), with g' = g (1 - g), or exp(-x^2 / 2) / sqrt(2 pi). y
 * takes over the memory of x where no backward pass follows, and dx that of dy.
 */
#include <string.h>

#include "graph/op.h"

struct self_gate {
    enum dgm_self_gate kind;
};

static dgm_status self_gate_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct self_gate *self_gate = y->attr;
    struct dgm_self_gate_forward_args args;

    memset(&args, 0, sizeof args);
    args.y = y->value;
    args.x = y->in[0]->value;
    args.count = y->rows * y->cols;
    args.kind = self_gate->kind;
    return dgm_device_run(g->env, g->device, DGM_TASK_self_gate_forward, &args);
}

static dgm_status self_gate_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct self_gate *self_gate = y->attr;
    struct dgm_self_gate_backward_args args;

    memset(&args, 0, sizeof args);
    args.dx = y->in[0]->grad;
    args.dy = y->grad;
    args.x = y->in[0]->value;
    args.count = y->rows * y->cols;
    args.kind = self_gate->kind;
    args.accumulate = dgm_node_accumulate(y->in[0]);
    return dgm_device_run(g->env, g->device, DGM_TASK_self_gate_backward, &args);
}

/* x is a leaf, or computed; or mean reads it later, too. */
static struct dgm_node *self_gate_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 9), dim = dgm_sample_int(sample, 1, 11);
    struct dgm_node *x = dgm_sample_leaf(g, sample, n, dim), *both[2];
    int computed = (int)dgm_sample_int(sample, 0, 2);

    if (computed)
        x = dgm_linear(g, x, dgm_sample_leaf(g, sample, dim, dim), NULL);
    both[0] = dgm_self_gate(g, x, dgm_sample_int(sample, 0, 1) ? DGM_SWISH : DGM_GELU);
    both[1] = x;
    return computed == 2 ? dgm_mean(g, both, 2) : both[0];
}

const struct dgm_op dgm_op_self_gate = {
    .name = "self_gate",
    .keep = DGM_KEEP_INPUTS,
    .in_place = 0,
    .hands_down = 0,
    .is_cheap = 1,
    .forward = self_gate_forward,
    .backward = self_gate_backward,
    .sample = self_gate_sample,
};

struct dgm_node *dgm_self_gate(struct dgm_graph *g, struct dgm_node *x, enum dgm_self_gate kind)
{
    struct dgm_node *y;

    if (x == NULL)
        return NULL;
    y = dgm_node_new(g, &dgm_op_self_gate, x->rows, x->cols, &x, 1, sizeof(struct self_gate));
    if (y != NULL)
        ((struct self_gate *)y->attr)->kind = kind;
    return y;
}
