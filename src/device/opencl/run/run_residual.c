/*
 * run_residual.c: dropout and residual connections through OpenCL.
 */
#include "device/opencl/run/push.h"

static dgm_status run(struct dgm_env *env, struct dgm_opencl *opencl,
                      const struct dgm_residual_forward_args *args)
{
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_residual);
    dgm_push_residual_forward(&launch, args);
    return dgm_launch_tiles(&launch, args->rows, args->dim);
}

dgm_status dgm_opencl_run_residual_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args)
{
    return run(env, opencl, args);
}

/* The gradient of dropout is the same dropout: dr = [dr +] dropout(dy). */
dgm_status dgm_opencl_run_residual_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_residual_backward_args *args = args_;
    struct dgm_residual_forward_args same = { 0 };

    same.y = args->dr;
    if (args->accumulate)
        same.x = args->dr;
    same.r = args->dy;
    same.places = args->places;
    same.rows = args->rows;
    same.dim = args->dim;
    same.drop = args->drop;
    return run(env, opencl, &same);
}
