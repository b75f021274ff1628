/*
 * run_compose.c: composition of constituents, and child sums, through OpenCL.
 */
#include "device/opencl/run/push.h"

/* One work-item for every few columns of a row. */
static dgm_status run(struct dgm_launch *launch, const struct dgm_opencl *opencl, int64_t rows,
                      int64_t dim)
{
    return dgm_launch_items(launch, rows * dgm_cl_divide_up(dim, opencl->traits.vec));
}

dgm_status dgm_opencl_run_compose_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                          const void *args_)
{
    const struct dgm_compose_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_compose_forward);
    dgm_push_compose_forward(&launch, args);
    return run(&launch, opencl, args->core.n, args->core.dim);
}

dgm_status dgm_opencl_run_compose_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_compose_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_compose_backward);
    dgm_push_compose_backward(&launch, args);
    return run(&launch, opencl, args->core.n, args->core.dim);
}

dgm_status dgm_opencl_run_child_sum_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_child_sum_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_child_sum_forward);
    dgm_push_child_sum_forward(&launch, args);
    return run(&launch, opencl, args->n, args->dim);
}

dgm_status dgm_opencl_run_child_sum_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                             const void *args_)
{
    const struct dgm_child_sum_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_child_sum_backward);
    dgm_push_child_sum_backward(&launch, args);
    return run(&launch, opencl, args->n, args->dim);
}
