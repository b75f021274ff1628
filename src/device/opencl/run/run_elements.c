/*
 * run_elements.c: element-by-element tasks through OpenCL: fill, axpby, relu_backward.
 */
#include "device/opencl/core/launch.h"

dgm_status dgm_opencl_run_fill(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_fill_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_fill);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_long(&launch, args->count);
    dgm_launch_real(&launch, args->value);
    return dgm_launch_vectors(&launch, args->count);
}

dgm_status dgm_opencl_run_axpby(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_axpby_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_axpby);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_long(&launch, args->count);
    dgm_launch_real(&launch, args->a);
    dgm_launch_real(&launch, args->b);
    return dgm_launch_vectors(&launch, args->count);
}

dgm_status dgm_opencl_run_relu_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                        const void *args_)
{
    const struct dgm_relu_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_relu_backward);
    dgm_launch_ref(&launch, args->dx);
    dgm_launch_ref(&launch, args->dy);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_long(&launch, args->count);
    dgm_launch_int(&launch, args->accumulate);
    return dgm_launch_vectors(&launch, args->count);
}
