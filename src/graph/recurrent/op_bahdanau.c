/*
 * op_bahdanau.c: a recurrent decoder that attends: two gated units with additive attention between
 * them (Bahdanau et al. 2015, in the form of the toolkit dl4mt), over all rows of a batch.
 *
 * For the rows of each step, with s the state before it (specification, recurrent models, 1.3):
 *
 *   s' = GRU1(x, s)        x: the input side of all three gates, bias included
 *   ctx = attention of q = U_a s' to the keys of the row's memory, over its values
 *   y = GRU2(ctx, s')      h2 = R2 s' + b2: the bias is inside the reset product; x2 = C ctx
 *
 * Backward: bahdanau_backward.c.
 */
#include <string.h>

#include "graph/recurrent/bahdanau.h"

static struct dgm_ref take(struct dgm_ref extra, size_t *bytes, int64_t rows, int64_t cols)
{
    struct dgm_ref part = dgm_ref_at(extra, *bytes);

    *bytes += ((size_t)(rows * cols) * sizeof(dgm_real) + 63) & ~(size_t)63;
    return part;
}

size_t dgm_bahdanau_lay_out(const struct dgm_node *y, struct dgm_ref extra,
                            struct dgm_bahdanau_parts *parts)
{
    const struct dgm_bahdanau *at = y->attr;
    const int64_t rows = y->rows, dim = at->dim;
    const int64_t later = y->wants_grad ? rows : 0; /* rows where a backward pass follows */
    size_t bytes = 0;

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

static size_t attentive_extra(const struct dgm_node *y)
{
    const struct dgm_ref nowhere = { NULL, 0 };
    struct dgm_bahdanau_parts parts;

    return dgm_bahdanau_lay_out(y, nowhere, &parts);
}

struct dgm_additive dgm_bahdanau_core(const struct dgm_bahdanau *at,
                                      const struct dgm_bahdanau_step *step)
{
    struct dgm_additive core;

    core.rows = step->count;
    core.dim = at->hidden;
    core.width = at->width;
    core.longest = at->memory.longest;
    core.ld_ctx = at->dim + at->width;
    return core;
}

struct dgm_gemm_args dgm_bahdanau_product(enum dgm_gemm_form form, struct dgm_ref c,
                                          struct dgm_ref a, struct dgm_ref b, int64_t m, int64_t n,
                                          int64_t k)
{
    struct dgm_gemm_args gemm;

    memset(&gemm, 0, sizeof gemm);
    gemm.form = form;
    gemm.c = c;
    gemm.a = a;
    gemm.b = b;
    gemm.m = m;
    gemm.n = gemm.ldc = n;
    gemm.k = k;
    gemm.lda = form == DGM_TN ? m : k;
    gemm.ldb = form == DGM_NT ? k : n;
    gemm.batch = 1;
    gemm.alpha = 1;
    return gemm;
}

/* ---- forward --------------------------------------------------------------------------------- */

/* One step of all rows that are still there. */
struct run {
    struct dgm_graph *g;
    struct dgm_node *y;
    const struct dgm_bahdanau *at;
    struct dgm_bahdanau_parts parts;
    struct dgm_bahdanau_step step;
};

static struct dgm_ref value(const struct run *run, int input)
{
    return run->y->in[input]->value;
}

/* Row `first` of this step in a matrix of `cols` columns. */
static struct dgm_ref here(const struct run *run, struct dgm_ref ref, int64_t cols)
{
    return dgm_bahdanau_at(ref, run->step.first, cols, 0);
}

static dgm_status gemm(const struct run *run, const struct dgm_gemm_args *args)
{
    return dgm_device_run(run->g->env, run->g->device, DGM_TASK_gemm, args);
}

/* The states that the step starts from, side by side, for the weights' gradient. */
static dgm_status copy_before(const struct run *run)
{
    const int64_t dim = run->at->dim, ldy = dim + run->at->width;
    struct dgm_copy_columns_args copy;

    memset(&copy, 0, sizeof copy);
    copy.y = here(run, run->parts.before, dim);
    copy.x = run->step.t > 0 ? dgm_bahdanau_at(run->y->value, run->step.last, ldy, 0)
                             : value(run, DGM_AT_START);
    copy.rows = run->step.count;
    copy.groups = 1;
    copy.width = copy.ldy = dim;
    copy.ldx = run->step.t > 0 ? ldy : dim;
    return dgm_device_run(run->g->env, run->g->device, DGM_TASK_copy_columns, &copy);
}

static dgm_status run_cell(const struct run *run, struct dgm_ref y, int64_t ldy,
                           struct dgm_ref saved, struct dgm_ref x, struct dgm_ref state)
{
    const int64_t dim = run->at->dim;
    struct dgm_gated_cell_forward_args cell;

