/*
 * run_cells.c: steps of recurrent cells on the CPU. Blocks are rows of about BLOCK units;
 * steps are short, so these are small.
 */
#include "device/cpu/blocks.h"

#define BLOCK 2048

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

DGM_CPU_BLOCK(forward_block, cells->gated_forward)

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
    dgm_cpu_run_rows(cpu, &work, args->n, dgm_cpu_block_rows(BLOCK, args->dim), forward_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(backward_block, cells->gated_backward)

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
    dgm_cpu_run_rows(cpu, &work, args->n, dgm_cpu_block_rows(BLOCK, args->dim), backward_block);
    return DGM_OK;
}

/* ---- factors ------------------------------------------------------------------------------- */

DGM_CPU_BLOCK(modulate_block, cells->modulate_forward)

dgm_status dgm_cpu_run_modulate_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
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
    dgm_cpu_run_rows(cpu, &work, core->n, dgm_cpu_block_rows(BLOCK, 4 * core->blocks * core->dim),
                     modulate_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(modulate_grad_block, cells->modulate_backward)

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
    dgm_cpu_run_rows(cpu, &work, core->n, dgm_cpu_block_rows(BLOCK, 4 * core->blocks * core->dim),
                     modulate_grad_block);
    return DGM_OK;
}
