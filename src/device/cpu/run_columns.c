/*
 * run_columns.c: copies of blocks of columns on the CPU. A chunk is some rows of about CHUNK
 * elements.
 */
#include <string.h>

#include "device/cpu/cpu.h"

#define CHUNK 16384

struct job {
    const struct dgm_copy_columns_args *args;
    const struct dgm_math_kernels *math;
    int64_t step; /* rows in a chunk */
};

static void copy_columns_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_copy_columns_args *args = job->args;
    const int64_t end = dgm_cpu_min(args->rows, (chunk + 1) * job->step), width = args->width;

    (void)worker;
    for (int64_t i = chunk * job->step; i < end; i++) {
        const dgm_real *x = (const dgm_real *)dgm_cpu_at(args->x) + i * args->ldx;
        dgm_real *y = (dgm_real *)dgm_cpu_at(args->y) + i * args->ldy;

        for (int64_t group = 0; group < args->groups; group++) {
            if (args->accumulate)
                job->math->add(y, y, x, width);
            else
                memcpy(y, x, (size_t)width * sizeof *y);
            x += args->step_x;
            y += args->step_y;
        }
    }
}

dgm_status dgm_cpu_run_copy_columns(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_copy_columns_args *args = args_;
    const int64_t row = args->groups * args->width;
    struct job job = { args, cpu->kernels->math, 1 };

    (void)env;
    if (row <= 0)
        return DGM_OK;
    if (row < CHUNK)
        job.step = CHUNK / row;
    dgm_pool_run(cpu->pool, copy_columns_chunk, &job, dgm_cpu_chunks(args->rows, job.step));
    return DGM_OK;
}
