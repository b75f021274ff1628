/*
 * op_gated_mix.c: context mixed into queries or keys by a gate of its own for every row and head
 * (specification 3.8; Yang et al. 2019).
 *
 * x, c: columns of nodes with N rows -> (N, heads width); ops.h has the equation,
 * kernel/task/gates_list.h that of the gradients. Saved for backward: l, (N,heads).
 */
#include "graph/calls.h"
#include "graph/op.h"

enum { X, CONTEXT, X_GATE, X_BIAS, C_GATE, C_BIAS, INPUTS };

struct gated_mix {
    int64_t x_column, c_column;
    struct dgm_gated_mix core;
};

static uint64_t gated_mix_extra(const struct dgm_node *y)
{
    const struct gated_mix *mix = y->attr;

    return (uint64_t)(y->rows * mix->core.heads) * sizeof(dgm_real);
}

static dgm_status gated_mix_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct gated_mix *mix = y->attr;
    struct dgm_gated_mix_forward_args args = { 0 };

    args.y = y->value;
    args.l = y->extra;
    args.x = dgm_reals_at(y->in[X]->value, mix->x_column);
    args.c = dgm_reals_at(y->in[CONTEXT]->value, mix->c_column);
    args.x_gate = y->in[X_GATE]->value;
    args.x_bias = y->in[X_BIAS]->value;
    args.c_gate = y->in[C_GATE]->value;
    args.c_bias = y->in[C_BIAS]->value;
    args.core = mix->core;
    return dgm_device_run(g->env, g->device, DGM_TASK_gated_mix_forward, &args);
}

/* x and c may be columns of one node, then added up, and need not be all of it. */
static dgm_status open_columns(struct dgm_graph *g, struct dgm_node *y,
                               struct dgm_gated_mix_backward_args *args)
{
    const struct gated_mix *mix = y->attr;
    struct dgm_node *x = y->in[X], *c = y->in[CONTEXT];

    if (dgm_node_wants(y, X)) {
        args->dx = dgm_reals_at(x->grad, mix->x_column);
        DGM_TRY(dgm_node_open_grad(g, x, x != c && x->cols == y->cols, &args->accumulate_x));
    }
    if (dgm_node_wants(y, CONTEXT)) {
        args->dc = dgm_reals_at(c->grad, mix->c_column);
        DGM_TRY(dgm_node_open_grad(g, c, c->cols == y->cols, &args->accumulate_c));
    }
    return DGM_OK;
}

/* Gradients of gates and biases are always added to. */
static dgm_status open_sums(struct dgm_graph *g, struct dgm_node *y,
                            struct dgm_gated_mix_backward_args *args)
{
    struct dgm_ref *grads[INPUTS] = { NULL };
    int i;

    grads[X_GATE] = &args->dx_gate;
    grads[X_BIAS] = &args->dx_bias;
    grads[C_GATE] = &args->dc_gate;
    grads[C_BIAS] = &args->dc_bias;
    for (i = X_GATE; i < INPUTS; i++)
        if (dgm_node_wants(y, i)) {
            *grads[i] = y->in[i]->grad;
            DGM_TRY(dgm_node_open_sum(g, y->in[i]));
        }
    return DGM_OK;
}

static dgm_status gated_mix_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct gated_mix *mix = y->attr;
    struct dgm_gated_mix_backward_args args = { 0 };

    DGM_TRY(open_columns(g, y, &args));
    DGM_TRY(open_sums(g, y, &args));
    args.dy = y->grad;
    args.l = y->extra;
    args.x = dgm_reals_at(y->in[X]->value, mix->x_column);
    args.c = dgm_reals_at(y->in[CONTEXT]->value, mix->c_column);
    args.x_gate = y->in[X_GATE]->value;
    args.c_gate = y->in[C_GATE]->value;
    args.core = mix->core;
    return dgm_device_run(g->env, g->device, DGM_TASK_gated_mix_backward, &args);
}

