/*
 * op_bahdanau.c: a recurrent decoder that attends: two gated units with additive attention between
 * them (Bahdanau et al. 2015, in the form of the toolkit dl4mt), over all rows of a batch.
 *
 * For the rows of each step, with s the state before it (specification, recurrent models, 1.3):
 *
 *   s' = GRU1(x, s)        x: the input side of all three gates, bias included
 *   ctx = attention of q = U_a s' to the keys of the row's memory, over its values
 *   y = GRU2(ctx, s')      h2 = R2 s' + b2: the bias is inside the reset product; x2 = C ctx, of
 *                          as many columns of ctx as C has, the first ones
 *
 * Backward goes from the last step to the first. What a step passes on to the state before it is
 * added to the gradient of the node's own rows of that step, which nobody else reads any more. The
 * gradients of the memory's keys grow over the steps (T_i of the specification, 1.3); the caller
 * made the keys from the annotations, and there they get their gradient by one product. Weights get
 * theirs after the last step, one product each.
 */
#include <string.h>

#include "graph/calls.h"
#include "graph/op.h"

/* The inputs of the node. */
enum { X, START, KEYS, VALUES, STATE1, QUERY, V, STATE2, BIAS2, CONTEXT, INPUTS };

struct decoder {
    int64_t dim, hidden, width; /* d, A, W: columns of states, keys and values */
    struct dgm_steps steps;
    struct dgm_memory memory;
    struct dgm_ref weights; /* where the caller wants them, or absent */
};

/*
 * The parts of node->extra; rows are those of the node, in order. In the backward pass F1, F2 and
 * E2, the gradients of the cells' recurrent and input sides, take the place of what they belong
 * to, so that each weight matrix has its gradient by one product over all rows.
 */
struct parts {
    struct dgm_ref before;  /* (M,d) the state that a row's step starts from */
    struct dgm_ref middle;  /* (M,d) the state between the two cells */
    struct dgm_ref saved1;  /* (M,4d) of the first cell; F1 in 3d of its columns */
    struct dgm_ref saved2;  /* (M,4d) of the second; F2 */
    struct dgm_ref input2;  /* (M,3d) what the second cell reads of the context; E2 */
    struct dgm_ref q;       /* (M,A) */
    struct dgm_ref weights; /* (M,longest) */
    struct dgm_ref dq;      /* (M,A); this and the next only where there is a backward pass */
    struct dgm_ref dmiddle; /* (S,d) of one step */
};

/* The rows of one step, and where those of the step before begin. */
struct step {
    int64_t t, first, count, last;
};

/* Parts begin at multiples of 64 bytes, a cache line. */
static struct dgm_ref take(struct dgm_ref extra, uint64_t *bytes, int64_t rows, int64_t cols)
{
    struct dgm_ref part = dgm_ref_at(extra, (size_t)*bytes);

    *bytes += ((uint64_t)(rows * cols) * sizeof(dgm_real) + 63) & ~(uint64_t)63;
    return part;
}

/* Returns the bytes that the parts take from `extra` on. */
static uint64_t lay_out(const struct dgm_node *y, struct dgm_ref extra, struct parts *parts)
{
    const struct decoder *at = y->attr;
    const int64_t rows = y->rows, dim = at->dim;
    const int64_t later = y->wants_grad ? rows : 0; /* rows where a backward pass follows */
    uint64_t bytes = 0;

    parts->before = take(extra, &bytes, rows, dim);
    parts->middle = take(extra, &bytes, rows, dim);
    parts->saved1 = take(extra, &bytes, rows, 4 * dim);
    parts->saved2 = take(extra, &bytes, rows, 4 * dim);
    parts->input2 = take(extra, &bytes, rows, 3 * dim);
    parts->q = take(extra, &bytes, rows, at->hidden);
    parts->weights =
        at->weights.buffer ? at->weights : take(extra, &bytes, rows, at->memory.longest);
    parts->dq = take(extra, &bytes, later, at->hidden);
    parts->dmiddle = take(extra, &bytes, later > 0 ? at->steps.active[0] : 0, dim);
    return bytes;
}

static uint64_t bahdanau_extra(const struct dgm_node *y)
{
    const struct dgm_ref nowhere = { NULL, 0 };
    struct parts parts;

    return lay_out(y, nowhere, &parts);
}

