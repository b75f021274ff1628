/*
 * bahdanau_backward.c: the gradients of op_bahdanau.c, from the last step to the first.
 *
 * What a step passes on to the state before it is added to the gradient of the node's own rows of
 * that step, which nobody else reads any more. The gradients of the memory's keys grow over the
 * steps (T_i of the specification, recurrent models, 1.3); what made the keys of the annotations
 * is the caller's and gets its gradient by one product. Weights get theirs after the sweep, one
 * product each.
 */
#include <string.h>

#include "graph/recurrent/bahdanau.h"

struct sweep {
    struct dgm_graph *g;
    struct dgm_node *y;
    const struct dgm_bahdanau *at;
    struct dgm_bahdanau_parts parts;
    struct dgm_bahdanau_step step;
    struct dgm_ref dx, dstart, dkeys, dvalues, dv; /* absent: not wanted */
    int accumulate_x, accumulate_start;
};

static struct dgm_ref value(const struct sweep *sweep, int input)
{
    return sweep->y->in[input]->value;
}

static struct dgm_ref here(const struct sweep *sweep, struct dgm_ref ref, int64_t cols)
{
    return ref.buffer ? dgm_bahdanau_at(ref, sweep->step.first, cols, 0) : ref;
}

static dgm_status run(const struct sweep *sweep, enum dgm_task_kind kind, const void *args)
{
    return dgm_device_run(sweep->g->env, sweep->g->device, kind, args);
}

/* to (count,n) += from (count,k) times a weight (k,n). */
static dgm_status add_product(const struct sweep *sweep, struct dgm_ref to, int64_t ld_to,
                              struct dgm_ref from, int64_t ld_from, int weight)
{
    const struct dgm_node *w = sweep->y->in[weight];
    struct dgm_gemm_args args =
        dgm_bahdanau_product(DGM_NN, to, from, w->value, sweep->step.count, w->cols, w->rows);

    args.ldc = ld_to;
    args.lda = ld_from;
    args.beta = 1;
    return run(sweep, DGM_TASK_gemm, &args);
}

/* What the two cells have in common: F takes the place of h in what was saved. */
static struct dgm_gated_cell_backward_args cell_of(const struct sweep *sweep, struct dgm_ref saved,
                                                   struct dgm_ref state)
{
    const int64_t dim = sweep->at->dim;
    struct dgm_gated_cell_backward_args cell;

    memset(&cell, 0, sizeof cell);
    cell.saved = cell.dh = here(sweep, saved, 4 * dim);
    cell.state = here(sweep, state, dim);
    cell.n = sweep->step.count;
    cell.dim = cell.lds = dim;
    cell.lddx = 3 * dim;
    cell.ld_saved = cell.lddh = 4 * dim;
    cell.carry = 1;
    return cell;
}

/* The gradient of s' by way of the second cell, and that of the context. */
static dgm_status second_cell(const struct sweep *sweep)
{
    const int64_t dim = sweep->at->dim, ldy = dim + sweep->at->width;
    struct dgm_gated_cell_backward_args cell =
        cell_of(sweep, sweep->parts.saved2, sweep->parts.middle);
    const struct dgm_ref dy = here(sweep, sweep->y->grad, ldy);

    cell.dy = dy;
    cell.lddy = ldy;
    cell.dx = here(sweep, sweep->parts.input2, 3 * dim);
    cell.dcarry = sweep->parts.dmiddle;
    cell.lddcarry = dim;
    DGM_TRY(run(sweep, DGM_TASK_gated_cell_backward, &cell));
    DGM_TRY(add_product(sweep, cell.dcarry, dim, cell.dh, 4 * dim, DGM_AT_STATE2));
    return add_product(sweep, dgm_bahdanau_at(dy, 0, 0, dim), ldy, cell.dx, 3 * dim,
                       DGM_AT_CONTEXT);
}

static dgm_status attention(const struct sweep *sweep)
{
    const struct dgm_bahdanau *at = sweep->at;
    struct dgm_additive_backward_args args;

    memset(&args, 0, sizeof args);
    args.core = dgm_bahdanau_core(at, &sweep->step);
    args.dq = here(sweep, sweep->parts.dq, at->hidden);
    args.dkeys = sweep->dkeys;
    args.dvalues = sweep->dvalues;
    args.dv = sweep->dv;
    args.dctx = dgm_bahdanau_at(sweep->y->grad, sweep->step.first, args.core.ld_ctx, at->dim);
    args.weights = here(sweep, sweep->parts.weights, at->memory.longest);
    args.q = here(sweep, sweep->parts.q, at->hidden);
    args.keys = value(sweep, DGM_AT_KEYS);
    args.values = value(sweep, DGM_AT_VALUES);
    args.v = value(sweep, DGM_AT_V);
    args.starts = at->memory.starts;
    args.counts = at->memory.counts;
    DGM_TRY(run(sweep, DGM_TASK_additive_backward, &args));
    return add_product(sweep, sweep->parts.dmiddle, at->dim, args.dq, at->hidden, DGM_AT_QUERY);
}

