/*
 * run_lstm.c: the LSTM on the CPU: both directions, step by step over all sequences that are long
 * enough, one matrix product for each direction and step, then the units of each sequence.
 *
 * `saved` is time-major: the rows of a step follow those of the step before, in each step the
 * longest sequences first. Row r of it, of the k-th longest sequence at step t, holds the gates of
 * both directions, c_t, and what that step starts from, keep h_{t-1}: so the rows of one step, and
 * those of all steps but the first, are plain matrices to multiply.
 */
#include "device/cpu/cpu.h"

/* Units in one chunk of a step, about. */
#define CHUNK_UNITS 2048

/* The parts of `saved`. */
struct saved {
    struct dgm_ref gates;  /* (N,8H) i f g o of both directions, turned into their gradients */
    struct dgm_ref c;      /* (N,2H) */
    struct dgm_ref before; /* (N,2H) keep h_{t-1} */
    struct dgm_ref keep;   /* (S,2H) dropout masks, with dropout; rows k of these three belong */
    struct dgm_ref dnext;  /* (S,2H) to the k-th longest: gradients of keep h_t */
    struct dgm_ref dc;     /* (S,2H) gradients of c_t, by way of c_{t+1} */
};

/* One step of both directions; `step` pairs of sequence and direction in each chunk. */
struct job {
    const struct dgm_lstm_kernels *kernels;
    const struct dgm_lstm *core;
    const int32_t *offsets, *order;
    dgm_real *gates, *c, *before, *keep, *dnext, *dc;
    dgm_real *y, *dgates;           /* rows as in the batch; dgates may be NULL */
    const dgm_real *inputs, *dy;
    int accumulate;
    int64_t t, active, later;       /* sequences at this step and at the next one */
    int64_t last, first, next;      /* rows of `saved`: where steps t - 1, t, t + 1 begin */
    int64_t step;
};

static struct dgm_ref take(struct dgm_ref *from, int64_t reals)
{
    struct dgm_ref part = *from;

    *from = dgm_ref_at(part, (size_t)reals * sizeof(dgm_real));
    return part;
}

static struct saved saved_parts(struct dgm_ref ref, const struct dgm_lstm *core)
{
    struct saved saved;

    saved.gates = take(&ref, core->rows * 8 * core->dim);
    saved.c = take(&ref, core->rows * 2 * core->dim);
    saved.before = take(&ref, core->rows * 2 * core->dim);
    saved.keep = take(&ref, core->sequences * 2 * core->dim);
    saved.dnext = take(&ref, core->sequences * 2 * core->dim);
    saved.dc = ref;
    return saved;
}

static struct job job_of(const struct dgm_cpu *cpu, const struct dgm_lstm *core,
                         const struct saved *saved, struct dgm_ref offsets, struct dgm_ref order)
{
    struct job job = { 0 };

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
    job.step = core->dim < CHUNK_UNITS ? CHUNK_UNITS / core->dim : 1;
    return job;
}

static int64_t active_at(const struct dgm_lstm *core, int64_t t)
{
    return t >= 0 && t < core->steps ? core->active[t] : 0;
}

/* Where step t stands, given the row at which it begins. */
static void set_step(struct job *job, int64_t t, int64_t first)
{
    job->t = t;
    job->active = active_at(job->core, t);
    job->later = active_at(job->core, t + 1);
    job->first = first;
    job->last = first - active_at(job->core, t - 1);
    job->next = first + job->active;
}

/* The row of the batch that the k-th longest sequence reads at this step. */
static int64_t batch_row(const struct job *job, int64_t k, int direction)
{
    const int32_t s = job->order[k];

    return direction == 0 ? job->offsets[s] + job->t : job->offsets[s + 1] - 1 - job->t;
}

static void run_step(const struct dgm_cpu *cpu, struct job *job, dgm_pool_fn *fn)
{
    dgm_pool_run(cpu->pool, fn, job, dgm_cpu_chunks(2 * job->active, job->step));
}

/* ---- forward --------------------------------------------------------------------------------- */

