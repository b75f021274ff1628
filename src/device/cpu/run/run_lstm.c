/*
 * run_lstm.c: the LSTM on the CPU. Both directions, and sequences in them, know nothing of each
 * other: each chunk of work takes a group of sequences in one direction through all steps, one
 * matrix product and the units of each sequence at a time, and threads never wait for each other
 * between steps. The recurrent matrices are copied into panels once, before; in fewer bits they are
 * panels already.
 */
#include "device/cpu/panels.h"
#include "device/cpu/run/run_weights.h"
#include "device/lstm.h"

/* The longest sequences of a group are at least so many, while there are threads for more groups:
 * fewer rows would read the matrix too often. */
#define LEAST_GROUP 28

/* The k-th longest sequences, first <= k < end, in one direction; at step `at`. */
struct group {
    int64_t first, end;
    int direction;
    struct dgm_lstm_step at;
};

/* A pass; rows of `y` and `dgates` are as in the batch. */
struct job {
    const struct dgm_cpu *cpu;
    const struct dgm_lstm_kernels *kernels;
    const struct dgm_lstm *core;
    const int32_t *offsets, *order;
    dgm_real *gates, *c, *before, *keep, *dnext, *dc;
    dgm_real *y, *dgates; /* dgates may be NULL */
    const dgm_real *inputs, *dy, *weight;
    int accumulate;
    int forgets;           /* the rows of a step take the place of those of an earlier one */
    struct dgm_ref narrow; /* the recurrent matrices, where they are weights in fewer bits */
    enum dgm_gemm_form form;
    struct dgm_cpu_panels panels[2]; /* the recurrent matrix of each direction */
    int64_t groups;                  /* of each direction */
};

static struct job job_of(const struct dgm_cpu *cpu, const struct dgm_lstm *core,
                         const struct dgm_lstm_parts *saved, struct dgm_ref offsets,
                         struct dgm_ref order)
{
    struct job job = { 0 };

    job.cpu = cpu;
    job.kernels = cpu->kernels->lstm;
    job.core = core;
    job.offsets = dgm_cpu_at(offsets);
    job.order = dgm_cpu_at(order);
    job.gates = dgm_cpu_at(saved->gates);
    job.c = dgm_cpu_at(saved->c);
    job.before = dgm_cpu_at(saved->before);
    job.keep = core->drop.rate > 0 ? dgm_cpu_at(saved->keep) : NULL;
    job.dnext = dgm_cpu_at(saved->dnext);
    job.dc = dgm_cpu_at(saved->dc);
    return job;
}

/* ---- the recurrent matrices ---------------------------------------------------------------- */

static void copy_panel(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t dim = job->core->dim, each = dgm_cpu_panels_count(job->cpu, &job->panels[0]);
    const int64_t direction = chunk / each;

    (void)worker;
    dgm_cpu_panels_copy(job->cpu, &job->panels[direction], chunk % each, job->form,
                        job->weight + direction * 4 * dim * dim, dim);
}

/* Panels of op(W) (k,n) of both directions, in shared scratch memory. W is (4H,H) in each. */
static dgm_status copy_weights(struct dgm_env *env, struct dgm_cpu *cpu, struct job *job,
                               enum dgm_gemm_form form, int64_t n, int64_t k)
{
    const int64_t reals = dgm_cpu_panels_reals(cpu, n, k);
    void *memory;

    /* The only product is from one step to the next. */
    if (job->core->steps < 2)
        return DGM_OK;
    DGM_TRY(dgm_cpu_reserve(env, cpu, dgm_cpu_panels_bytes(cpu)));
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &memory, (size_t)(2 * reals) * sizeof(dgm_real)));
    job->form = form;
    for (int direction = 0; direction < 2; direction++) {
        job->panels[direction].data = (dgm_real *)memory + direction * reals;
        job->panels[direction].n = n;
        job->panels[direction].k = k;
    }
    dgm_pool_run(cpu->pool, copy_panel, job, 2 * dgm_cpu_panels_count(cpu, &job->panels[0]));
    return DGM_OK;
}

/* Matrices in fewer bits are read as they lie. */
static dgm_status open_narrow(struct dgm_env *env, struct dgm_cpu *cpu, struct job *job,
                              struct dgm_ref weight)
{
    const int64_t dim = job->core->dim;

    DGM_TRY(dgm_cpu_check_recurrent(env, weight, 8 * dim, dim));
    job->narrow = weight;
    return dgm_cpu_reserve(env, cpu,
                           dgm_cpu_product_narrow_bytes(cpu, weight,
                                                        dgm_lstm_active(job->core, 0)));
}

/* ---- groups -------------------------------------------------------------------------------- */

/* Rows of the group at its step. */
static int64_t group_rows(const struct group *group)
{
    return dgm_cpu_min(group->end, group->at.active) - group->first;
}

/* Group `chunk` of both directions. Where there are several, each has its share of sequences. */
static struct group group_of(const struct job *job, int64_t chunk)
{
    const int64_t sequences = dgm_lstm_active(job->core, 0), number = chunk / 2;
    struct group group = { 0 };