static int bahdanau_gates(const struct dgm_node *y, struct dgm_gate_rows *rows)
{
    const int64_t dim = ((const struct decoder *)y->attr)->dim;
    struct parts parts;

    lay_out(y, y->extra, &parts);
    rows[0] = (struct dgm_gate_rows){ parts.saved1, y->rows, 2 * dim, 4 * dim };
    rows[1] = (struct dgm_gate_rows){ parts.saved2, y->rows, 2 * dim, 4 * dim };
    return 2;
}

static struct dgm_additive core_of(const struct decoder *at, const struct step *step)
{
    struct dgm_additive core;

    core.rows = step->count;
    core.dim = at->hidden;
    core.width = at->width;
    core.longest = at->memory.longest;
    core.ld_ctx = at->dim + at->width;
    return core;
}

/* One pass over the steps, forwards or backwards. */
struct pass {
    struct dgm_graph *g;
    struct dgm_node *y;
    const struct decoder *at;
    struct parts parts;
    struct step step;
    struct dgm_ref dx, dstart, dkeys, dvalues, dv; /* backward; absent: not wanted */
    int accumulate_x, accumulate_start;
};

static struct pass begin(struct dgm_graph *g, struct dgm_node *y)
{
    struct pass pass = { .g = g, .y = y, .at = y->attr };

    lay_out(y, y->extra, &pass.parts);
    return pass;
}

/* An input of the node, a packed matrix. */
static struct dgm_matrix value(const struct pass *pass, int input)
{
    return dgm_matrix(pass->y->in[input]->value, pass->y->in[input]->cols);
}

/* The rows of this step in a matrix of ld columns; absent matrices stay absent. */
static struct dgm_matrix here(const struct pass *pass, struct dgm_ref ref, int64_t ld)
{
    return ref.buffer ? dgm_matrix_at(dgm_matrix(ref, ld), pass->step.first, 0)
                      : dgm_matrix(ref, ld);
}

/* The same of y, or of its gradient: the states in columns 0 .. d-1, the contexts after them. */
static struct dgm_matrix states(const struct pass *pass, struct dgm_ref y)
{
    return here(pass, y, pass->at->dim + pass->at->width);
}

static struct dgm_matrix contexts(const struct pass *pass, struct dgm_ref y)
{
    return dgm_matrix_at(states(pass, y), 0, pass->at->dim);
}

static dgm_status run(const struct pass *pass, enum dgm_task_kind kind, const void *args)
{
    return dgm_device_run(pass->g->env, pass->g->device, kind, args);
}

/* ---- forward --------------------------------------------------------------------------------- */

/* The states that the step starts from, side by side, for the weights' gradient. */
static dgm_status copy_before(const struct pass *pass)
{
    const int64_t dim = pass->at->dim, ldy = dim + pass->at->width;
    struct dgm_copy_columns_args copy = {
        .y = here(pass, pass->parts.before, dim).at,
        .x = pass->y->in[START]->value,
        .rows = pass->step.count,
        .groups = 1,
        .width = dim,
        .ldy = dim,
        .ldx = dim,
    };

    if (pass->step.t > 0) {
        copy.x = dgm_matrix_at(dgm_matrix(pass->y->value, ldy), pass->step.last, 0).at;
        copy.ldx = ldy;
    }
    return run(pass, DGM_TASK_copy_columns, &copy);
}

static dgm_status run_cell(const struct pass *pass, struct dgm_matrix y, struct dgm_ref saved,
                           struct dgm_ref x, struct dgm_ref state)
{
    const int64_t dim = pass->at->dim;
    struct dgm_gated_cell_forward_args cell = { 0 };

    cell.y = y.at;
    cell.saved = cell.h = here(pass, saved, 4 * dim).at;
    cell.x = here(pass, x, 3 * dim).at;
    cell.state = here(pass, state, dim).at;
    cell.n = pass->step.count;
    cell.dim = cell.lds = dim;
    cell.ldy = y.ld;
    cell.ld_saved = cell.ldh = 4 * dim;
    cell.ldx = 3 * dim;
    cell.carry = 1;
    return run(pass, DGM_TASK_gated_cell_forward, &cell);
}

/* The products of a state with the three recurrent matrices, to where a cell saves its gates. */
static dgm_status multiply_state(const struct pass *pass, struct dgm_ref saved,
                                 struct dgm_ref state, int weight, struct dgm_ref bias)
{
    const int64_t dim = pass->at->dim;
    struct dgm_product product = dgm_product(DGM_NT, pass->step.count, 3 * dim, dim, 0);

