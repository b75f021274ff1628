/*
 * run_softmax.c: tasks on rows of scores over the vocabulary through OpenCL: cross-entropy,
 * log softmax, the sum of log probabilities (opencl/softmax.cl), the k best (top_k.cl).
 */
#include "device/opencl/core/launch.h"

/* The two readings of label smoothing as one distribution; specification 1.8. */
static void add_distribution(struct dgm_launch *launch, const struct dgm_cross_entropy_args *args)
{
    const double smoothing = (double)args->smoothing, vocab = (double)args->vocab;
    double base = smoothing / vocab, extra = 1 - smoothing;

    if (args->form == DGM_SMOOTHING_T2T) {
        base = vocab > 1 ? smoothing / (vocab - 1) : 0;
        extra = 1 - smoothing - base;
    }
    dgm_launch_real(launch, (dgm_real)base);
    dgm_launch_real(launch, (dgm_real)extra);
}

dgm_status dgm_opencl_run_cross_entropy(struct dgm_env *env, struct dgm_opencl *opencl,
                                        const void *args_)
{
    const struct dgm_cross_entropy_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_cross_entropy);
    dgm_launch_ref(&launch, args->logits);
    dgm_launch_ref(&launch, args->losses);
    dgm_launch_ref(&launch, args->targets);
    dgm_launch_int(&launch, args->vocab);
    add_distribution(&launch, args);
    dgm_launch_real(&launch, args->grad_scale);
    dgm_launch_int(&launch, args->want_gradient);
    return dgm_launch_groups(&launch, args->rows, 1, 1);
}

dgm_status dgm_opencl_run_log_softmax(struct dgm_env *env, struct dgm_opencl *opencl,
                                      const void *args_)
{
    const struct dgm_log_softmax_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_log_softmax);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_int(&launch, args->vocab);
    return dgm_launch_groups(&launch, args->rows, 1, 1);
}

dgm_status dgm_opencl_run_top_k(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_top_k_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_top_k);
    dgm_launch_ref(&launch, args->values);
    dgm_launch_ref(&launch, args->ids);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_int(&launch, args->vocab);
    dgm_launch_int(&launch, args->k);
    dgm_launch_int(&launch, args->forbidden[0]);
    dgm_launch_int(&launch, args->forbidden[1]);
    dgm_launch_int(&launch, args->normalize);
    if (opencl->traits.lanes > 1)
        dgm_launch_local(&launch, (size_t)opencl->traits.lanes * sizeof(cl_ulong));
    return dgm_launch_groups(&launch, args->rows, 1, 1);
}

dgm_status dgm_opencl_run_log_add(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_log_add_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_log_add);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_long(&launch, args->count);
    return dgm_launch_vectors(&launch, args->count);
}
