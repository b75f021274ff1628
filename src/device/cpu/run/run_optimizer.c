/*
 * run_optimizer.c: the steps of Adam and Adadelta on the CPU, in chunks of CHUNK elements, and the
 * sum of squares, which adds the sums of its chunks in order.
 */
#include "device/cpu/blocks.h"

#define CHUNK DGM_CPU_OPTIMIZER_BLOCK

static void adam_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                      int64_t end)
{
    const struct dgm_adam_job *job = work;

    kernels->math->adam(job->param + begin, job->m + begin, job->v + begin, job->grad + begin,
                        end - begin, job);
}

DGM_CPU_RUN_ROWS(adam, job.count, CHUNK, adam_rows)

static void adadelta_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                          int64_t end)
{
    const struct dgm_adadelta_job *job = work;

    kernels->math->adadelta(job->param + begin, job->squares + begin, job->steps + begin,
                            job->grad + begin, end - begin, job);
}

DGM_CPU_RUN_ROWS(adadelta, job.count, CHUNK, adadelta_rows)

/* ---- the sum of squares ------------------------------------------------------------------ */

struct squares {
    const dgm_real *x;
    double *sums; /* one for each chunk */
};

static void sum_squares_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                             int64_t end)
{
    const struct squares *squares = work;

    squares->sums[begin / CHUNK] = kernels->math->sum_squares(squares->x + begin, end - begin);
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
    dgm_cpu_run_rows(cpu, &work, job.count, CHUNK, sum_squares_rows);
    for (int64_t i = 0; i < chunks; i++)
        sum += work.sums[i];
    *job.y = sum;
    return DGM_OK;
}