    product.bias = bias;
    return dgm_call_product(pass->g, &product, here(pass, saved, 4 * dim), here(pass, state, dim),
                            value(pass, weight));
}

static dgm_status first_cell(const struct pass *pass)
{
    const struct dgm_ref no_bias = { NULL, 0 };
    const struct parts *parts = &pass->parts;

    DGM_TRY(copy_before(pass));
    DGM_TRY(multiply_state(pass, parts->saved1, parts->before, STATE1, no_bias));
    return run_cell(pass, here(pass, parts->middle, pass->at->dim), parts->saved1,
                    pass->y->in[X]->value, parts->before);
}

static dgm_status attend(const struct pass *pass)
{
    const struct decoder *at = pass->at;
    const struct parts *parts = &pass->parts;
    const struct dgm_matrix q = here(pass, parts->q, at->hidden);
    const struct dgm_product product =
        dgm_product(DGM_NT, pass->step.count, at->hidden, at->dim, 0);
    struct dgm_additive_forward_args attention = { 0 };

    DGM_TRY(dgm_call_product(pass->g, &product, q, here(pass, parts->middle, at->dim),
                             value(pass, QUERY)));
    attention.core = core_of(at, &pass->step);
    attention.ctx = contexts(pass, pass->y->value).at;
    attention.weights = here(pass, parts->weights, at->memory.longest).at;
    attention.q = q.at;
    attention.keys = value(pass, KEYS).at;
    attention.values = value(pass, VALUES).at;
    attention.v = value(pass, V).at;
    attention.starts = at->memory.starts;
    attention.counts = at->memory.counts;
    return run(pass, DGM_TASK_additive_forward, &attention);
}

static dgm_status second_cell(const struct pass *pass)
{
    const struct parts *parts = &pass->parts;
    const int64_t dim = pass->at->dim;
    const struct dgm_product product =
        dgm_product(DGM_NT, pass->step.count, 3 * dim, pass->y->in[CONTEXT]->cols, 0);

    DGM_TRY(dgm_call_product(pass->g, &product, here(pass, parts->input2, 3 * dim),
                             contexts(pass, pass->y->value), value(pass, CONTEXT)));
    DGM_TRY(multiply_state(pass, parts->saved2, parts->middle, STATE2, pass->y->in[BIAS2]->value));
    return run_cell(pass, states(pass, pass->y->value), parts->saved2, parts->input2,
                    parts->middle);
}