/* The masks of all sequences that are not empty. */
static void draw_masks(const struct dgm_cpu *cpu, const struct job *job, const int32_t *places)
{
    const int64_t width = 2 * job->core->dim;
    const struct dgm_drop *drop = &job->core->drop;
    int32_t place[2] = { 0, 0 };
    struct dgm_residual_rows work = { 0 };

    work.places = place;
    work.dim = width;
    work.mask = dgm_mask_make(drop->rate, drop->stream, drop->key);
    for (int64_t k = 0; k < active_at(job->core, 0); k++) {
        place[0] = places[2 * job->offsets[job->order[k]]];
        work.y = job->keep + k * width;
        work.r = work.y;
        cpu->kernels->math->fill(work.y, 1, width);
        cpu->kernels->rows->residual(&work, 0, 1);
    }
}

/* gates = keep h_{t-1} W^T for all sequences of a step. */
static dgm_status multiply_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                   const struct saved *saved, struct dgm_ref weight,
                                   const struct job *job)
{
    const int64_t dim = job->core->dim;
    struct dgm_gemm_args gemm = { 0 };

    gemm.c = dgm_ref_at(saved->gates, (size_t)(job->first * 8 * dim) * sizeof(dgm_real));
    gemm.a = dgm_ref_at(saved->before, (size_t)(job->first * 2 * dim) * sizeof(dgm_real));
    gemm.b = weight;
    gemm.form = DGM_NT;
    gemm.m = job->active;
    gemm.n = gemm.stride_c = 4 * dim;
    gemm.k = gemm.ldb = gemm.stride_a = dim;
    gemm.lda = 2 * dim;
    gemm.ldc = 8 * dim;
    gemm.batch = 2;
    gemm.stride_b = 4 * dim * dim;
    gemm.alpha = 1;
    return dgm_cpu_run_gemm(env, cpu, &gemm);
}

static void forward_unit(const struct job *job, int64_t k, int direction)
{
    const int64_t dim = job->core->dim, row = batch_row(job, k, direction);
    const int64_t column = direction * dim, at = (job->first + k) * 2 * dim + column;
    struct dgm_lstm_cell cell;

    cell.gates = job->gates + 4 * at;
    cell.input = job->inputs + row * 8 * dim + 4 * column;
    cell.before = job->t > 0 ? job->c + (job->last + k) * 2 * dim + column : NULL;
    cell.c = job->c + at;
    cell.h = job->y + row * 2 * dim + column;
    cell.next = k < job->later ? job->before + (job->next + k) * 2 * dim + column : NULL;
    cell.keep = job->keep ? job->keep + k * 2 * dim + column : NULL;
    job->kernels->forward(&cell, dim);
}

static void forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t end = dgm_cpu_min((chunk + 1) * job->step, 2 * job->active);

    (void)worker;
    for (int64_t i = chunk * job->step; i < end; i++)
        forward_unit(job, i / 2, (int)(i % 2));
}

dgm_status dgm_cpu_run_lstm_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_lstm_forward_args *args = args_;
    const struct saved saved = saved_parts(args->saved, &args->core);
    struct job job = job_of(cpu, &args->core, &saved, args->offsets, args->order);

    job.y = dgm_cpu_at(args->y);
    job.inputs = dgm_cpu_at(args->gates);
    if (job.keep)
        draw_masks(cpu, &job, dgm_cpu_at(args->places));
    for (int64_t t = 0; t < args->core.steps; t++) {
        set_step(&job, t, job.next);
        if (t > 0)
            DGM_TRY(multiply_forward(env, cpu, &saved, args->weight, &job));
        run_step(cpu, &job, forward_chunk);
    }
    assert(job.next == args->core.rows);
    return DGM_OK;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* dnext = dgates W: what the step before gets from this one. */
