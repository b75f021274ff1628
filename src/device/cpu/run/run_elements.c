/*
 * run_elements.c: element-by-element tasks on the CPU, in chunks of CHUNK elements: fill, axpby,
 * the gradient of relu, activations, and sums of probabilities given by their logarithms.
 */
#include "device/cpu/blocks.h"
#include "device/cpu/open.h"

#define CHUNK 8192
#define STRIP 256 /* of log_add: as many as fit on the stack */

/* The elements of one chunk: `count` of them from `at` on. */
struct chunk {
    int64_t at, count;
};

static struct chunk chunk_of(const struct dgm_cpu_blocks *blocks, int64_t block)
{
    const int64_t at = block * blocks->step;

    return (struct chunk){ at, dgm_cpu_block_end(blocks, block) - at };
}

static void fill_chunk(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_fill_job *job = blocks->work;
    const struct chunk chunk = chunk_of(blocks, block);

    (void)worker;
    blocks->kernels->math->fill(job->y + chunk.at, job->value, chunk.count);
}

dgm_status dgm_cpu_run_fill(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_fill_job job = dgm_cpu_open_fill(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.count, CHUNK, fill_chunk);
    return DGM_OK;
}

static void axpby_chunk(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_axpby_job *job = blocks->work;
    const struct chunk chunk = chunk_of(blocks, block);

    (void)worker;
    blocks->kernels->math->axpby(job->y + chunk.at, job->a, job->x + chunk.at, job->b, chunk.count);
}

dgm_status dgm_cpu_run_axpby(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_axpby_job job = dgm_cpu_open_axpby(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.count, CHUNK, axpby_chunk);
    return DGM_OK;
}

static void relu_backward_chunk(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_relu_backward_job *job = blocks->work;
    const struct chunk chunk = chunk_of(blocks, block);

    (void)worker;
    blocks->kernels->math->relu_backward(job->dx + chunk.at, job->dy + chunk.at, job->y + chunk.at,
                                         chunk.count, job->accumulate);
}

dgm_status dgm_cpu_run_relu_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_relu_backward_job job = dgm_cpu_open_relu_backward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.count, CHUNK, relu_backward_chunk);
    return DGM_OK;
}

/* ---- activations ------------------------------------------------------------------------- */

static void activate_forward_chunk(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_activate_forward_job *job = blocks->work;
    const struct chunk chunk = chunk_of(blocks, block);
    const dgm_real *x = job->x + chunk.at;
    dgm_real *y = job->y + chunk.at;

    (void)worker;
    switch (job->kind) {
    case DGM_TANH: blocks->kernels->math->tanh(y, x, chunk.count); break;
    case DGM_LEAKY_RELU:
        for (int64_t i = 0; i < chunk.count; i++)
            y[i] = x[i] > 0 ? x[i] : job->slope * x[i];
        break;
    case DGM_SWISH:
    case DGM_GELU: blocks->kernels->math->self_gate(y, x, chunk.count, job->kind); break;
    }
}

dgm_status dgm_cpu_run_activate_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_activate_forward_job job = dgm_cpu_open_activate_forward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.count, CHUNK, activate_forward_chunk);
    return DGM_OK;
}

/* The slope of the activation whose output is y, which has the sign of its input. */
static dgm_real slope_at(const struct dgm_activate_backward_job *job, dgm_real y)
{
    if (job->kind == DGM_TANH)
        return 1 - y * y;
    return y > 0 ? 1 : job->slope;
}

static void activate_backward_chunk(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_activate_backward_job *job = blocks->work;
    const struct chunk chunk = chunk_of(blocks, block);
    const dgm_real *dy = job->dy + chunk.at, *v = job->v + chunk.at;
    dgm_real *dx = job->dx + chunk.at;

    (void)worker;
    if (job->kind == DGM_SWISH || job->kind == DGM_GELU) {
        blocks->kernels->math->self_gate_backward(dx, dy, v, chunk.count, job->kind,
                                                  job->accumulate);
        return;
    }
    for (int64_t i = 0; i < chunk.count; i++) {
        dgm_real d = dy[i] * slope_at(job, v[i]);

        dx[i] = job->accumulate ? dx[i] + d : d;
    }
}

dgm_status dgm_cpu_run_activate_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_activate_backward_job job = dgm_cpu_open_activate_backward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.count, CHUNK, activate_backward_chunk);
    return DGM_OK;
}

/* ---- sums of probabilities --------------------------------------------------------------- */

/*
 * log(e^y + e^x) = larger + log(1 + e^(smaller - larger)), which neither overflows nor loses small
 * probabilities. Two impossible events differ by nothing, so that their sum stays impossible; NaN
 * stays NaN.
 */
static void add_strip(const struct dgm_math_kernels *math, dgm_real *y, const dgm_real *x,
                      int64_t n)
{
    dgm_real rest[STRIP] = { 0 };
    int64_t i;

    for (i = 0; i < n; i++) {
        rest[i] = y[i] == x[i] ? 0 : y[i] > x[i] ? x[i] - y[i] : y[i] - x[i];
        y[i] = y[i] > x[i] ? y[i] : x[i];
    }
    math->exp(rest, rest, n);
    for (i = 0; i < n; i++)
        rest[i] += 1;
    math->log(rest, rest, n);
    math->add(y, y, rest, n);
}

static void log_add_chunk(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_log_add_job *job = blocks->work;
    const int64_t end = dgm_cpu_block_end(blocks, block);

    (void)worker;
    for (int64_t i = block * CHUNK; i < end; i += STRIP)
        add_strip(blocks->kernels->math, job->y + i, job->x + i, dgm_cpu_min(STRIP, end - i));
}

dgm_status dgm_cpu_run_log_add(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_log_add_job job = dgm_cpu_open_log_add(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.count, CHUNK, log_add_chunk);
    return DGM_OK;
}