static dgm_status bahdanau_forward(struct dgm_graph *g, struct dgm_node *y)
{
    struct pass pass = begin(g, y);

    for (pass.step.t = 0; pass.step.t < pass.at->steps.count; pass.step.t++) {
        pass.step.count = pass.at->steps.active[pass.step.t];
        DGM_TRY(first_cell(&pass));
        DGM_TRY(attend(&pass));
        DGM_TRY(second_cell(&pass));
        /* Row k of the next step is of the same sentence as row k of this one. */
        pass.step.last = pass.step.first;
        pass.step.first += pass.step.count;
    }
    return DGM_OK;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* to (count,n) += from (count,k) times a weight (k,n). */
static dgm_status add_product(const struct pass *pass, struct dgm_matrix to, struct dgm_matrix from,
                              int weight)
{
    const struct dgm_node *w = pass->y->in[weight];
    const struct dgm_product product = dgm_product(DGM_NN, pass->step.count, w->cols, w->rows, 1);

    return dgm_call_product(pass->g, &product, to, from, value(pass, weight));
}

/* What the two cells have in common: F takes the place of h in what was saved. */
static struct dgm_gated_cell_backward_args cell_of(const struct pass *pass, struct dgm_ref saved,
                                                   struct dgm_ref state)
{
    const int64_t dim = pass->at->dim;
    struct dgm_gated_cell_backward_args cell = { 0 };

    cell.saved = cell.dh = here(pass, saved, 4 * dim).at;
    cell.state = here(pass, state, dim).at;
    cell.n = pass->step.count;
    cell.dim = cell.lds = dim;
    cell.lddx = 3 * dim;
    cell.ld_saved = cell.lddh = 4 * dim;
    cell.carry = 1;
    return cell;
}

/* The gradient of s' by way of the second cell, and that of the context. */
static dgm_status second_cell_back(const struct pass *pass)
{
    const int64_t dim = pass->at->dim;
    const struct dgm_matrix dy = states(pass, pass->y->grad);
    struct dgm_gated_cell_backward_args cell =
        cell_of(pass, pass->parts.saved2, pass->parts.middle);

    cell.dy = dy.at;
    cell.lddy = dy.ld;
    cell.dx = here(pass, pass->parts.input2, 3 * dim).at;
    cell.dcarry = pass->parts.dmiddle;
    cell.lddcarry = dim;
    DGM_TRY(run(pass, DGM_TASK_gated_cell_backward, &cell));
    DGM_TRY(add_product(pass, dgm_matrix(cell.dcarry, dim), dgm_matrix(cell.dh, 4 * dim), STATE2));
    return add_product(pass, contexts(pass, pass->y->grad), dgm_matrix(cell.dx, 3 * dim), CONTEXT);
}

static dgm_status attend_back(const struct pass *pass)
{
    const struct decoder *at = pass->at;
    struct dgm_additive_backward_args args = { 0 };

    args.core = core_of(at, &pass->step);
    args.dq = here(pass, pass->parts.dq, at->hidden).at;
    args.dkeys = pass->dkeys;
    args.dvalues = pass->dvalues;
    args.dv = pass->dv;
    args.dctx = contexts(pass, pass->y->grad).at;
    args.weights = here(pass, pass->parts.weights, at->memory.longest).at;
    args.q = here(pass, pass->parts.q, at->hidden).at;
    args.keys = value(pass, KEYS).at;
    args.values = value(pass, VALUES).at;
    args.v = value(pass, V).at;
    args.starts = at->memory.starts;
    args.counts = at->memory.counts;
    DGM_TRY(run(pass, DGM_TASK_additive_backward, &args));
    return add_product(pass, dgm_matrix(pass->parts.dmiddle, at->dim),
                       dgm_matrix(args.dq, at->hidden), QUERY);
}

static dgm_status first_cell_back(const struct pass *pass)
{
    const int64_t dim = pass->at->dim, ldy = dim + pass->at->width;
    const int is_first = pass->step.t == 0;
    struct dgm_gated_cell_backward_args cell =
        cell_of(pass, pass->parts.saved1, pass->parts.before);
    struct dgm_matrix to = dgm_matrix(pass->dstart, dim);

    if (!is_first)
        to = dgm_matrix_at(dgm_matrix(pass->y->grad, ldy), pass->step.last, 0);
    cell.dy = pass->parts.dmiddle;
    cell.lddy = dim;
    cell.dx = here(pass, pass->dx, 3 * dim).at;
    cell.accumulate_x = pass->accumulate_x;
    cell.dcarry = to.at;
    cell.lddcarry = to.ld;
    cell.accumulate_carry = is_first ? pass->accumulate_start : 1;
    DGM_TRY(run(pass, DGM_TASK_gated_cell_backward, &cell));
    if (to.at.buffer == NULL)
        return DGM_OK;
    return add_product(pass, to, dgm_matrix(cell.dh, 4 * dim), STATE1);
}

/* dw (+)= d^T x over all rows; d and x may be columns of wider matrices. */
static dgm_status add_weight(const struct pass *pass, int input, struct dgm_matrix d,
                             struct dgm_matrix x)
{
    return dgm_node_weight_grad(pass->g, pass->y, input, d, x, pass->y->rows);
}

/* The gradients of the weights and of the bias, over all rows. */
static dgm_status add_weights(const struct pass *pass)
{
    const struct parts *parts = &pass->parts;
    const int64_t dim = pass->at->dim;
    const struct dgm_matrix before = dgm_matrix(parts->before, dim);
    const struct dgm_matrix middle = dgm_matrix(parts->middle, dim);
    const struct dgm_matrix f2 = dgm_matrix(parts->saved2, 4 * dim);
    const struct dgm_matrix ctx =
        dgm_matrix_at(dgm_matrix(pass->y->value, dim + pass->at->width), 0, dim);
    struct dgm_node *bias = pass->y->in[BIAS2];

    DGM_TRY(add_weight(pass, STATE1, dgm_matrix(parts->saved1, 4 * dim), before));
    DGM_TRY(add_weight(pass, STATE2, f2, middle));
    DGM_TRY(add_weight(pass, QUERY, dgm_matrix(parts->dq, pass->at->hidden), middle));
    DGM_TRY(add_weight(pass, CONTEXT, dgm_matrix(parts->input2, 3 * dim), ctx));
    if (!dgm_node_wants(pass->y, BIAS2))
        return DGM_OK;
    DGM_TRY(dgm_node_open_sum(pass->g, bias));
    return dgm_call_column_sums(pass->g, bias->grad, f2, pass->y->rows, 3 * dim);
}

/* A gradient that every step adds to. */
static dgm_status open_sum(const struct pass *pass, int input, struct dgm_ref *grad)
{
    if (!dgm_node_wants(pass->y, input))
        return DGM_OK;
    *grad = pass->y->in[input]->grad;
    return dgm_node_open_sum(pass->g, pass->y->in[input]);
}

static dgm_status open_grads(struct pass *pass)
{
    dgm_node_take_grad(pass->y, X, &pass->dx, &pass->accumulate_x);
    dgm_node_take_grad(pass->y, START, &pass->dstart, &pass->accumulate_start);
    DGM_TRY(open_sum(pass, KEYS, &pass->dkeys));
    DGM_TRY(open_sum(pass, VALUES, &pass->dvalues));
    return open_sum(pass, V, &pass->dv);
}

static dgm_status bahdanau_backward(struct dgm_graph *g, struct dgm_node *y)
{
    struct pass pass = begin(g, y);

    DGM_TRY(open_grads(&pass));
    pass.step.first = y->rows;
    for (pass.step.t = pass.at->steps.count; pass.step.t-- > 0;) {
        pass.step.count = pass.at->steps.active[pass.step.t];
        pass.step.first -= pass.step.count;
        pass.step.last = pass.step.first;
        if (pass.step.t > 0)
            pass.step.last -= pass.at->steps.active[pass.step.t - 1];
        DGM_TRY(second_cell_back(&pass));
        DGM_TRY(attend_back(&pass));
        DGM_TRY(first_cell_back(&pass));
    }
    return add_weights(&pass);
}

/* ---- sample ---------------------------------------------------------------------------------- */

enum { SENTENCES = 4, STEPS = 4, SPAN = 4 };

/* A leaf, or what is computed from one: its gradient then starts from nothing. */
static struct dgm_node *operand(struct dgm_graph *g, struct dgm_sample *sample, int64_t rows,
                                int64_t cols)
{
    struct dgm_node *leaf = dgm_sample_leaf(g, sample, rows, cols);

    return dgm_sample_int(sample, 0, 1) ? dgm_activate(g, leaf, DGM_TANH) : leaf;
}

/* `active` of sentences by falling length; returns the rows. */
static int64_t draw_steps(struct dgm_sample *sample, int32_t *active, struct dgm_steps *steps)
{
    int64_t rows = 0, most = dgm_sample_int(sample, 1, SENTENCES);

    steps->count = dgm_sample_int(sample, 1, STEPS);
    steps->active = active;
    for (int64_t t = 0; t < steps->count; t++) {
        active[t] = (int32_t)most;
        rows += most;
        most = dgm_sample_int(sample, 1, most);
    }
    return rows;
}

/* A span for each sentence, in no order of their rows; returns the rows of all. */
static int64_t draw_memory(struct dgm_graph *g, struct dgm_sample *sample, int64_t sentences,
                           struct dgm_memory *memory)
{
    int32_t starts[SENTENCES], counts[SENTENCES], next = 0;

    memory->longest = dgm_sample_int(sample, SPAN, SPAN + 1);
    for (int64_t s = sentences; s-- > 0;) {
        starts[s] = next + (int32_t)dgm_sample_int(sample, 0, 1);
        counts[s] = (int32_t)dgm_sample_int(sample, 1, SPAN);
        next = starts[s] + counts[s];
    }
    memory->starts = dgm_sample_data(g, sample, starts, (size_t)sentences * sizeof *starts);
    memory->counts = dgm_sample_data(g, sample, counts, (size_t)sentences * sizeof *counts);
    return next;
}

/* One to four sentences of ragged lengths, memories with gaps between them, all sizes different or
 * not. */
static struct dgm_node *bahdanau_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    const int64_t dim = dgm_sample_int(sample, 1, 3), hidden = dgm_sample_int(sample, 1, 4);
    const int64_t width = dgm_sample_int(sample, 1, 4);
    struct dgm_bahdanau_decoder decoder = { 0 };
    int32_t *active = dgm_arena_alloc(g->env, &g->arena, STEPS, sizeof *active);
    int64_t rows, keys;

    if (active == NULL) {
        g->status = DGM_MEMORY;
        return NULL;
    }
    rows = draw_steps(sample, active, &decoder.steps);
    keys = draw_memory(g, sample, active[0], &decoder.memory);
    decoder.x = operand(g, sample, rows, 3 * dim);
    decoder.start = operand(g, sample, active[0], dim);
    decoder.keys = operand(g, sample, keys, hidden);
    decoder.values = operand(g, sample, keys, width);
    decoder.state1 = operand(g, sample, 3 * dim, dim);
    decoder.query = operand(g, sample, hidden, dim);
    decoder.v = operand(g, sample, 1, hidden);
    decoder.state2 = operand(g, sample, 3 * dim, dim);
    decoder.bias2 = operand(g, sample, 1, 3 * dim);
    decoder.context = operand(g, sample, 3 * dim, dgm_sample_int(sample, 1, width));
    return dgm_bahdanau_gru(g, &decoder);
}

