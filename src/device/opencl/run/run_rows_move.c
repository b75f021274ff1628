/*
 * run_rows_move.c: copies of rows and of blocks of columns through OpenCL.
 */
#include "device/opencl/run/push.h"

dgm_status dgm_opencl_run_copy_rows(struct dgm_env *env, struct dgm_opencl *opencl,
                                    const void *args_)
{
    const struct dgm_copy_rows_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_copy_rows);
    dgm_push_copy_rows(&launch, args);
    return dgm_launch_strips(&launch, args->rows, args->dim);
}

dgm_status dgm_opencl_run_copy_columns(struct dgm_env *env, struct dgm_opencl *opencl,
                                       const void *args_)
{
    const struct dgm_copy_columns_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_copy_columns);
    dgm_push_copy_columns(&launch, args);
    return dgm_launch_strips(&launch, args->rows * args->groups, args->width);
}
