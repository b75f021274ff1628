/*
 * run_math.c: element-by-element tasks on the CPU, in chunks of CHUNK elements: fill, axpby,
 * relu_backward, adam, adadelta, and the sum of squares, which adds the sums of its chunks in
 * order.
 */
#include "base/mem.h"
#include "device/cpu/cpu.h"

#define CHUNK 8192

/* What the chunks of one task share; which fields are used depends on the task. */
struct job {
    const struct dgm_math_kernels *math;
    int64_t count;
    const void *args;
    dgm_real *y;
    const dgm_real *a, *b;
    dgm_real *m, *v;           /* adam, adadelta */
    struct dgm_adam_step step; /* adam */
    struct dgm_adadelta_step adadelta;
    double *sums; /* sum_squares: one per chunk */
};

static int64_t chunk_size(const struct job *job, int64_t chunk)
{
    return dgm_cpu_min(CHUNK, job->count - chunk * CHUNK);
}

static dgm_status run(struct dgm_cpu *cpu, struct job *job, dgm_pool_fn *fn)
{
    dgm_pool_run(cpu->pool, fn, job, dgm_cpu_chunks(job->count, CHUNK));
    return DGM_OK;
}

static struct job job_of(const struct dgm_cpu *cpu, int64_t count, const void *args)
{
    static const struct job none;
    struct job job = none;

    job.math = cpu->kernels->math;
    job.count = count;
    job.args = args;
    return job;
}

static void fill_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_fill_args *args = job->args;

    (void)worker;
    job->math->fill(job->y + chunk * CHUNK, args->value, chunk_size(job, chunk));
}

dgm_status dgm_cpu_run_fill(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_fill_args *args = args_;
    struct job job = job_of(cpu, args->count, args);

    (void)env;
    job.y = dgm_cpu_at(args->y);
    return run(cpu, &job, fill_chunk);
}

static void axpby_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_axpby_args *args = job->args;

    (void)worker;
    job->math->axpby(job->y + chunk * CHUNK, args->a, job->a + chunk * CHUNK, args->b,
                     chunk_size(job, chunk));
}

dgm_status dgm_cpu_run_axpby(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_axpby_args *args = args_;
    struct job job = job_of(cpu, args->count, args);

    (void)env;
    job.y = dgm_cpu_at(args->y);
    job.a = dgm_cpu_at(args->x);
    return run(cpu, &job, axpby_chunk);
}

static void relu_backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_relu_backward_args *args = job->args;
    const int64_t at = chunk * CHUNK;

    (void)worker;
    job->math->relu_backward(job->y + at, job->a + at, job->b + at, chunk_size(job, chunk),
                             args->accumulate);
}

dgm_status dgm_cpu_run_relu_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_relu_backward_args *args = args_;
    struct job job = job_of(cpu, args->count, args);

    (void)env;
    job.y = dgm_cpu_at(args->dx);
    job.a = dgm_cpu_at(args->dy);
    job.b = dgm_cpu_at(args->y);
    return run(cpu, &job, relu_backward_chunk);
}

static void adam_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t at = chunk * CHUNK;

    (void)worker;
    job->math->adam(job->y + at, job->m + at, job->v + at, job->a + at, chunk_size(job, chunk),
                    &job->step);
}

dgm_status dgm_cpu_run_adam(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_adam_args *args = args_;
    struct job job = job_of(cpu, args->count, args);

    (void)env;
    job.y = dgm_cpu_at(args->param);
    job.m = dgm_cpu_at(args->m);
    job.v = dgm_cpu_at(args->v);
    job.a = dgm_cpu_at(args->grad);
    job.step.rate = args->rate;
    job.step.step_size = args->step_size;
    job.step.beta1 = args->beta1;
    job.step.beta2 = args->beta2;
    job.step.eps = args->eps;
    job.step.weight_decay = args->weight_decay;
    job.step.grad_scale = args->grad_scale;
    return run(cpu, &job, adam_chunk);
}

static void adadelta_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t at = chunk * CHUNK;

    (void)worker;
    job->math->adadelta(job->y + at, job->m + at, job->v + at, job->a + at, chunk_size(job, chunk),
                        &job->adadelta);
}

dgm_status dgm_cpu_run_adadelta(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_adadelta_args *args = args_;
    struct job job = job_of(cpu, args->count, args);

    (void)env;
    job.y = dgm_cpu_at(args->param);
    job.m = dgm_cpu_at(args->squares);
    job.v = dgm_cpu_at(args->steps);
    job.a = dgm_cpu_at(args->grad);
    job.adadelta.rho = args->rho;
    job.adadelta.eps = args->eps;
    job.adadelta.grad_scale = args->grad_scale;
    return run(cpu, &job, adadelta_chunk);
}

static void sum_squares_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->sums[chunk] = job->math->sum_squares(job->a + chunk * CHUNK, chunk_size(job, chunk));
}

dgm_status dgm_cpu_run_sum_squares(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_sum_squares_args *args = args_;
    struct job job = job_of(cpu, args->count, args);
    const int64_t chunks = dgm_cpu_chunks(args->count, CHUNK);
    double sum = 0, *y = dgm_cpu_at(args->y);
    void *sums;

    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &sums, (size_t)chunks * sizeof(double)));
    job.sums = sums;
    job.a = dgm_cpu_at(args->x);
    run(cpu, &job, sum_squares_chunk);
    for (int64_t i = 0; i < chunks; i++)
        sum += job.sums[i];
    *y = sum;
    return DGM_OK;
}