/* ---- the operation --------------------------------------------------------------------------- */

const struct dgm_op dgm_op_bahdanau = {
    .name = "attentive",
    .keep = DGM_KEEP_OUTPUT | 1u << KEYS | 1u << VALUES | 1u << STATE1 | 1u << QUERY | 1u << V |
            1u << STATE2 | 1u << CONTEXT,
    .extra = bahdanau_extra,
    .gates = bahdanau_gates,
    .forward = bahdanau_forward,
    .backward = bahdanau_backward,
    .sample = bahdanau_sample,
};

/* ---- building -------------------------------------------------------------------------------- */

/* Steps of falling sizes that hold all rows. */
static int steps_fit(const struct dgm_steps *steps, int64_t states, int64_t rows)
{
    int64_t sum = 0, most = states;

    for (int64_t t = 0; t < steps->count; t++) {
        if (steps->active[t] < 1 || steps->active[t] > most)
            return 0;
        most = steps->active[t];
        sum += most;
    }
    return sum == rows && (steps->count == 0 || steps->active[0] == states);
}

static int weights_fit(struct dgm_node *const *in, const struct decoder *at)
{
    return dgm_node_is(in[STATE1], 3 * at->dim, at->dim) &&
           dgm_node_is(in[QUERY], at->hidden, at->dim) && dgm_node_is(in[V], 1, at->hidden) &&
           dgm_node_is(in[STATE2], 3 * at->dim, at->dim) &&
           dgm_node_is(in[BIAS2], 1, 3 * at->dim) && in[CONTEXT]->rows == 3 * at->dim &&
           in[CONTEXT]->cols <= at->width;
}

