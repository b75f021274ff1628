/*
 * run_softmax.c: tasks on rows of scores over the vocabulary through OpenCL: cross-entropy,
 * log softmax, the sum of log probabilities, some columns (opencl/softmax.cl), the k best
 * (top_k.cl).
 */
#include "device/opencl/run/push.h"

/* The two readings of label smoothing as one distribution; specification 1.8. */
static void set_distribution(struct dgm_cl_cross_entropy_args *kernel,
                             const struct dgm_cross_entropy_args *args)
{
    const double smoothing = (double)args->smoothing, vocab = (double)args->vocab;
    double base = smoothing / vocab, extra = 1 - smoothing;

    if (args->form == DGM_SMOOTHING_T2T) {
        base = vocab > 1 ? smoothing / (vocab - 1) : 0;
        extra = 1 - smoothing - base;
    }
    kernel->base = (dgm_real)base;
    kernel->extra = (dgm_real)extra;
}

dgm_status dgm_opencl_run_cross_entropy(struct dgm_env *env, struct dgm_opencl *opencl,
                                        const void *args_)
{
    const struct dgm_cross_entropy_args *args = args_;
    struct dgm_cl_cross_entropy_args kernel = { .logits = args->logits,
                                                .losses = args->losses,
                                                .targets = args->targets,
                                                .vocab = args->vocab,
                                                .grad_scale = args->grad_scale,
                                                .want_gradient = args->want_gradient };
    struct dgm_launch launch;

    set_distribution(&kernel, args);
    launch = dgm_begin_cl_cross_entropy(env, opencl, &kernel);
    return dgm_launch_groups(&launch, args->rows, 1, 1);
}

DGM_CL_RUN_KERNEL(log_softmax, groups, args->rows, 1, 1)

dgm_status dgm_opencl_run_top_k(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_top_k_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_top_k);
    dgm_push_top_k(&launch, args);
    if (opencl->traits.lanes > 1)
        dgm_launch_local(&launch, (size_t)opencl->traits.lanes * sizeof(cl_ulong));
    return dgm_launch_groups(&launch, args->rows, 1, 1);
}

DGM_CL_RUN_KERNEL(pick_columns, groups, args->rows, 1, 1)
