/*
 * run_lstm.c: the LSTM on the CPU: both directions, step by step over all sequences that are long
 * enough, one matrix product for each direction and step, then the units of each sequence.
 */
#include "device/cpu/cpu.h"
#include "device/lstm.h"

/* Units in one chunk of a step, about. */
#define CHUNK_UNITS 2048

/* One step of both directions; `step` pairs of sequence and direction in each chunk. */
struct job {
    const struct dgm_lstm_kernels *kernels;
    const struct dgm_lstm *core;
    const int32_t *offsets, *order;
    dgm_real *gates, *c, *before, *keep, *dnext, *dc;
    dgm_real *y, *dgates; /* rows as in the batch; dgates may be NULL */
    const dgm_real *inputs, *dy;
    int accumulate;
    struct dgm_lstm_step at;
    int64_t step;
};

static struct job job_of(const struct dgm_cpu *cpu, const struct dgm_lstm *core,
                         const struct dgm_lstm_parts *saved, struct dgm_ref offsets,
                         struct dgm_ref order)
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

/* The row of the batch that the k-th longest sequence reads at this step. */
static int64_t batch_row(const struct job *job, int64_t k, int direction)
{
    const int32_t s = job->order[k];

    return direction == 0 ? job->offsets[s] + job->at.t : job->offsets[s + 1] - 1 - job->at.t;
}

static void run_step(const struct dgm_cpu *cpu, struct job *job, dgm_pool_fn *fn)
{
    dgm_pool_run(cpu->pool, fn, job, dgm_cpu_chunks(2 * job->at.active, job->step));
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
        place[0] = places[2 * job->offsets[job->order[k]]];
        work.y = job->keep + k * width;
        work.r = work.y;
        cpu->kernels->math->fill(work.y, 1, width);
        cpu->kernels->rows->residual(&work, 0, 1);
    }
}

static void forward_unit(const struct job *job, int64_t k, int direction)
{
    const int64_t dim = job->core->dim, row = batch_row(job, k, direction);
    const int64_t column = direction * dim, at = (job->at.first + k) * 2 * dim + column;
    struct dgm_lstm_cell cell;

    cell.gates = job->gates + 4 * at;
    cell.input = job->inputs + row * 8 * dim + 4 * column;
    cell.before = job->at.t > 0 ? job->c + (job->at.last + k) * 2 * dim + column : NULL;
    cell.c = job->c + at;
    cell.h = job->y + row * 2 * dim + column;
    cell.next = k < job->at.later ? job->before + (job->at.next + k) * 2 * dim + column : NULL;
    cell.keep = job->keep ? job->keep + k * 2 * dim + column : NULL;
    job->kernels->forward(&cell, dim);
}

static void forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t end = dgm_cpu_min((chunk + 1) * job->step, 2 * job->at.active);

    (void)worker;
    for (int64_t i = chunk * job->step; i < end; i++)
        forward_unit(job, i / 2, (int)(i % 2));
}

dgm_status dgm_cpu_run_lstm_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_lstm_forward_args *args = args_;
    const struct dgm_lstm_parts saved = dgm_lstm_parts(args->saved, &args->core);
    struct dgm_gemm_args gemm;
    struct job job = job_of(cpu, &args->core, &saved, args->offsets, args->order);

    job.y = dgm_cpu_at(args->y);
    job.inputs = dgm_cpu_at(args->gates);
    if (job.keep)
        draw_masks(cpu, &job, dgm_cpu_at(args->places));
    for (int64_t t = 0; t < args->core.steps; t++) {
        job.at = dgm_lstm_step(&args->core, t, job.at.next);
        gemm = dgm_lstm_gates_product(&args->core, &saved, args->weight, &job.at);
        if (t > 0)
            DGM_TRY(dgm_cpu_run_gemm(env, cpu, &gemm));
        run_step(cpu, &job, forward_chunk);
    }
    assert(job.at.next == args->core.rows);
    return DGM_OK;
}

/* ---- backward ---------------------------------------------------------------------------- */

static void backward_unit(const struct job *job, int64_t k, int direction)
{
    const int64_t dim = job->core->dim, row = batch_row(job, k, direction);
    const int64_t column = direction * dim, at = (job->at.first + k) * 2 * dim + column;
    struct dgm_lstm_grad grad;

    grad.gates = job->gates + 4 * at;
    grad.dinput = job->dgates ? job->dgates + row * 8 * dim + 4 * column : NULL;
    grad.before = job->at.t > 0 ? job->c + (job->at.last + k) * 2 * dim + column : NULL;
    grad.c = job->c + at;
    grad.dh = job->dy + row * 2 * dim + column;
    grad.dnext = k < job->at.later ? job->dnext + k * 2 * dim + column : NULL;
    grad.keep = job->keep ? job->keep + k * 2 * dim + column : NULL;
    grad.dc = job->dc + k * 2 * dim + column;
    grad.accumulate = job->accumulate;
    job->kernels->backward(&grad, dim);
}

static void backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t end = dgm_cpu_min((chunk + 1) * job->step, 2 * job->at.active);

    (void)worker;
    for (int64_t i = chunk * job->step; i < end; i++)
        backward_unit(job, i / 2, (int)(i % 2));
}

dgm_status dgm_cpu_run_lstm_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_lstm_backward_args *args = args_;
    const struct dgm_lstm_parts saved = dgm_lstm_parts(args->saved, &args->core);
    struct dgm_gemm_args gemm;
    struct job job = job_of(cpu, &args->core, &saved, args->offsets, args->order);

    job.dy = dgm_cpu_at(args->dy);
    job.dgates = dgm_cpu_at(args->dgates);
    job.accumulate = args->accumulate_gates;
    job.at.first = args->core.rows;
    for (int64_t t = args->core.steps; t-- > 0;) {
        job.at = dgm_lstm_step(&args->core, t, job.at.first - dgm_lstm_active(&args->core, t));
        run_step(cpu, &job, backward_chunk);
        gemm = dgm_lstm_next_product(&args->core, &saved, args->weight, &job.at);
        if (t > 0)
            DGM_TRY(dgm_cpu_run_gemm(env, cpu, &gemm));
    }
    gemm = dgm_lstm_weight_product(args, &saved);
    return args->dweight.buffer ? dgm_cpu_run_gemm(env, cpu, &gemm) : DGM_OK;
}
