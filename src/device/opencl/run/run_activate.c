/*
 * run_activate.c: tanh and leaky ReLU through OpenCL.
 */
#include "device/opencl/core/launch.h"

dgm_status dgm_opencl_run_activate_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_activate_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_activate_forward);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_long(&launch, args->count);
    dgm_launch_int(&launch, args->kind == DGM_TANH);
    dgm_launch_real(&launch, args->slope);
    return dgm_launch_vectors(&launch, args->count);
}

dgm_status dgm_opencl_run_activate_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_activate_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_activate_backward);
    dgm_launch_ref(&launch, args->dx);
    dgm_launch_ref(&launch, args->dy);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_long(&launch, args->count);
    dgm_launch_int(&launch, args->kind == DGM_TANH);
    dgm_launch_real(&launch, args->slope);
    dgm_launch_int(&launch, args->accumulate);
    return dgm_launch_vectors(&launch, args->count);
}