static dgm_status multiply_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                    const struct saved *saved, struct dgm_ref weight,
                                    const struct job *job)
{
    const int64_t dim = job->core->dim;
    struct dgm_gemm_args gemm = { 0 };

    gemm.c = saved->dnext;
    gemm.a = dgm_ref_at(saved->gates, (size_t)(job->first * 8 * dim) * sizeof(dgm_real));
    gemm.b = weight;
    gemm.form = DGM_NN;
    gemm.m = job->active;
    gemm.n = gemm.ldb = gemm.stride_c = dim;
    gemm.k = gemm.stride_a = 4 * dim;
    gemm.lda = 8 * dim;
    gemm.ldc = 2 * dim;
    gemm.batch = 2;
    gemm.stride_b = 4 * dim * dim;
    gemm.alpha = 1;
    return dgm_cpu_run_gemm(env, cpu, &gemm);
}

/* dW = dgates^T (keep h), over all rows that have a step before them. */
static dgm_status multiply_weight(struct dgm_env *env, struct dgm_cpu *cpu,
                                  const struct saved *saved,
                                  const struct dgm_lstm_backward_args *args)
{
    const int64_t dim = args->core.dim, first = active_at(&args->core, 0);
    struct dgm_gemm_args gemm = { 0 };

    gemm.c = args->dweight;
    gemm.a = dgm_ref_at(saved->gates, (size_t)(first * 8 * dim) * sizeof(dgm_real));
    gemm.b = dgm_ref_at(saved->before, (size_t)(first * 2 * dim) * sizeof(dgm_real));
    gemm.form = DGM_TN;
    gemm.m = gemm.stride_a = 4 * dim;
    gemm.n = gemm.ldc = gemm.stride_b = dim;
    gemm.k = args->core.rows - first;
    gemm.lda = 8 * dim;
    gemm.ldb = 2 * dim;
    gemm.batch = 2;
    gemm.stride_c = 4 * dim * dim;
    gemm.alpha = 1;
    gemm.beta = args->accumulate_weight ? 1 : 0;
    return dgm_cpu_run_gemm(env, cpu, &gemm);
}

static void backward_unit(const struct job *job, int64_t k, int direction)
{
    const int64_t dim = job->core->dim, row = batch_row(job, k, direction);
    const int64_t column = direction * dim, at = (job->first + k) * 2 * dim + column;
    struct dgm_lstm_grad grad;

    grad.gates = job->gates + 4 * at;
    grad.dinput = job->dgates ? job->dgates + row * 8 * dim + 4 * column : NULL;
    grad.before = job->t > 0 ? job->c + (job->last + k) * 2 * dim + column : NULL;
    grad.c = job->c + at;
    grad.dh = job->dy + row * 2 * dim + column;
    grad.dnext = k < job->later ? job->dnext + k * 2 * dim + column : NULL;
    grad.keep = job->keep ? job->keep + k * 2 * dim + column : NULL;
    grad.dc = job->dc + k * 2 * dim + column;
    grad.accumulate = job->accumulate;
    job->kernels->backward(&grad, dim);
}

static void backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t end = dgm_cpu_min((chunk + 1) * job->step, 2 * job->active);

    (void)worker;
    for (int64_t i = chunk * job->step; i < end; i++)
        backward_unit(job, i / 2, (int)(i % 2));
}

dgm_status dgm_cpu_run_lstm_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                     const void *args_)
{
    const struct dgm_lstm_backward_args *args = args_;
    const struct saved saved = saved_parts(args->saved, &args->core);
    struct job job = job_of(cpu, &args->core, &saved, args->offsets, args->order);

    job.dy = dgm_cpu_at(args->dy);
    job.dgates = dgm_cpu_at(args->dgates);
    job.accumulate = args->accumulate_gates;
    job.first = args->core.rows;
    for (int64_t t = args->core.steps; t-- > 0;) {
        set_step(&job, t, job.first - active_at(&args->core, t));
        run_step(cpu, &job, backward_chunk);
        if (t > 0)
            DGM_TRY(multiply_backward(env, cpu, &saved, args->weight, &job));
    }
    if (args->dweight.buffer)
        DGM_TRY(multiply_weight(env, cpu, &saved, args));
    return DGM_OK;
}