struct dgm_node *dgm_bahdanau_gru(struct dgm_graph *g, const struct dgm_bahdanau_decoder *decoder)
{
    struct dgm_node *in[INPUTS] = { decoder->x,      decoder->start,  decoder->keys,
                                    decoder->values, decoder->state1, decoder->query,
                                    decoder->v,      decoder->state2, decoder->bias2,
                                    decoder->context };
    struct decoder at = { .steps = decoder->steps,
                          .memory = decoder->memory,
                          .weights = decoder->weights };

    for (int i = 0; i < INPUTS; i++)
        if (in[i] == NULL)
            return NULL;
    at.dim = decoder->start->cols;
    at.hidden = decoder->keys->cols;
    at.width = decoder->values->cols;
    if (decoder->x->cols != 3 * at.dim || decoder->keys->rows != decoder->values->rows ||
        !steps_fit(&at.steps, decoder->start->rows, decoder->x->rows))
        return dgm_node_fail(g, "attentive", decoder->x, decoder->start,
                             "inputs (M,3d) of steps of falling sizes, a state for each sentence");
    if (!weights_fit(in, &at))
        return dgm_node_fail(g, "attentive", decoder->keys, decoder->values,
                             "weights (3d,d), (A,d), (1,A), (3d,d), (1,3d) and (3d,W or less)");
    return dgm_node_new(g, &dgm_op_bahdanau, decoder->x->rows, at.dim + at.width, in, INPUTS, &at,
                        sizeof at);
}
