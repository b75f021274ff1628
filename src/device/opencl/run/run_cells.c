/*
 * run_cells.c: steps of gated recurrent units, and dynamic weights, through OpenCL.
 */
#include "device/opencl/run/push.h"

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
    dgm_push_gated_cell_forward(&launch, args);
    return finish(&launch, opencl, args->n, args->dim);
}

dgm_status dgm_opencl_run_gated_cell_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                              const void *args_)
{
    const struct dgm_gated_cell_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gated_cell_backward);
    dgm_push_gated_cell_backward(&launch, args);
    return finish(&launch, opencl, args->n, args->dim);
}

/* ---- dynamic weights --------------------------------------------------------------------- */

dgm_status dgm_opencl_run_modulate_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_modulate_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_modulate_forward);
    dgm_push_modulate_forward(&launch, args);
    return finish(&launch, opencl, args->core.n, args->core.dim);
}

dgm_status dgm_opencl_run_modulate_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_modulate_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_modulate_backward);
    dgm_push_modulate_backward(&launch, args);
    return finish(&launch, opencl, args->core.n, args->core.dim);
}
