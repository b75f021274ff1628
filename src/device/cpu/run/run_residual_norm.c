/*
 * run_residual_norm.c: a residual connection and the norm of its sum, forward and backward: on the
 * CPU one after the other.
 */
#include "device/cpu/cpu.h"

dgm_status dgm_cpu_run_residual_norm_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                             const void *args_)
{
    const struct dgm_residual_norm_forward_args *args = args_;
    const struct dgm_residual_forward_args residual = { .y = args->h,
                                                        .x = args->x,
                                                        .r = args->r,
                                                        .places = args->places,
                                                        .rows = args->rows,
                                                        .dim = args->dim,
                                                        .drop = args->drop };
    const struct dgm_norm_forward_args norm = { .y = args->y,
                                                .stats = args->stats,
                                                .x = args->h,
                                                .gain = args->gain,
                                                .bias = args->bias,
                                                .rows = args->rows,
                                                .dim = args->dim,
                                                .eps = args->eps };

    DGM_TRY(dgm_cpu_run_residual_forward(env, cpu, &residual));
    return dgm_cpu_run_norm_forward(env, cpu, &norm);
}

dgm_status dgm_cpu_run_residual_norm_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                              const void *args_)
{
    const struct dgm_residual_norm_backward_args *args = args_;
    const struct dgm_norm_backward_args norm = { .dx = args->dx,
                                                 .dgain = args->dgain,
                                                 .dbias = args->dbias,
                                                 .dy = args->dy,
                                                 .x = args->x,
                                                 .stats = args->stats,
                                                 .gain = args->gain,
                                                 .rows = args->rows,
                                                 .dim = args->dim,
                                                 .accumulate = args->accumulate };
    const struct dgm_residual_backward_args residual = { .dr = args->dr,
                                                         .dy = args->dx,
                                                         .places = args->places,
                                                         .rows = args->rows,
                                                         .dim = args->dim,
                                                         .drop = args->drop };

    DGM_TRY(dgm_cpu_run_norm_backward(env, cpu, &norm));
    return dgm_cpu_run_residual_backward(env, cpu, &residual);
}
