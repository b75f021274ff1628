/*
 * run_cells.c: steps of recurrent cells on the CPU. Chunks are blocks of rows of about CHUNK units;
 * steps are short, so these are small.
 */
#include "device/cpu/cpu.h"

#define CHUNK 2048

struct job {
    const struct dgm_cell_kernels *kernels;
    const void *work;    /* the struct that the kernel takes */
    int64_t count, step; /* rows; rows in one chunk */
};

static void run(struct dgm_cpu *cpu, const void *work, int64_t rows, int64_t dim, dgm_pool_fn *fn)
{
    struct job job = { cpu->kernels->cells, work, rows, dim < CHUNK ? CHUNK / dim : 1 };

    dgm_pool_run(cpu->pool, fn, &job, dgm_cpu_chunks(rows, job.step));
}

static int64_t chunk_end(const struct job *job, int64_t chunk)
{
    return dgm_cpu_min(job->count, (chunk + 1) * job->step);
}

static struct dgm_cell_states states(struct dgm_ref state, struct dgm_ref first,
                                     struct dgm_ref second, int64_t lds, dgm_real carry)
{
    struct dgm_cell_states from;

    from.state = dgm_cpu_at(state);
    from.first = dgm_cpu_at(first);
    from.second = dgm_cpu_at(second);
    from.lds = lds;
    from.carry = carry;
    return from;
}

static void forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->gated_forward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_gated_cell_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args_)
{
    const struct dgm_gated_cell_forward_args *args = args_;
    struct dgm_gated_cell_rows work;

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.saved = dgm_cpu_at(args->saved);
    work.x = dgm_cpu_at(args->x);
    work.h = dgm_cpu_at(args->h);
    work.from = states(args->state, args->first, args->second, args->lds, args->carry);
    work.dim = args->dim;
    work.ldy = args->ldy;
    work.ld_saved = args->ld_saved;
    work.ldx = args->ldx;
    work.ldh = args->ldh;
    run(cpu, &work, args->n, args->dim, forward_chunk);
    return DGM_OK;
}

static void backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->gated_backward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_gated_cell_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                           const void *args_)
{
    const struct dgm_gated_cell_backward_args *args = args_;
    struct dgm_gated_cell_grad work;

    (void)env;
    work.dx = dgm_cpu_at(args->dx);
    work.dh = dgm_cpu_at(args->dh);
    work.dcarry = dgm_cpu_at(args->dcarry);
    work.dy = dgm_cpu_at(args->dy);
    work.saved = dgm_cpu_at(args->saved);
    work.from = states(args->state, args->first, args->second, args->lds, args->carry);
    work.dim = args->dim;
    work.lddx = args->lddx;
    work.lddh = args->lddh;
    work.lddcarry = args->lddcarry;
    work.lddy = args->lddy;
    work.ld_saved = args->ld_saved;
    work.joint = args->joint;
    work.accumulate_x = args->accumulate_x;
    work.accumulate_h = args->accumulate_h;
    work.accumulate_carry = args->accumulate_carry;
    run(cpu, &work, args->n, args->dim, backward_chunk);
    return DGM_OK;
}

/* ---- factors ------------------------------------------------------------------------------- */

static void modulate_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->modulate_forward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_modulate_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                        const void *args_)
{
    const struct dgm_modulate_forward_args *args = args_;
    const struct dgm_modulate *core = &args->core;
    struct dgm_modulate_rows work;

    (void)env;
    work.t = dgm_cpu_at(args->t);
    work.z = dgm_cpu_at(args->z);
    work.dim = core->dim;
    work.blocks = core->blocks;
    work.ldz = core->ldz;
    work.ldt = core->ldt;
    for (int f = 0; f < 3; f++) {
        work.factor[f] = dgm_cpu_at(args->factor[f]);
        work.ld_factor[f] = core->ld_factor[f];
    }
    run(cpu, &work, core->n, 4 * core->blocks * core->dim, modulate_chunk);
    return DGM_OK;
}

static void modulate_grad_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->modulate_backward(job->work, chunk * job->step, chunk_end(job, chunk));
}

dgm_status dgm_cpu_run_modulate_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_modulate_backward_args *args = args_;
    const struct dgm_modulate *core = &args->core;
    struct dgm_modulate_grad work;

    (void)env;
    work.dz = dgm_cpu_at(args->dz);
    work.dt = dgm_cpu_at(args->dt);
    work.z = dgm_cpu_at(args->z);
    work.dim = core->dim;
    work.blocks = core->blocks;
    work.ldz = core->ldz;
    work.ldt = core->ldt;
    for (int f = 0; f < 3; f++) {
        work.factor[f] = dgm_cpu_at(args->factor[f]);
        work.ld_factor[f] = core->ld_factor[f];
        work.dfactor[f] = dgm_cpu_at(args->dfactor[f]);
        work.lddf[f] = args->lddf[f];
        work.accumulate[f] = args->accumulate[f];
    }
    run(cpu, &work, core->n, 4 * core->blocks * core->dim, modulate_grad_chunk);
    return DGM_OK;
}
