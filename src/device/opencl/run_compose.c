/*
 * run_compose.c: composition of constituents, and child sums, through OpenCL.
 */
#include "device/opencl/launch.h"

/* The operands that a forward and a backward pass begin with, in the order of their kernels. */
static void add_refs(struct dgm_launch *launch, const struct dgm_ref *refs, int count)
{
    for (int i = 0; i < count; i++)
        dgm_launch_ref(launch, refs[i]);
}

static dgm_status run(struct dgm_launch *launch, const struct dgm_opencl *opencl, int64_t rows,
                      int64_t dim)
{
    return dgm_launch_items(launch, rows * dgm_cl_divide_up(dim, opencl->traits.vec));
}

dgm_status dgm_opencl_run_compose_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                          const void *args_)
{
    const struct dgm_compose_forward_args *args = args_;
    const struct dgm_ref refs[] = { args->y, args->left, args->right, args->l, args->r,
                                    args->bias };
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_compose_forward);
    add_refs(&launch, refs, 6);
    dgm_launch_int(&launch, args->core.n);
    dgm_launch_int(&launch, args->core.dim);
    dgm_launch_int(&launch, args->core.mixes);
    dgm_launch_long(&launch, args->ld_bias);
    return run(&launch, opencl, args->core.n, args->core.dim);
}

dgm_status dgm_opencl_run_compose_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_compose_backward_args *args = args_;
    const struct dgm_ref refs[] = { args->dl, args->dr, args->dy, args->left, args->right,
                                    args->l, args->r };
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_compose_backward);
    add_refs(&launch, refs, 7);
    dgm_launch_int(&launch, args->core.n);
    dgm_launch_int(&launch, args->core.dim);
    dgm_launch_int(&launch, args->core.mixes);
    return run(&launch, opencl, args->core.n, args->core.dim);
}

dgm_status dgm_opencl_run_child_sum_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_child_sum_forward_args *args = args_;
    const struct dgm_ref refs[] = { args->y, args->left, args->right, args->l, args->r,
                                    args->bias };
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_child_sum_forward);
    add_refs(&launch, refs, 6);
    dgm_launch_int(&launch, args->n);
    dgm_launch_int(&launch, args->dim);
    return run(&launch, opencl, args->n, args->dim);
}

dgm_status dgm_opencl_run_child_sum_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                             const void *args_)
{
    const struct dgm_child_sum_backward_args *args = args_;
    const struct dgm_ref refs[] = { args->dcarry, args->dy, args->left, args->right, args->l,
                                    args->r };
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_child_sum_backward);
    add_refs(&launch, refs, 6);
    dgm_launch_int(&launch, args->n);
    dgm_launch_int(&launch, args->dim);
    return run(&launch, opencl, args->n, args->dim);
}
