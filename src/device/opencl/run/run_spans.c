/*
 * run_spans.c: sigmoids and means over the rows of sentences, through OpenCL.
 */
#include "device/opencl/core/launch.h"

dgm_status dgm_opencl_run_span_sigmoid_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                               const void *args_)
{
    const struct dgm_span_sigmoid_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_span_sigmoid_forward);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_ref(&launch, args->owners);
    dgm_launch_ref(&launch, args->counts);
    dgm_launch_long(&launch, args->rows * args->cols);
    dgm_launch_long(&launch, args->cols);
    dgm_launch_real(&launch, args->floor);
    return dgm_launch_items(&launch, args->rows * args->cols);
}

dgm_status dgm_opencl_run_span_sigmoid_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                                const void *args_)
{
    const struct dgm_span_sigmoid_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_span_sigmoid_backward);
    dgm_launch_ref(&launch, args->dx);
    dgm_launch_ref(&launch, args->dy);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->owners);
    dgm_launch_ref(&launch, args->counts);
    dgm_launch_long(&launch, args->rows * args->cols);
    dgm_launch_long(&launch, args->cols);
    dgm_launch_real(&launch, args->floor);
    dgm_launch_int(&launch, args->accumulate);
    return dgm_launch_items(&launch, args->rows * args->cols);
}

/* One work-item for VEC columns of each sentence. */
static dgm_status launch_sentences(struct dgm_launch *launch, int64_t sentences, int64_t width)
{
    const int64_t vec = launch->opencl->traits.vec;

    return dgm_launch_items(launch, sentences * dgm_cl_divide_up(width, vec));
}

dgm_status dgm_opencl_run_span_mean_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_span_mean_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_span_mean_forward);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_ref(&launch, args->offsets);
    dgm_launch_int(&launch, args->sentences);
    dgm_launch_int(&launch, args->width);
    dgm_launch_long(&launch, args->ldx);
    return launch_sentences(&launch, args->sentences, args->width);
}

dgm_status dgm_opencl_run_span_mean_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                             const void *args_)
{
    const struct dgm_span_mean_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_span_mean_backward);
    dgm_launch_ref(&launch, args->dx);
    dgm_launch_ref(&launch, args->dy);
    dgm_launch_ref(&launch, args->offsets);
    dgm_launch_int(&launch, args->sentences);
    dgm_launch_int(&launch, args->width);
    dgm_launch_long(&launch, args->lddx);
    dgm_launch_int(&launch, args->accumulate);
    return launch_sentences(&launch, args->sentences, args->width);
}