    memset(&cell, 0, sizeof cell);
    cell.y = y;
    cell.saved = cell.h = here(run, saved, 4 * dim);
    cell.x = here(run, x, 3 * dim);
    cell.state = here(run, state, dim);
    cell.n = run->step.count;
    cell.dim = cell.lds = dim;
    cell.ldy = ldy;
    cell.ld_saved = cell.ldh = 4 * dim;
    cell.ldx = 3 * dim;
    cell.carry = 1;
    return dgm_device_run(run->g->env, run->g->device, DGM_TASK_gated_cell_forward, &cell);
}

/* The products of a state with the three recurrent matrices, to where a cell saves its gates. */
static dgm_status multiply_state(const struct run *run, struct dgm_ref saved, struct dgm_ref state,
                                 int weight, struct dgm_ref bias)
{
    const int64_t dim = run->at->dim;
    struct dgm_gemm_args args =
        dgm_bahdanau_product(DGM_NT, here(run, saved, 4 * dim), here(run, state, dim),
                             value(run, weight), run->step.count, 3 * dim, dim);

    args.ldc = 4 * dim;
    args.bias = bias;
    return gemm(run, &args);
}

static dgm_status first_cell(const struct run *run)
{
    const struct dgm_ref no_bias = { NULL, 0 };
    const struct dgm_bahdanau_parts *parts = &run->parts;
    const int64_t dim = run->at->dim;

    DGM_TRY(copy_before(run));
    DGM_TRY(multiply_state(run, parts->saved1, parts->before, DGM_AT_STATE1, no_bias));
    return run_cell(run, here(run, parts->middle, dim), dim, parts->saved1, value(run, DGM_AT_X),
                    parts->before);
}

static dgm_status attend(const struct run *run)
{
    const struct dgm_bahdanau *at = run->at;
    const struct dgm_bahdanau_parts *parts = &run->parts;
    const struct dgm_gemm_args args =
        dgm_bahdanau_product(DGM_NT, here(run, parts->q, at->hidden),
                             here(run, parts->middle, at->dim), value(run, DGM_AT_QUERY),
                             run->step.count, at->hidden, at->dim);
    struct dgm_additive_forward_args attention;

    DGM_TRY(gemm(run, &args));
    memset(&attention, 0, sizeof attention);
    attention.core = dgm_bahdanau_core(at, &run->step);
    attention.ctx = dgm_bahdanau_at(run->y->value, run->step.first, attention.core.ld_ctx, at->dim);
    attention.weights = here(run, parts->weights, at->memory.longest);
    attention.q = args.c;
    attention.keys = value(run, DGM_AT_KEYS);
    attention.values = value(run, DGM_AT_VALUES);
    attention.v = value(run, DGM_AT_V);
    attention.starts = at->memory.starts;
    attention.counts = at->memory.counts;
    return dgm_device_run(run->g->env, run->g->device, DGM_TASK_additive_forward, &attention);
}

static dgm_status second_cell(const struct run *run)
{
    const struct dgm_bahdanau_parts *parts = &run->parts;
    const int64_t dim = run->at->dim, width = run->at->width, ldy = dim + width;
    const struct dgm_ref y = here(run, run->y->value, ldy);
    struct dgm_gemm_args args =
        dgm_bahdanau_product(DGM_NT, here(run, parts->input2, 3 * dim),
                             dgm_bahdanau_at(y, 0, 0, dim), value(run, DGM_AT_CONTEXT),
                             run->step.count, 3 * dim, width);

    args.lda = ldy;
    DGM_TRY(gemm(run, &args));
    DGM_TRY(
        multiply_state(run, parts->saved2, parts->middle, DGM_AT_STATE2, value(run, DGM_AT_BIAS2)));
    return run_cell(run, y, ldy, parts->saved2, parts->input2, parts->middle);
}

static dgm_status attentive_forward(struct dgm_graph *g, struct dgm_node *y)
{
    struct run run;

    memset(&run, 0, sizeof run);
    run.g = g;
    run.y = y;
    run.at = y->attr;
    dgm_bahdanau_lay_out(y, y->extra, &run.parts);
    for (run.step.t = 0; run.step.t < run.at->steps.count; run.step.t++) {
        run.step.count = run.at->steps.active[run.step.t];
        DGM_TRY(first_cell(&run));
        DGM_TRY(attend(&run));
        DGM_TRY(second_cell(&run));
        run.step.last = run.step.first;
        run.step.first += run.step.count;
    }
    return DGM_OK;
}

const struct dgm_op dgm_op_bahdanau = { "attentive",
                                        DGM_KEEP_OUTPUT | 1u << DGM_AT_KEYS | 1u << DGM_AT_VALUES |
                                            1u << DGM_AT_STATE1 | 1u << DGM_AT_QUERY |
                                            1u << DGM_AT_V | 1u << DGM_AT_STATE2 |
                                            1u << DGM_AT_CONTEXT,
                                        -1,
                                        -1,
                                        DGM_NO_LOSS,
                                        attentive_extra,
                                        attentive_forward,
                                        dgm_bahdanau_backward,
                                        dgm_bahdanau_sample };

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

static int is(const struct dgm_node *node, int64_t rows, int64_t cols)
{
    return node->rows == rows && node->cols == cols;
}

static int weights_fit(struct dgm_node *const *in, const struct dgm_bahdanau *at)
{
    return is(in[DGM_AT_STATE1], 3 * at->dim, at->dim) &&
           is(in[DGM_AT_QUERY], at->hidden, at->dim) && is(in[DGM_AT_V], 1, at->hidden) &&
           is(in[DGM_AT_STATE2], 3 * at->dim, at->dim) && is(in[DGM_AT_BIAS2], 1, 3 * at->dim) &&
           is(in[DGM_AT_CONTEXT], 3 * at->dim, at->width);
}

struct dgm_node *dgm_bahdanau_gru(struct dgm_graph *g, const struct dgm_bahdanau_decoder *decoder)
{
    struct dgm_node *in[DGM_AT_INPUTS] = { decoder->x,      decoder->start,  decoder->keys,
                                           decoder->values, decoder->state1, decoder->query,
                                           decoder->v,      decoder->state2, decoder->bias2,
                                           decoder->context };
    struct dgm_bahdanau at;
    struct dgm_node *y;

    for (int i = 0; i < DGM_AT_INPUTS; i++)
        if (in[i] == NULL)
            return NULL;
    memset(&at, 0, sizeof at);
    at.dim = decoder->start->cols;
    at.hidden = decoder->keys->cols;
    at.width = decoder->values->cols;
    at.steps = decoder->steps;
    at.memory = decoder->memory;
    at.weights = decoder->weights;
    if (decoder->x->cols != 3 * at.dim || decoder->keys->rows != decoder->values->rows ||
        !steps_fit(&at.steps, decoder->start->rows, decoder->x->rows))
        return dgm_node_fail(g, "attentive", decoder->x, decoder->start,
                             "inputs (M,3d) of steps of falling sizes, a state for each sentence");
    if (!weights_fit(in, &at))
        return dgm_node_fail(g, "attentive", decoder->keys, decoder->values,
                             "weights (3d,d), (A,d), (1,A), (3d,d), (1,3d) and (3d,W)");
    y = dgm_node_new(g, &dgm_op_bahdanau, decoder->x->rows, at.dim + at.width, in, DGM_AT_INPUTS,
                     sizeof at);
    if (y != NULL)
        memcpy(y->attr, &at, sizeof at);
    return y;
}
