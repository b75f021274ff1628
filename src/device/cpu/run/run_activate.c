/*
 * run_activate.c: tanh and leaky ReLU on the CPU, element by element in chunks of CHUNK elements.
 */
#include "device/cpu/cpu.h"

#define CHUNK 8192

struct job {
    const struct dgm_math_kernels *math;
    const void *args;
    int64_t count;
};

static int64_t chunk_size(const struct job *job, int64_t at)
{
    return dgm_cpu_min(CHUNK, job->count - at);
}

static void forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_activate_forward_args *args = job->args;
    const int64_t at = chunk * CHUNK, count = chunk_size(job, at);
    const dgm_real *x = (const dgm_real *)dgm_cpu_at(args->x) + at;
    dgm_real *y = (dgm_real *)dgm_cpu_at(args->y) + at;

    (void)worker;
    if (args->kind == DGM_TANH) {
        job->math->tanh(y, x, count);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        y[i] = x[i] > 0 ? x[i] : args->slope * x[i];
}

dgm_status dgm_cpu_run_activate_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_activate_forward_args *args = args_;
    struct job job = { cpu->kernels->math, args, args->count };

    (void)env;
    dgm_pool_run(cpu->pool, forward_chunk, &job, dgm_cpu_chunks(args->count, CHUNK));
    return DGM_OK;
}

/* The slope of the activation whose output is y, which has the sign of its input. */
static dgm_real slope_at(const struct dgm_activate_backward_args *args, dgm_real y)
{
    if (args->kind == DGM_TANH)
        return 1 - y * y;
    return y > 0 ? 1 : args->slope;
}

static void backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_activate_backward_args *args = job->args;
    const int64_t at = chunk * CHUNK, count = chunk_size(job, at);
    const dgm_real *dy = (const dgm_real *)dgm_cpu_at(args->dy) + at;
    const dgm_real *y = (const dgm_real *)dgm_cpu_at(args->y) + at;
    dgm_real *dx = (dgm_real *)dgm_cpu_at(args->dx) + at;

    (void)worker;
    for (int64_t i = 0; i < count; i++) {
        dgm_real d = dy[i] * slope_at(args, y[i]);

        dx[i] = args->accumulate ? dx[i] + d : d;
    }
}

dgm_status dgm_cpu_run_activate_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_activate_backward_args *args = args_;
    struct job job = { cpu->kernels->math, args, args->count };

    (void)env;
    dgm_pool_run(cpu->pool, backward_chunk, &job, dgm_cpu_chunks(args->count, CHUNK));
    return DGM_OK;
}