static dgm_status first_cell(const struct sweep *sweep)
{
    const int64_t dim = sweep->at->dim, ldy = dim + sweep->at->width;
    const int is_first = sweep->step.t == 0;
    struct dgm_gated_cell_backward_args cell =
        cell_of(sweep, sweep->parts.saved1, sweep->parts.before);

    cell.dy = sweep->parts.dmiddle;
    cell.lddy = dim;
    cell.dx = here(sweep, sweep->dx, 3 * dim);
    cell.accumulate_x = sweep->accumulate_x;
    cell.dcarry =
        is_first ? sweep->dstart : dgm_bahdanau_at(sweep->y->grad, sweep->step.last, ldy, 0);
    cell.lddcarry = is_first ? dim : ldy;
    cell.accumulate_carry = is_first ? sweep->accumulate_start : 1;
    DGM_TRY(run(sweep, DGM_TASK_gated_cell_backward, &cell));
    if (cell.dcarry.buffer == NULL)
        return DGM_OK;
    return add_product(sweep, cell.dcarry, cell.lddcarry, cell.dh, 4 * dim, DGM_AT_STATE1);
}

/* ---- weights --------------------------------------------------------------------------------- */

/* dw (+)= d' x over all rows; d and x may be columns of wider matrices. */
static dgm_status add_weight(const struct sweep *sweep, int input, struct dgm_ref d, int64_t ldd,
                             struct dgm_ref x, int64_t ldx)
{
    struct dgm_node *w = sweep->y->in[input];
    struct dgm_gemm_args args;

    if (!dgm_node_wants(sweep->y, input))
        return DGM_OK;
    args = dgm_bahdanau_product(DGM_TN, w->grad, d, x, w->rows, w->cols, sweep->y->rows);
    args.lda = ldd;
    args.ldb = ldx;
    args.beta = dgm_node_accumulate(w) ? 1 : 0;
    return run(sweep, DGM_TASK_gemm, &args);
}

static dgm_status add_bias(const struct sweep *sweep)
{
    struct dgm_node *bias = sweep->y->in[DGM_AT_BIAS2];
    struct dgm_column_sums_args sums;
    int accumulate;

    if (!dgm_node_wants(sweep->y, DGM_AT_BIAS2))
        return DGM_OK;
    DGM_TRY(dgm_node_open_grad(sweep->g, bias, 0, &accumulate));
    memset(&sums, 0, sizeof sums);
    sums.y = bias->grad;
    sums.x = sweep->parts.saved2;
    sums.m = sweep->y->rows;
    sums.n = 3 * sweep->at->dim;
    sums.ldx = 4 * sweep->at->dim;
    return run(sweep, DGM_TASK_column_sums, &sums);
}

static dgm_status add_weights(const struct sweep *sweep)
{
    const struct dgm_bahdanau_parts *parts = &sweep->parts;
    const int64_t dim = sweep->at->dim, hidden = sweep->at->hidden;
    const struct dgm_ref ctx = dgm_bahdanau_at(sweep->y->value, 0, 0, dim);

    DGM_TRY(add_weight(sweep, DGM_AT_STATE1, parts->saved1, 4 * dim, parts->before, dim));
    DGM_TRY(add_weight(sweep, DGM_AT_STATE2, parts->saved2, 4 * dim, parts->middle, dim));
    DGM_TRY(add_weight(sweep, DGM_AT_QUERY, parts->dq, hidden, parts->middle, dim));
    DGM_TRY(add_weight(sweep, DGM_AT_CONTEXT, parts->input2, 3 * dim, ctx, dim + sweep->at->width));
    return add_bias(sweep);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* A gradient that every step adds to. */
static dgm_status open_sum(const struct sweep *sweep, int input, struct dgm_ref *grad)
{
    struct dgm_node *node = sweep->y->in[input];
    int accumulate;

    if (!dgm_node_wants(sweep->y, input))
        return DGM_OK;
    *grad = node->grad;
    return dgm_node_open_grad(sweep->g, node, 0, &accumulate);
}

static dgm_status open_grads(struct sweep *sweep)
{
    struct dgm_node *x = sweep->y->in[DGM_AT_X], *start = sweep->y->in[DGM_AT_START];

    if (dgm_node_wants(sweep->y, DGM_AT_X)) {
        sweep->dx = x->grad;
        sweep->accumulate_x = dgm_node_accumulate(x);
    }
    if (dgm_node_wants(sweep->y, DGM_AT_START)) {
        sweep->dstart = start->grad;
        sweep->accumulate_start = dgm_node_accumulate(start);
    }
    DGM_TRY(open_sum(sweep, DGM_AT_KEYS, &sweep->dkeys));
    DGM_TRY(open_sum(sweep, DGM_AT_VALUES, &sweep->dvalues));
    return open_sum(sweep, DGM_AT_V, &sweep->dv);
}

dgm_status dgm_bahdanau_backward(struct dgm_graph *g, struct dgm_node *y)
{
    struct sweep sweep;

    memset(&sweep, 0, sizeof sweep);
    sweep.g = g;
    sweep.y = y;
    sweep.at = y->attr;
    dgm_bahdanau_lay_out(y, y->extra, &sweep.parts);
    DGM_TRY(open_grads(&sweep));
    sweep.step.first = y->rows;
    for (sweep.step.t = sweep.at->steps.count; sweep.step.t-- > 0;) {
        sweep.step.count = sweep.at->steps.active[sweep.step.t];
        sweep.step.first -= sweep.step.count;
        sweep.step.last = sweep.step.first;
        if (sweep.step.t > 0)
            sweep.step.last -= sweep.at->steps.active[sweep.step.t - 1];
        DGM_TRY(second_cell(&sweep));
        DGM_TRY(attention(&sweep));
        DGM_TRY(first_cell(&sweep));
    }
    return add_weights(&sweep);
}
