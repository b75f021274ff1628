/*
 * op_activate.c: y = tanh(x), leaky ReLU (x where x > 0, slope x elsewhere: 0.01, or 0 for ReLU),
 * or x g(x): swish, whose g is the logistic function (Ramachandran et al. 2017), and GELU, whose g
 * is the normal distribution function (Hendrycks, Gimpel 2016).
 *
 * Backward of the first two reads y alone: dx = dy (1 - y^2), or dy where y > 0 and slope dy
 * elsewhere. That of the gates reads x: dx = dy (g(x) + x g'(x)), with g' = g (1 - g), or
 * exp(-x^2 / 2) / sqrt(2 pi). y takes over the memory of x, and dx that of dy, where nobody else
 * needs them: so each of the two has a row of its own.
 */
#include "graph/op.h"

/* The slope of leaky ReLU in LISA (specification 3.4). */
#define SLOPE ((dgm_real)0.01)

struct activate {
    enum dgm_activation kind;
    dgm_real slope;
};

static dgm_status activate_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct activate *activate = y->attr;
    struct dgm_activate_forward_args args = { 0 };

    args.y = y->value;
    args.x = y->in[0]->value;
    args.count = y->rows * y->cols;
    args.kind = activate->kind;
    args.slope = activate->slope;
    return dgm_device_run(g->env, g->device, DGM_TASK_activate_forward, &args);
}

static dgm_status activate_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct activate *activate = y->attr;
    struct dgm_activate_backward_args args = { 0 };

    args.dx = y->in[0]->grad;
    args.dy = y->grad;
    args.v = y->op->keep == DGM_KEEP_OUTPUT ? y->value : y->in[0]->value;
    args.count = y->rows * y->cols;
    args.kind = activate->kind;
    args.slope = activate->slope;
    args.accumulate = dgm_node_accumulate(y->in[0]);
    return dgm_device_run(g->env, g->device, DGM_TASK_activate_backward, &args);
}

/*
 * x is a leaf, or a computed matrix whose memory y takes over (1) or not (2: mean reads it later).
 */
static struct dgm_node *activate_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 9), dim = dgm_sample_int(sample, 1, 11);
    struct dgm_node *x = dgm_sample_leaf(g, sample, n, dim), *both[2];
    int computed = (int)dgm_sample_int(sample, 0, 2);

    if (computed)
        x = dgm_linear(g, x, dgm_sample_leaf(g, sample, dim, dim), NULL);
    both[0] =
        dgm_sample_int(sample, 0, 4) == 0
            ? dgm_relu(g, x)
            : dgm_activate(g, x, (enum dgm_activation)dgm_sample_int(sample, DGM_TANH, DGM_GELU));
    both[1] = x;
    return computed == 2 ? dgm_mean(g, both, 2) : both[0];
}

const struct dgm_op dgm_op_activate = {
    .name = "activate",
    .keep = DGM_KEEP_OUTPUT,
    .in_place = 1,
    .hands_down = 1,
    .forward = activate_forward,
    .backward = activate_backward,
    .sample = activate_sample,
};

static const struct dgm_op op_self_gate = {
    .name = "self_gate",
    .keep = DGM_KEEP_INPUTS,
    .in_place = 1,
    .hands_down = 1,
    .is_cheap = 1,
    .forward = activate_forward,
    .backward = activate_backward,
    .sample = activate_sample,
};

static struct dgm_node *activate(struct dgm_graph *g, struct dgm_node *x, enum dgm_activation kind,
                                 dgm_real slope)
{
    const struct dgm_op *op =
        kind == DGM_SWISH || kind == DGM_GELU ? &op_self_gate : &dgm_op_activate;
    const struct activate activate = { kind, slope };

    if (x == NULL)
        return NULL;
    return dgm_node_new(g, op, x->rows, x->cols, &x, 1, &activate, sizeof activate);
}

struct dgm_node *dgm_activate(struct dgm_graph *g, struct dgm_node *x, enum dgm_activation kind)
{
    return activate(g, x, kind, SLOPE);
}

struct dgm_node *dgm_relu(struct dgm_graph *g, struct dgm_node *x)
{
    return activate(g, x, DGM_LEAKY_RELU, 0);
}
