/*
 * run_additive.c: additive attention on the CPU. Chunks are queries; in the backward pass blocks
 * of them, at most MOST_SUMS, whose sums of v's gradient are added up in order.
 */
#include <string.h>

#include "device/cpu/cpu.h"

/* Elements of tanh in one chunk, about. */
#define CHUNK 8192
#define MOST_SUMS 32

struct job {
    const struct dgm_cpu *cpu;
    struct dgm_additive core;
    struct dgm_additive_rows forward;
    struct dgm_additive_grad backward;
    int64_t step;      /* queries in one chunk */
    dgm_real *partial; /* backward: (chunks, A) */
};

static struct job job_of(const struct dgm_cpu *cpu, const struct dgm_additive *core)
{
    const int64_t row = core->longest * core->dim;
    struct job job;

    memset(&job, 0, sizeof job);
    job.cpu = cpu;
    job.core = *core;
    job.step = row > 0 && row < CHUNK ? CHUNK / row : 1;
    return job;
}

static struct dgm_additive_operands operands_of(const struct dgm_additive *core, struct dgm_ref q,
                                                struct dgm_ref keys, struct dgm_ref values,
                                                struct dgm_ref v)
{
    struct dgm_additive_operands in;

    memset(&in, 0, sizeof in);
    in.q = dgm_cpu_at(q);
    in.keys = dgm_cpu_at(keys);
    in.values = dgm_cpu_at(values);
    in.v = dgm_cpu_at(v);
    in.dim = core->dim;
    in.width = core->width;
    in.longest = core->longest;
    in.ld_ctx = core->ld_ctx;
    return in;
}

static int64_t chunk_end(const struct job *job, int64_t chunk)
{
    return dgm_cpu_min(job->core.rows, (chunk + 1) * job->step);
}

static void forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->cpu->kernels->additive->forward(&job->forward, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_additive_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                        const void *args_)
{
    const struct dgm_additive_forward_args *args = args_;
    struct job job = job_of(cpu, &args->core);

    (void)env;
    job.forward.ctx = dgm_cpu_at(args->ctx);
    job.forward.weights = dgm_cpu_at(args->weights);
    job.forward.in = operands_of(&args->core, args->q, args->keys, args->values, args->v);
    job.forward.in.starts = dgm_cpu_at(args->starts);
    job.forward.in.counts = dgm_cpu_at(args->counts);
    dgm_pool_run(cpu->pool, forward_chunk, &job, dgm_cpu_chunks(args->core.rows, job.step));
    return DGM_OK;
}

static size_t scratch_bytes(const struct dgm_additive *core)
{
    return (size_t)core->longest * sizeof(dgm_real);
}

static void backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    dgm_real *dv = job->partial + chunk * job->core.dim;

    memset(dv, 0, (size_t)job->core.dim * sizeof *dv);
    job->cpu->kernels->additive->backward(
        &job->backward, chunk * job->step, chunk_end(job, chunk), dv,
        dgm_cpu_scratch(job->cpu, worker, scratch_bytes(&job->core)));
}

dgm_status dgm_cpu_run_additive_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_additive_backward_args *args = args_;
    const int64_t rows = args->core.rows, dim = args->core.dim;
    const int64_t least = dgm_cpu_chunks(rows, MOST_SUMS);
    struct job job = job_of(cpu, &args->core);
    dgm_real *dv = dgm_cpu_at(args->dv);
    int64_t blocks;
    void *partial;

    job.step = job.step > least ? job.step : least;
    blocks = dgm_cpu_chunks(rows, job.step);
    DGM_TRY(dgm_cpu_reserve(env, cpu, scratch_bytes(&args->core)));
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &partial, (size_t)(blocks * dim) * sizeof *dv));
    job.partial = partial;
    job.backward.dq = dgm_cpu_at(args->dq);
    job.backward.dkeys = dgm_cpu_at(args->dkeys);
    job.backward.dvalues = dgm_cpu_at(args->dvalues);
    job.backward.dctx = dgm_cpu_at(args->dctx);
    job.backward.weights = dgm_cpu_at(args->weights);
    job.backward.in = operands_of(&args->core, args->q, args->keys, args->values, args->v);
    job.backward.in.starts = dgm_cpu_at(args->starts);
    job.backward.in.counts = dgm_cpu_at(args->counts);
    dgm_pool_run(cpu->pool, backward_chunk, &job, blocks);
    for (int64_t b = 0; dv && b < blocks; b++)
        cpu->kernels->math->add(dv, dv, job.partial + b * dim, dim);
    return DGM_OK;
}