    group.direction = (int)(chunk % 2);
    group.first = sequences * number / job->groups;
    group.end = sequences * (number + 1) / job->groups;
    return group;
}

/* As many groups as threads can be busy with; a result does not depend on it. */
static void run_groups(struct dgm_cpu *cpu, struct job *job, dgm_pool_fn *fn)
{
    const int64_t most = dgm_lstm_active(job->core, 0) / LEAST_GROUP;

    /* Each direction has half the threads. */
    job->groups = dgm_cpu_min(dgm_cpu_chunks(cpu->threads, 2), most > 0 ? most : 1);
    dgm_pool_run(cpu->pool, fn, job, 2 * job->groups);
}

/* The row of the batch that the k-th longest sequence reads at this step. */
static int64_t batch_row(const struct job *job, const struct group *group, int64_t k)
{
    const int32_t s = job->order[k];

    return group->direction == 0 ? job->offsets[s] + group->at.t
                                 : job->offsets[s + 1] - 1 - group->at.t;
}

/* ---- forward ----------------------------------------------------------------------------- */

/* The masks of all sequences that are not empty. */
static void draw_masks(const struct dgm_cpu *cpu, const struct job *job, const int32_t *places)
{
    const int64_t width = 2 * job->core->dim;
    const struct dgm_drop *drop = &job->core->drop;
    int32_t place[2] = { 0, 0 };
    struct dgm_residual_forward_job work = { 0 };

    work.places = place;
    work.dim = width;
    work.mask = dgm_mask_make(drop->rate, drop->stream, drop->key);
    for (int64_t k = 0; k < dgm_lstm_active(job->core, 0); k++) {
        /* One mask for all steps of a sentence: position 0. */
        place[0] = places[2 * job->offsets[job->order[k]]];
        work.y = job->keep + k * width;
        work.r = work.y;
        cpu->kernels->math->fill(work.y, 1, width);
        cpu->kernels->rows->residual(&work, 0, 1);
    }
}

/* Step t; its rows begin at `first`, or where those of step t - 2 did. */
static struct dgm_lstm_step forward_step(const struct job *job, int64_t t, int64_t first)
{
    const int64_t sequences = dgm_lstm_active(job->core, 0);
    struct dgm_lstm_step step =
        dgm_lstm_step(job->core, t, job->forgets ? t % 2 * sequences : first);

    /* Two sets of rows, used in turn: step t reads those of t - 1 and overwrites those of t - 2. */
    if (job->forgets)
        step.last = step.next = sequences - step.first;
    return step;
}

/* The gates of the k-th longest sequence at the group's step, in its direction. */
static dgm_real *gates_at(const struct job *job, const struct group *group, int64_t k)
{
    const int64_t row = (job->forgets ? 0 : group->at.first) + k, dim = job->core->dim;

    return job->gates + row * 8 * dim + group->direction * 4 * dim;
}

/* The same with weights in fewer bits. */
static void narrow_product(const struct job *job, const struct group *group, int worker,
                           const struct dgm_cpu_panels_product *product)
{
    const int64_t dim = job->core->dim;
    struct dgm_gemm_args gemm = { .form = DGM_NT, .m = product->m, .n = 4 * dim, .k = dim };

    gemm.b = dgm_ref_at(job->narrow, (size_t)(group->direction * 4 * dim * dim) * sizeof(dgm_real));
    gemm.lda = product->lda;
    gemm.ldc = product->ldc;
    gemm.ldb = dim;
    gemm.alpha = 1;
    dgm_cpu_product_narrow(job->cpu, worker, &gemm, product->c, product->a);
}

/* gates = keep h_{t-1} W^T of the group's rows. */
static void forward_product(const struct job *job, const struct group *group, int worker)
{
    const int64_t dim = job->core->dim;
    const int64_t at = (group->at.first + group->first) * 2 * dim + group->direction * dim;
    struct dgm_cpu_panels_product product;

    product.c = gates_at(job, group, group->first);
    product.a = job->before + at;
    product.ldc = 8 * dim;
    product.lda = 2 * dim;
    product.m = group_rows(group);
    if (job->narrow.buffer)
        narrow_product(job, group, worker, &product);
    else
        dgm_cpu_panels_multiply(job->cpu, worker, &job->panels[group->direction], &product);
}

static void forward_unit(const struct job *job, const struct group *group, int64_t k)
{
    const int64_t dim = job->core->dim, row = batch_row(job, group, k);
    const int64_t column = group->direction * dim;
    const struct dgm_lstm_step *step = &group->at;
    const int64_t at = (step->first + k) * 2 * dim + column;
    struct dgm_lstm_cell cell;

    cell.gates = gates_at(job, group, k);
    cell.input = job->inputs + row * 8 * dim + 4 * column;
    cell.before = step->t > 0 ? job->c + (step->last + k) * 2 * dim + column : NULL;
    cell.c = job->c + at;
    cell.h = job->y + row * 2 * dim + column;
    cell.next = k < step->later ? job->before + (step->next + k) * 2 * dim + column : NULL;
    cell.keep = job->keep ? job->keep + k * 2 * dim + column : NULL;
    cell.ahead = k + 1 < group->first + group_rows(group)
                     ? job->inputs + batch_row(job, group, k + 1) * 8 * dim + 4 * column
                     : NULL;
    job->kernels->forward(&cell, dim);
}

