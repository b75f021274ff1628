/*
 * run_rows_move.c: copies of rows and of blocks of columns through OpenCL.
 */
#include "device/opencl/core/launch.h"

dgm_status dgm_opencl_run_copy_rows(struct dgm_env *env, struct dgm_opencl *opencl,
                                    const void *args_)
{
    const struct dgm_copy_rows_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_copy_rows);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_ref(&launch, args->index);
    dgm_launch_int(&launch, args->rows);
    dgm_launch_int(&launch, args->dim);
    dgm_launch_long(&launch, args->ldy);
    dgm_launch_long(&launch, args->ldx);
    return dgm_launch_strips(&launch, args->rows, args->dim);
}

dgm_status dgm_opencl_run_copy_columns(struct dgm_env *env, struct dgm_opencl *opencl,
                                       const void *args_)
{
    const struct dgm_copy_columns_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_copy_columns);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_int(&launch, args->rows);
    dgm_launch_int(&launch, args->groups);
    dgm_launch_int(&launch, args->width);
    dgm_launch_long(&launch, args->ldy);
    dgm_launch_long(&launch, args->ldx);
    dgm_launch_long(&launch, args->step_y);
    dgm_launch_long(&launch, args->step_x);
    dgm_launch_int(&launch, args->accumulate);
    return dgm_launch_strips(&launch, args->rows * args->groups, args->width);
}
