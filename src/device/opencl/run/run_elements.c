/*
 * run_elements.c: element-by-element tasks through OpenCL (opencl/elements.cl, activate.cl,
 * softmax.cl).
 */
#include "device/opencl/run/push.h"

dgm_status dgm_opencl_run_fill(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_fill_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_fill);
    dgm_push_fill(&launch, args);
    return dgm_launch_vectors(&launch, args->count);
}

dgm_status dgm_opencl_run_axpby(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_axpby_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_axpby);
    dgm_push_axpby(&launch, args);
    return dgm_launch_vectors(&launch, args->count);
}

dgm_status dgm_opencl_run_relu_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                        const void *args_)
{
    const struct dgm_relu_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_relu_backward);
    dgm_push_relu_backward(&launch, args);
    return dgm_launch_vectors(&launch, args->count);
}

/* ---- activations ------------------------------------------------------------------------- */

dgm_status dgm_opencl_run_activate_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_activate_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_activate_forward);
    dgm_push_activate_forward(&launch, args);
    return dgm_launch_vectors(&launch, args->count);
}

dgm_status dgm_opencl_run_activate_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_activate_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_activate_backward);
    dgm_push_activate_backward(&launch, args);
    return dgm_launch_vectors(&launch, args->count);
}

/* ---- sums of probabilities --------------------------------------------------------------- */

dgm_status dgm_opencl_run_log_add(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_log_add_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_log_add);
    dgm_push_log_add(&launch, args);
    return dgm_launch_vectors(&launch, args->count);
}
