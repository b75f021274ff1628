/*
 * run_cells.c: steps of recurrent cells on the CPU. Blocks are rows of about BLOCK units;
 * steps are short, so these are small.
 */
#include "device/cpu/blocks.h"
#include "device/cpu/open.h"

#define BLOCK 2048

DGM_CPU_BLOCK(forward_block, cells->gated_forward)

dgm_status dgm_cpu_run_gated_cell_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args)
{
    const struct dgm_gated_cell_forward_job job = dgm_cpu_open_gated_cell_forward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.n, dgm_cpu_block_rows(BLOCK, job.dim), forward_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(backward_block, cells->gated_backward)

dgm_status dgm_cpu_run_gated_cell_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                           const void *args)
{
    const struct dgm_gated_cell_backward_job job = dgm_cpu_open_gated_cell_backward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.n, dgm_cpu_block_rows(BLOCK, job.dim), backward_block);
    return DGM_OK;
}

/* ---- factors ----------------------------------------------------------------------------- */

DGM_CPU_BLOCK(modulate_block, cells->modulate_forward)

dgm_status dgm_cpu_run_modulate_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_modulate_forward_args *args = args_;
    const struct dgm_modulate *core = &args->core;
    const struct dgm_modulate_forward_job job = dgm_cpu_open_modulate_forward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, core->n, dgm_cpu_block_rows(BLOCK, 4 * core->blocks * core->dim),
                     modulate_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(modulate_grad_block, cells->modulate_backward)

dgm_status dgm_cpu_run_modulate_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_modulate_backward_args *args = args_;
    const struct dgm_modulate *core = &args->core;
    const struct dgm_modulate_backward_job job = dgm_cpu_open_modulate_backward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, core->n, dgm_cpu_block_rows(BLOCK, 4 * core->blocks * core->dim),
                     modulate_grad_block);
    return DGM_OK;
}
