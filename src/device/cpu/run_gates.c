/*
 * run_gates.c: tasks where gates blend two inputs on the CPU: highways and context gates.
 *
 * Chunks are blocks of rows of about CHUNK elements. The gates' own gradients are summed in each
 * of at most MOST_SUMS blocks, and these in order.
 */
#include <string.h>

#include "device/cpu/cpu.h"

#define CHUNK 8192
#define MOST_SUMS 32

struct job {
    const struct dgm_gate_kernels *kernels;
    const void *work;    /* the struct that the kernel takes */
    int64_t count, step; /* rows; rows in one chunk */
    dgm_real *partial;   /* gated_mix_backward: sums of each block, `sums` long */
    int64_t sums;
};

static struct job job_of(const struct dgm_cpu *cpu, const void *work, int64_t rows,
                         int64_t width)
{
    struct job job = { NULL, NULL, 0, 0, NULL, 0 };

    job.kernels = cpu->kernels->gates;
    job.work = work;
    job.count = rows;
    job.step = width < CHUNK ? CHUNK / (width > 0 ? width : 1) : 1;
    return job;
}

static int64_t chunk_end(const struct job *job, int64_t chunk)
{
    return dgm_cpu_min(job->count, (chunk + 1) * job->step);
}

static void run(struct dgm_cpu *cpu, struct job *job, dgm_pool_fn *fn)
{
    dgm_pool_run(cpu->pool, fn, job, dgm_cpu_chunks(job->count, job->step));
}

/* ---- highways ------------------------------------------------------------------------------ */

static void highway_forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->highway_forward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_highway_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                       const void *args_)
{
    const struct dgm_highway_forward_args *args = args_;
    struct dgm_highway_rows work;
    struct job job = job_of(cpu, &work, args->rows, args->width);

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.ht = dgm_cpu_at(args->ht);
    work.c = dgm_cpu_at(args->c);
    work.width = args->width;
    run(cpu, &job, highway_forward_chunk);
    return DGM_OK;
}

static void highway_backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->highway_backward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_highway_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                        const void *args_)
{
    const struct dgm_highway_backward_args *args = args_;
    struct dgm_highway_grad work;
    struct job job = job_of(cpu, &work, args->rows, args->width);

    (void)env;
    work.dht = dgm_cpu_at(args->dht);
    work.dc = dgm_cpu_at(args->dc);
    work.dy = dgm_cpu_at(args->dy);
    work.ht = dgm_cpu_at(args->ht);
    work.c = dgm_cpu_at(args->c);
    work.width = args->width;
    work.accumulate_ht = args->accumulate_ht;
    work.accumulate_c = args->accumulate_c;
    run(cpu, &job, highway_backward_chunk);
    return DGM_OK;
}

/* ---- context gates ------------------------------------------------------------------------- */

static struct dgm_mix mix_of(const struct dgm_gated_mix *core, struct dgm_ref x, struct dgm_ref c,
                             struct dgm_ref x_gate, struct dgm_ref c_gate)
{
    struct dgm_mix mix;

    mix.x = dgm_cpu_at(x);
    mix.c = dgm_cpu_at(c);
    mix.x_gate = dgm_cpu_at(x_gate);
    mix.c_gate = dgm_cpu_at(c_gate);
    mix.bias = 0;
    mix.scale = core->scale;
    mix.heads = core->heads;
    mix.width = core->width;
    mix.c_step = core->c_step;
    mix.ldx = core->ldx;
    mix.ldc = core->ldc;
    return mix;
}

static void mix_forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->mix_forward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_gated_mix_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_gated_mix_forward_args *args = args_;
    const dgm_real *x_bias = dgm_cpu_at(args->x_bias), *c_bias = dgm_cpu_at(args->c_bias);
    struct dgm_mix_rows work;
    struct job job = job_of(cpu, &work, args->core.rows, args->core.heads * args->core.width);

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.l = dgm_cpu_at(args->l);
    work.mix = mix_of(&args->core, args->x, args->c, args->x_gate, args->c_gate);
    work.mix.bias = *x_bias + *c_bias;
    run(cpu, &job, mix_forward_chunk);
    return DGM_OK;
}

static void mix_backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    dgm_real *sums = job->partial + chunk * job->sums;

    (void)worker;
    memset(sums, 0, (size_t)job->sums * sizeof *sums);
    job->kernels->mix_backward(job->work, chunk * job->step, chunk_end(job, chunk), sums);
}

/* The gradients of gates and biases += the sums of one block. */
static void add_sums(const struct dgm_math_kernels *math,
                     const struct dgm_gated_mix_backward_args *args, const dgm_real *sums)
{
    const int64_t width = args->core.width;
    const struct dgm_ref to[4] = { args->dx_gate, args->dc_gate, args->dx_bias, args->dc_bias };

    for (int i = 0; i < 4; i++) {
        dgm_real *y = dgm_cpu_at(to[i]);
        if (y)
            math->add(y, y, sums + (i < 2 ? i : 2) * width, i < 2 ? width : 1);
    }
}

dgm_status dgm_cpu_run_gated_mix_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args_)
{
    const struct dgm_gated_mix_backward_args *args = args_;
    const int64_t rows = args->core.rows, least = dgm_cpu_chunks(rows, MOST_SUMS);
    struct dgm_mix_grad work;
    struct job job = job_of(cpu, &work, rows, args->core.heads * args->core.width);
    int64_t blocks;
    void *partial;

    job.step = job.step > least ? job.step : least;
    job.sums = 2 * args->core.width + 1;
    blocks = dgm_cpu_chunks(rows, job.step);
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &partial,
                                   (size_t)(blocks * job.sums) * sizeof(dgm_real)));
    job.partial = partial;
    work.dx = dgm_cpu_at(args->dx);
    work.dc = dgm_cpu_at(args->dc);
    work.dy = dgm_cpu_at(args->dy);
    work.l = dgm_cpu_at(args->l);
    work.mix = mix_of(&args->core, args->x, args->c, args->x_gate, args->c_gate);
    work.accumulate_x = args->accumulate_x;
    work.accumulate_c = args->accumulate_c;
    run(cpu, &job, mix_backward_chunk);
    for (int64_t b = 0; b < blocks; b++)
        add_sums(cpu->kernels->math, args, job.partial + b * job.sums);
    return DGM_OK;
}