/* Operands in two nodes or one, whole or in part; gaps between the heads of c. */
static struct dgm_node *gated_mix_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    static const struct dgm_rows no_rows;
    int64_t n = dgm_sample_int(sample, 1, 5), spare = dgm_sample_int(sample, 0, 2);
    struct dgm_context_gate gate = { 0 };

    gate.heads = dgm_sample_int(sample, 1, 3);
    gate.width = dgm_sample_int(sample, 1, 5);
    gate.c_step = gate.width + (dgm_sample_int(sample, 0, 1) ? spare : 0);
    gate.scale = (dgm_real)(dgm_sample_int(sample, 0, 1) ? 0.6 : 1);
    gate.c.node = dgm_sample_leaf(g, sample, n, gate.heads * gate.c_step + spare);
    gate.c.column = dgm_sample_int(sample, 0, spare);
    if (dgm_sample_int(sample, 0, 1))
        gate.c.node = dgm_residual(g, gate.c.node, gate.c.node, &no_rows, 0, 0);
    gate.x = gate.c;
    if (dgm_sample_int(sample, 0, 3)) {
        gate.x.node = dgm_sample_leaf(g, sample, n, gate.heads * gate.width + spare);
        gate.x.column = dgm_sample_int(sample, 0, spare);
    }
    gate.x_gate = dgm_sample_leaf(g, sample, 1, gate.width);
    gate.x_bias = dgm_sample_leaf(g, sample, 1, 1);
    gate.c_gate = dgm_sample_leaf(g, sample, 1, gate.width);
    gate.c_bias = dgm_sample_leaf(g, sample, 1, 1);
    return dgm_gated_mix(g, &gate);
}

const struct dgm_op dgm_op_gated_mix = {
    .name = "gated_mix",
    .keep = 1u << X | 1u << CONTEXT | 1u << X_GATE | 1u << C_GATE,
    .extra = gated_mix_extra,
    .forward = gated_mix_forward,
    .backward = gated_mix_backward,
    .sample = gated_mix_sample,
};

/* Whether `heads` groups of `width` columns, `step` apart, lie in the node. */
static int holds(struct dgm_columns columns, int64_t heads, int64_t step, int64_t width)
{
    return columns.column >= 0 && columns.column + (heads - 1) * step + width <= columns.node->cols;
}

static int has_shapes(const struct dgm_context_gate *gate)
{
    return gate->heads > 0 && gate->width > 0 && gate->c_step >= gate->width &&
           gate->x.node->rows == gate->c.node->rows &&
           holds(gate->x, gate->heads, gate->width, gate->width) &&
           holds(gate->c, gate->heads, gate->c_step, gate->width);
}

struct dgm_node *dgm_gated_mix(struct dgm_graph *g, const struct dgm_context_gate *gate)
{
    struct dgm_node *const in[INPUTS] = {
        [X] = gate->x.node,      [CONTEXT] = gate->c.node, [X_GATE] = gate->x_gate,
        [X_BIAS] = gate->x_bias, [C_GATE] = gate->c_gate,  [C_BIAS] = gate->c_bias
    };
    struct gated_mix mix = {
        gate->x.column,
        gate->c.column,
        { .heads = gate->heads, .width = gate->width, .c_step = gate->c_step, .scale = gate->scale }
    };

    for (int i = 0; i < INPUTS; i++)
        if (in[i] == NULL)
            return NULL;
    if (!has_shapes(gate))
        return dgm_node_fail(g, "gated_mix", in[X], in[CONTEXT],
                             "rows with columns for all heads of x and of c");
    if (!dgm_node_is(in[X_GATE], 1, gate->width) || !dgm_node_is(in[C_GATE], 1, gate->width) ||
        !dgm_node_is(in[X_BIAS], 1, 1) || !dgm_node_is(in[C_BIAS], 1, 1))
        return dgm_node_fail(g, "gated_mix", in[X_GATE], in[C_GATE],
                             "gates (1,width) and biases (1,1)");
    mix.core.rows = in[X]->rows;
    mix.core.ldx = in[X]->cols;
    mix.core.ldc = in[CONTEXT]->cols;
    return dgm_node_new(g, &dgm_op_gated_mix, in[X]->rows, gate->heads * gate->width, in, INPUTS,
                        &mix, sizeof mix);
}
