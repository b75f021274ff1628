/*
 * run_compose.c: composition of constituents on the CPU. Blocks are rows of about BLOCK
 * units; steps are short, so these are small.
 */
#include "device/cpu/blocks.h"
#include "device/cpu/open.h"

#define BLOCK 2048

DGM_CPU_BLOCK(forward_block, compose->forward)

dgm_status dgm_cpu_run_compose_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_compose_forward_job job = dgm_cpu_open_compose_forward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.core.n, dgm_cpu_block_rows(BLOCK, job.core.dim), forward_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(backward_block, compose->backward)

dgm_status dgm_cpu_run_compose_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_compose_backward_job job = dgm_cpu_open_compose_backward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.core.n, dgm_cpu_block_rows(BLOCK, job.core.dim),
                     backward_block);
    return DGM_OK;
}

/* ---- child sums -------------------------------------------------------------------------- */

DGM_CPU_BLOCK(child_sum_forward_block, compose->child_sum_forward)

dgm_status dgm_cpu_run_child_sum_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_child_sum_forward_job job = dgm_cpu_open_child_sum_forward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.n, dgm_cpu_block_rows(BLOCK, job.dim), child_sum_forward_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(child_sum_backward_block, compose->child_sum_backward)

dgm_status dgm_cpu_run_child_sum_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args)
{
    const struct dgm_child_sum_backward_job job = dgm_cpu_open_child_sum_backward(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.n, dgm_cpu_block_rows(BLOCK, job.dim),
                     child_sum_backward_block);
    return DGM_OK;
}
