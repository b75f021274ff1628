/*
 * run_pairs.c: tasks on the pairs of rows of each sentence through OpenCL: scores and their
 * gradients (opencl/pairs.cl), softmax over the rows of the blocks (pair_softmax.cl).
 *
 * How long sentences are stands in device memory, so that groups are counted by sentences: one
 * each on a processor, PARTS that share its rows on a GPU.
 */
#include "device/opencl/run/push.h"

enum { PARTS = 8 };

static int64_t parts_of(const struct dgm_opencl *opencl)
{
    return opencl->traits.is_cpu ? 1 : PARTS;
}

/* ---- scores ------------------------------------------------------------------------------ */

DGM_CL_RUN_KERNEL(pair_scores, groups, args->sentences, parts_of(opencl), 1)

/* One gradient, if it is wanted: dx (+)= E y, or E transposed; strides ldx and ldy. */
static dgm_status run_gradient(struct dgm_env *env, struct dgm_opencl *opencl, int64_t sentences,
                               const struct dgm_cl_pair_gradient_args *kernel)
{
    const struct dgm_cl_traits *traits = &opencl->traits;
    /* ACROSS of pairs.cl */
    const int64_t columns = (int64_t)traits->lanes * traits->vec * (traits->lanes == 1 ? 4 : 1);
    struct dgm_launch launch;

    if (kernel->dx.buffer == NULL)
        return DGM_OK;
    launch = dgm_begin_cl_pair_gradient(env, opencl, kernel);
    return dgm_launch_groups(&launch, sentences, parts_of(opencl),
                             dgm_cl_divide_up(kernel->dim, columns));
}

dgm_status dgm_opencl_run_pair_scores_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                               const void *args_)
{
    const struct dgm_pair_scores_backward_args *args = args_;
    const struct dgm_cl_pair_gradient_args dq = { .dx = args->dq,
                                                  .dscores = args->dscores,
                                                  .y = args->k,
                                                  .offsets = args->offsets,
                                                  .squares = args->squares,
                                                  .dim = args->dim,
                                                  .ldx = args->ldq,
                                                  .ldy = args->ldk,
                                                  .transposed = 0,
                                                  .accumulate = args->accumulate_q };
    const struct dgm_cl_pair_gradient_args dk = { .dx = args->dk,
                                                  .dscores = args->dscores,
                                                  .y = args->q,
                                                  .offsets = args->offsets,
                                                  .squares = args->squares,
                                                  .dim = args->dim,
                                                  .ldx = args->ldk,
                                                  .ldy = args->ldq,
                                                  .transposed = 1,
                                                  .accumulate = args->accumulate_k };

    DGM_TRY(run_gradient(env, opencl, args->sentences, &dq));
    return run_gradient(env, opencl, args->sentences, &dk);
}

/* ---- softmax ----------------------------------------------------------------------------- */

DGM_CL_RUN_KERNEL(pair_loss, groups, args->sentences, parts_of(opencl), 1)
DGM_CL_RUN_KERNEL(pair_log_softmax, groups, args->sentences, parts_of(opencl), 1)