static void forward_group(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    struct group group = group_of(job, chunk);

    for (int64_t t = 0; t < job->core->steps; t++) {
        group.at = forward_step(job, t, group.at.next);
        if (group_rows(&group) <= 0)
            return;
        if (t > 0)
            forward_product(job, &group, worker);
        for (int64_t k = group.first; k < group.first + group_rows(&group); k++)
            forward_unit(job, &group, k);
    }
}

dgm_status dgm_cpu_run_lstm_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_lstm_forward_args *args = args_;
    const struct dgm_lstm_parts saved = dgm_lstm_parts(args->saved, &args->core);
    const int64_t dim = args->core.dim;
    struct job job = job_of(cpu, &args->core, &saved, args->offsets, args->order);

    job.y = dgm_cpu_at(args->y);
    job.inputs = dgm_cpu_at(args->gates);
    job.weight = dgm_cpu_at(args->weight);
    job.forgets = args->forgets;
    if (job.keep)
        draw_masks(cpu, &job, dgm_cpu_at(args->places));
    if (dgm_cpu_weights(args->weight))
        DGM_TRY(open_narrow(env, cpu, &job, args->weight));
    else
        DGM_TRY(copy_weights(env, cpu, &job, DGM_NT, 4 * dim, dim));
    run_groups(cpu, &job, forward_group);
    return DGM_OK;
}

/* ---- backward ---------------------------------------------------------------------------- */

/* dnext = dgates W of the group's rows: what the step before gets from this one. */
static void backward_product(const struct job *job, const struct group *group, int worker)
{
    const int64_t dim = job->core->dim, column = group->direction * dim;
    struct dgm_cpu_panels_product product;

    product.c = job->dnext + group->first * 2 * dim + column;
    product.a = job->gates + (group->at.first + group->first) * 8 * dim + 4 * column;
    product.ldc = 2 * dim;
    product.lda = 8 * dim;
    product.m = group_rows(group);
    dgm_cpu_panels_multiply(job->cpu, worker, &job->panels[group->direction], &product);
}

static void backward_unit(const struct job *job, const struct group *group, int64_t k)
{
    const int64_t dim = job->core->dim, row = batch_row(job, group, k);
    const int64_t column = group->direction * dim;
    const struct dgm_lstm_step *step = &group->at;
    const int64_t at = (step->first + k) * 2 * dim + column;
    struct dgm_lstm_grad grad;

    grad.gates = job->gates + 4 * at;
    grad.dinput = job->dgates ? job->dgates + row * 8 * dim + 4 * column : NULL;
    grad.before = step->t > 0 ? job->c + (step->last + k) * 2 * dim + column : NULL;
    grad.c = job->c + at;
    grad.dh = job->dy + row * 2 * dim + column;
    grad.dnext = k < step->later ? job->dnext + k * 2 * dim + column : NULL;
    grad.keep = job->keep ? job->keep + k * 2 * dim + column : NULL;
    grad.dc = job->dc + k * 2 * dim + column;
    grad.accumulate = job->accumulate;
    job->kernels->backward(&grad, dim);
}

static void backward_group(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    struct group group = group_of(job, chunk);

    /* Steps lie in order of time; walking back, each begins `active` rows before the one after
     * it. */
    group.at.first = job->core->rows;
    for (int64_t t = job->core->steps; t-- > 0;) {
        group.at = dgm_lstm_step(job->core, t, group.at.first - dgm_lstm_active(job->core, t));
        for (int64_t k = group.first; k < group.first + group_rows(&group); k++)
            backward_unit(job, &group, k);
        if (t > 0 && group_rows(&group) > 0)
            backward_product(job, &group, worker);
    }
}

dgm_status dgm_cpu_run_lstm_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_lstm_backward_args *args = args_;
    const struct dgm_lstm_parts saved = dgm_lstm_parts(args->saved, &args->core);
    const int64_t dim = args->core.dim;
    struct dgm_gemm_args gemm;
    struct job job = job_of(cpu, &args->core, &saved, args->offsets, args->order);

    job.dy = dgm_cpu_at(args->dy);
    job.dgates = dgm_cpu_at(args->dgates);
    job.weight = dgm_cpu_at(args->weight);
    job.accumulate = args->accumulate_gates;
    DGM_TRY(copy_weights(env, cpu, &job, DGM_NN, dim, 4 * dim));
    run_groups(cpu, &job, backward_group);
    gemm = dgm_lstm_weight_product(args, &saved);
    return args->dweight.buffer ? dgm_cpu_run_gemm(env, cpu, &gemm) : DGM_OK;
}
