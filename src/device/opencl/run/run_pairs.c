/*
 * run_pairs.c: tasks on the pairs of rows of each sentence through OpenCL: scores and their
 * gradients (opencl/pairs.cl), softmax over the rows of the blocks (pair_softmax.cl).
 *
 * How long sentences are stands in device memory, so that groups are counted by sentences: one
 * each on a processor, PARTS that share its rows on a GPU.
 */
#include "device/opencl/core/launch.h"

enum { PARTS = 8 };

static int64_t parts_of(const struct dgm_opencl *opencl)
{
    return opencl->traits.is_cpu ? 1 : PARTS;
}

/* ---- scores -------------------------------------------------------------------------------- */

dgm_status dgm_opencl_run_pair_scores(struct dgm_env *env, struct dgm_opencl *opencl,
                                      const void *args_)
{
    const struct dgm_pair_scores_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_pair_scores);
    dgm_launch_ref(&launch, args->scores);
    dgm_launch_ref(&launch, args->q);
    dgm_launch_ref(&launch, args->k);
    dgm_launch_ref(&launch, args->offsets);
    dgm_launch_ref(&launch, args->squares);
    dgm_launch_int(&launch, args->dim);
    dgm_launch_int(&launch, args->ldq);
    dgm_launch_int(&launch, args->ldk);
    return dgm_launch_groups(&launch, args->sentences, parts_of(opencl), 1);
}

/* One gradient: dx (+)= E y, or E transposed; strides ldx and ldy. */
struct pair_grad {
    struct dgm_ref dx, y; /* dx may be absent */
    int64_t ldx, ldy;
    int transposed, accumulate;
};

static dgm_status run_pair_grad(struct dgm_env *env, struct dgm_opencl *opencl,
                                const struct dgm_pair_scores_backward_args *args,
                                const struct pair_grad *grad)
{
    const struct dgm_cl_traits *traits = &opencl->traits;
    /* ACROSS of pairs.cl */
    const int64_t columns = (int64_t)traits->lanes * traits->vec * (traits->lanes == 1 ? 4 : 1);
    struct dgm_launch launch;

    if (grad->dx.buffer == NULL)
        return DGM_OK;
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_pair_gradient);
    dgm_launch_ref(&launch, grad->dx);
    dgm_launch_ref(&launch, args->dscores);
    dgm_launch_ref(&launch, grad->y);
    dgm_launch_ref(&launch, args->offsets);
    dgm_launch_ref(&launch, args->squares);
    dgm_launch_int(&launch, args->dim);
    dgm_launch_int(&launch, grad->ldx);
    dgm_launch_int(&launch, grad->ldy);
    dgm_launch_int(&launch, grad->transposed);
    dgm_launch_int(&launch, grad->accumulate);
    return dgm_launch_groups(&launch, args->sentences, parts_of(opencl),
                             dgm_cl_divide_up(args->dim, columns));
}

dgm_status dgm_opencl_run_pair_scores_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                               const void *args_)
{
    const struct dgm_pair_scores_backward_args *args = args_;
    const struct pair_grad dq = { args->dq, args->k, args->ldq, args->ldk, 0, args->accumulate_q };
    const struct pair_grad dk = { args->dk, args->q, args->ldk, args->ldq, 1, args->accumulate_k };

    DGM_TRY(run_pair_grad(env, opencl, args, &dq));
    return run_pair_grad(env, opencl, args, &dk);
}

/* ---- softmax ------------------------------------------------------------------------------- */

dgm_status dgm_opencl_run_pair_loss(struct dgm_env *env, struct dgm_opencl *opencl,
                                    const void *args_)
{
    const struct dgm_pair_loss_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_pair_loss);
    dgm_launch_ref(&launch, args->scores);
    dgm_launch_ref(&launch, args->losses);
    dgm_launch_ref(&launch, args->targets);
    dgm_launch_ref(&launch, args->offsets);
    dgm_launch_ref(&launch, args->squares);
    dgm_launch_real(&launch, args->grad_scale);
    dgm_launch_int(&launch, args->mask);
    dgm_launch_int(&launch, args->want_gradient);
    return dgm_launch_groups(&launch, args->sentences, parts_of(opencl), 1);
}

dgm_status dgm_opencl_run_pair_log_softmax(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_pair_log_softmax_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_pair_log_softmax);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->offsets);
    dgm_launch_ref(&launch, args->squares);
    dgm_launch_int(&launch, args->mask);
    return dgm_launch_groups(&launch, args->sentences, parts_of(opencl), 1);
}
