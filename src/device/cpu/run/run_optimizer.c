/*
 * run_optimizer.c: the steps of Adam and Adadelta on the CPU, in chunks of CHUNK elements, and the
 * sum of squares, which adds the sums of its chunks in order.
 */
#include "device/cpu/blocks.h"
#include "device/cpu/open.h"

#define CHUNK DGM_CPU_OPTIMIZER_BLOCK

static void adam_chunk(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_adam_job *job = blocks->work;
    const int64_t at = block * CHUNK, count = dgm_cpu_block_end(blocks, block) - at;

    (void)worker;
    blocks->kernels->math->adam(job->param + at, job->m + at, job->v + at, job->grad + at, count,
                                job);
}

dgm_status dgm_cpu_run_adam(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_adam_job job = dgm_cpu_open_adam(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.count, CHUNK, adam_chunk);
    return DGM_OK;
}

static void adadelta_chunk(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_adadelta_job *job = blocks->work;
    const int64_t at = block * CHUNK, count = dgm_cpu_block_end(blocks, block) - at;

    (void)worker;
    blocks->kernels->math->adadelta(job->param + at, job->squares + at, job->steps + at,
                                    job->grad + at, count, job);
}

dgm_status dgm_cpu_run_adadelta(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_adadelta_job job = dgm_cpu_open_adadelta(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.count, CHUNK, adadelta_chunk);
    return DGM_OK;
}

/* ---- the sum of squares ------------------------------------------------------------------ */

struct squares {
    const dgm_real *x;
    double *sums; /* one for each chunk */
};

static void sum_squares_chunk(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct squares *work = blocks->work;
    const int64_t at = block * CHUNK, count = dgm_cpu_block_end(blocks, block) - at;

    (void)worker;
    work->sums[block] = blocks->kernels->math->sum_squares(work->x + at, count);
}

dgm_status dgm_cpu_run_sum_squares(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_sum_squares_job job = dgm_cpu_open_sum_squares(args);
    const int64_t chunks = dgm_cpu_chunks(job.count, CHUNK);
    struct squares work = { job.x, NULL };
    double sum = 0;
    void *sums;

    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &sums, (size_t)chunks * sizeof(double)));
    work.sums = sums;
    dgm_cpu_run_rows(cpu, &work, job.count, CHUNK, sum_squares_chunk);
    for (int64_t i = 0; i < chunks; i++)
        sum += work.sums[i];
    *job.y = sum;
    return DGM_OK;
}
