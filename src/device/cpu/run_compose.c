/*
 * run_compose.c: composition of constituents on the CPU. Chunks are blocks of rows of about CHUNK
 * units; steps are short, so these are small.
 */
#include "device/cpu/cpu.h"

#define CHUNK 2048

struct job {
    const struct dgm_compose_kernels *kernels;
    const void *work;    /* the struct that the kernel takes */
    int64_t count, step; /* rows; rows in one chunk */
};

static void run(struct dgm_cpu *cpu, const void *work, int64_t rows, int64_t dim, dgm_pool_fn *fn)
{
    struct job job = { cpu->kernels->compose, work, rows, dim < CHUNK ? CHUNK / dim : 1 };

    dgm_pool_run(cpu->pool, fn, &job, dgm_cpu_chunks(rows, job.step));
}

static int64_t chunk_end(const struct job *job, int64_t chunk)
{
    return dgm_cpu_min(job->count, (chunk + 1) * job->step);
}

static void forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->forward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_compose_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                       const void *args_)
{
    const struct dgm_compose_forward_args *args = args_;
    struct dgm_compose_rows work;

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.left = dgm_cpu_at(args->left);
    work.right = dgm_cpu_at(args->right);
    work.l = dgm_cpu_at(args->l);
    work.r = dgm_cpu_at(args->r);
    work.bias = dgm_cpu_at(args->bias);
    work.dim = args->core.dim;
    work.parts = dgm_compose_parts(&args->core);
    work.ld_bias = args->ld_bias;
    run(cpu, &work, args->core.n, args->core.dim, forward_chunk);
    return DGM_OK;
}

static void backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->backward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_compose_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                        const void *args_)
{
    const struct dgm_compose_backward_args *args = args_;
    struct dgm_compose_grad work;

    (void)env;
    work.dl = dgm_cpu_at(args->dl);
    work.dr = dgm_cpu_at(args->dr);
    work.dy = dgm_cpu_at(args->dy);
    work.left = dgm_cpu_at(args->left);
    work.right = dgm_cpu_at(args->right);
    work.l = dgm_cpu_at(args->l);
    work.r = dgm_cpu_at(args->r);
    work.dim = args->core.dim;
    work.parts = dgm_compose_parts(&args->core);
    run(cpu, &work, args->core.n, args->core.dim, backward_chunk);
    return DGM_OK;
}

/* ---- child sums ------------------------------------------------------------------------------ */

static void child_sum_forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->child_sum_forward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_child_sum_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_child_sum_forward_args *args = args_;
    struct dgm_child_sum_rows work;

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.left = dgm_cpu_at(args->left);
    work.right = dgm_cpu_at(args->right);
    work.l = dgm_cpu_at(args->l);
    work.r = dgm_cpu_at(args->r);
    work.bias = dgm_cpu_at(args->bias);
    work.dim = args->dim;
    run(cpu, &work, args->n, args->dim, child_sum_forward_chunk);
    return DGM_OK;
}

static void child_sum_backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->child_sum_backward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_child_sum_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args_)
{
    const struct dgm_child_sum_backward_args *args = args_;
    struct dgm_child_sum_grad work;

    (void)env;
    work.dcarry = dgm_cpu_at(args->dcarry);
    work.dy = dgm_cpu_at(args->dy);
    work.left = dgm_cpu_at(args->left);
    work.right = dgm_cpu_at(args->right);
    work.l = dgm_cpu_at(args->l);
    work.r = dgm_cpu_at(args->r);
    work.dim = args->dim;
    run(cpu, &work, args->n, args->dim, child_sum_backward_chunk);
    return DGM_OK;
}
