/*
 * run_spans.c: sigmoids and means over the rows of sentences, through OpenCL.
 */
#include "device/opencl/run/push.h"

dgm_status dgm_opencl_run_span_sigmoid_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                               const void *args_)
{
    const struct dgm_span_sigmoid_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_span_sigmoid_forward);
    dgm_push_span_sigmoid_forward(&launch, args);
    return dgm_launch_items(&launch, args->rows * args->cols);
}

dgm_status dgm_opencl_run_span_sigmoid_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                                const void *args_)
{
    const struct dgm_span_sigmoid_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_span_sigmoid_backward);
    dgm_push_span_sigmoid_backward(&launch, args);
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
    dgm_push_span_mean_forward(&launch, args);
    return launch_sentences(&launch, args->sentences, args->width);
}

dgm_status dgm_opencl_run_span_mean_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                             const void *args_)
{
    const struct dgm_span_mean_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_span_mean_backward);
    dgm_push_span_mean_backward(&launch, args);
    return launch_sentences(&launch, args->sentences, args->width);
}

/* One work-item for each row of links. */
dgm_status dgm_opencl_run_link_loss_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_link_loss_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_link_loss_forward);
    dgm_push_link_loss_forward(&launch, args);
    return dgm_launch_items(&launch, args->rows);
}

dgm_status dgm_opencl_run_link_loss_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                             const void *args_)
{
    const struct dgm_link_loss_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_link_loss_backward);
    dgm_push_link_loss_backward(&launch, args);
    return dgm_launch_items(&launch, args->rows);
}
