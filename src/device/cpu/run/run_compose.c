/*
 * run_compose.c: composition of constituents on the CPU. Blocks are rows of about BLOCK
 * units; steps are short, so these are small.
 */
#include "device/cpu/blocks.h"

#define BLOCK 2048

DGM_CPU_BLOCK(forward_block, compose->forward)

dgm_status dgm_cpu_run_compose_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
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
    dgm_cpu_run_rows(cpu, &work, args->core.n, dgm_cpu_block_rows(BLOCK, args->core.dim),
                     forward_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(backward_block, compose->backward)

dgm_status dgm_cpu_run_compose_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
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
    dgm_cpu_run_rows(cpu, &work, args->core.n, dgm_cpu_block_rows(BLOCK, args->core.dim),
                     backward_block);
    return DGM_OK;
}

/* ---- child sums ------------------------------------------------------------------------------ */

DGM_CPU_BLOCK(child_sum_forward_block, compose->child_sum_forward)

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
    dgm_cpu_run_rows(cpu, &work, args->n, dgm_cpu_block_rows(BLOCK, args->dim),
                     child_sum_forward_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(child_sum_backward_block, compose->child_sum_backward)

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
    dgm_cpu_run_rows(cpu, &work, args->n, dgm_cpu_block_rows(BLOCK, args->dim),
                     child_sum_backward_block);
    return DGM_OK;
}
