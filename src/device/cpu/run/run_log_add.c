/*
 * run_log_add.c: the sum of two probabilities given by their logarithms, on the CPU:
 * log(e^y + e^x) = larger + log(1 + e^(smaller - larger)), which neither overflows nor loses
 * small probabilities. One chunk is CHUNK elements, taken STRIP by STRIP.
 */
#include <math.h>

#include "device/cpu/cpu.h"

#define CHUNK 8192
#define STRIP 256

struct job {
    const struct dgm_math_kernels *math;
    int64_t count;
    dgm_real *y;
    const dgm_real *x;
};

/* Two impossible events differ by nothing, so that their sum stays impossible; NaN stays NaN. */
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

static void log_add_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t end = dgm_cpu_min(job->count, (chunk + 1) * CHUNK);

    (void)worker;
    for (int64_t i = chunk * CHUNK; i < end; i += STRIP)
        add_strip(job->math, job->y + i, job->x + i, dgm_cpu_min(STRIP, end - i));
}

dgm_status dgm_cpu_run_log_add(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_log_add_args *args = args_;
    struct job job;

    (void)env;
    job.math = cpu->kernels->math;
    job.count = args->count;
    job.y = dgm_cpu_at(args->y);
    job.x = dgm_cpu_at(args->x);
    dgm_pool_run(cpu->pool, log_add_chunk, &job, dgm_cpu_chunks(job.count, CHUNK));
    return DGM_OK;
}
