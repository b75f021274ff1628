/*
 * run_cells.c: steps of gated recurrent units, and dynamic weights, through OpenCL.
 */
#include "device/opencl/core/launch.h"

static dgm_status finish(struct dgm_launch *launch, const struct dgm_opencl *opencl, int64_t rows,
                         int64_t dim)
{
    return dgm_launch_items(launch, rows * dgm_cl_divide_up(dim, opencl->traits.vec));
}

dgm_status dgm_opencl_run_gated_cell_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                             const void *args_)
{
    const struct dgm_gated_cell_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gated_cell_forward);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->saved);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_ref(&launch, args->h);
    dgm_launch_ref(&launch, args->state);
    dgm_launch_ref(&launch, args->first);
    dgm_launch_ref(&launch, args->second);
    dgm_launch_int(&launch, args->n);
    dgm_launch_int(&launch, args->dim);
    dgm_launch_long(&launch, args->ldy);
    dgm_launch_long(&launch, args->ld_saved);
    dgm_launch_long(&launch, args->ldx);
    dgm_launch_long(&launch, args->ldh);
    dgm_launch_long(&launch, args->lds);
    dgm_launch_real(&launch, args->carry);
    return finish(&launch, opencl, args->n, args->dim);
}

dgm_status dgm_opencl_run_gated_cell_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                              const void *args_)
{
    const struct dgm_gated_cell_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gated_cell_backward);
    dgm_launch_ref(&launch, args->dx);
    dgm_launch_ref(&launch, args->dh);
    dgm_launch_ref(&launch, args->dcarry);
    dgm_launch_ref(&launch, args->dy);
    dgm_launch_ref(&launch, args->saved);
    dgm_launch_ref(&launch, args->state);
    dgm_launch_ref(&launch, args->first);
    dgm_launch_ref(&launch, args->second);
    dgm_launch_int(&launch, args->n);
    dgm_launch_int(&launch, args->dim);
    dgm_launch_long(&launch, args->lddx);
    dgm_launch_long(&launch, args->lddh);
    dgm_launch_long(&launch, args->lddcarry);
    dgm_launch_long(&launch, args->lddy);
    dgm_launch_long(&launch, args->ld_saved);
    dgm_launch_long(&launch, args->lds);
    dgm_launch_real(&launch, args->carry);
    dgm_launch_int(&launch, args->joint);
    dgm_launch_int(&launch, args->accumulate_x);
    dgm_launch_int(&launch, args->accumulate_h);
    dgm_launch_int(&launch, args->accumulate_carry);
    return finish(&launch, opencl, args->n, args->dim);
}

/* ---- dynamic weights ------------------------------------------------------------------------- */

static void add_core(struct dgm_launch *launch, const struct dgm_modulate *core)
{
    dgm_launch_int(launch, core->n);
    dgm_launch_int(launch, core->dim);
    dgm_launch_int(launch, core->blocks);
    dgm_launch_long(launch, core->ldz);
    for (int f = 0; f < 3; f++)
        dgm_launch_long(launch, core->ld_factor[f]);
    dgm_launch_long(launch, core->ldt);
}

dgm_status dgm_opencl_run_modulate_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_modulate_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_modulate_forward);
    dgm_launch_ref(&launch, args->t);
    dgm_launch_ref(&launch, args->z);
    for (int f = 0; f < 3; f++)
        dgm_launch_ref(&launch, args->factor[f]);
    add_core(&launch, &args->core);
    return finish(&launch, opencl, args->core.n, args->core.dim);
}

dgm_status dgm_opencl_run_modulate_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_modulate_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_modulate_backward);
    dgm_launch_ref(&launch, args->dz);
    for (int f = 0; f < 3; f++)
        dgm_launch_ref(&launch, args->dfactor[f]);
    dgm_launch_ref(&launch, args->dt);
    dgm_launch_ref(&launch, args->z);
    for (int f = 0; f < 3; f++)
        dgm_launch_ref(&launch, args->factor[f]);
    add_core(&launch, &args->core);
    for (int f = 0; f < 3; f++)
        dgm_launch_long(&launch, args->lddf[f]);
    for (int f = 0; f < 3; f++)
        dgm_launch_int(&launch, args->accumulate[f]);
    return finish(&launch, opencl, args->core.n, args->core.dim);
}
