/*
 * run_additive.c: additive attention through OpenCL.
 */
#include "device/opencl/run/push.h"

static dgm_status find_weights(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_additive_forward_args *args)
{
    const struct dgm_cl_additive_scores_args scores = { .scores = args->weights,
                                                        .q = args->q,
                                                        .keys = args->keys,
                                                        .v = args->v,
                                                        .starts = args->starts,
                                                        .counts = args->counts,
                                                        .core = args->core };
    const struct dgm_cl_additive_weights_args weights = { .weights = args->weights,
                                                          .counts = args->counts,
                                                          .core = args->core };
    struct dgm_launch launch = dgm_begin_cl_additive_scores(env, opencl, &scores);

    DGM_TRY(dgm_launch_runs(&launch, args->core.rows * args->core.longest));
    launch = dgm_begin_cl_additive_weights(env, opencl, &weights);
    return dgm_launch_items(&launch, args->core.rows);
}

dgm_status dgm_opencl_run_additive_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_additive_forward_args *args = args_;
    const struct dgm_cl_additive_context_args kernel = { .ctx = args->ctx,
                                                         .weights = args->weights,
                                                         .values = args->values,
                                                         .starts = args->starts,
                                                         .counts = args->counts,
                                                         .core = args->core };
    struct dgm_launch launch;

    DGM_TRY(find_weights(env, opencl, args));
    launch = dgm_begin_cl_additive_context(env, opencl, &kernel);
    return dgm_launch_rows(&launch, args->core.rows, args->core.width);
}

/* ---- backward ---------------------------------------------------------------------------- */

/* The gradients of the scores. */
static dgm_status find_slopes(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_additive_backward_args *args, struct dgm_ref slopes)
{
    const struct dgm_cl_additive_products_args products = { .slopes = slopes,
                                                            .dctx = args->dctx,
                                                            .values = args->values,
                                                            .starts = args->starts,
                                                            .counts = args->counts,
                                                            .core = args->core };
    const struct dgm_cl_additive_slopes_args kernel = {
        .slopes = slopes, .weights = args->weights, .counts = args->counts, .core = args->core
    };
    struct dgm_launch launch = dgm_begin_cl_additive_products(env, opencl, &products);

    DGM_TRY(dgm_launch_runs(&launch, args->core.rows * args->core.longest));
    launch = dgm_begin_cl_additive_slopes(env, opencl, &kernel);
    return dgm_launch_items(&launch, args->core.rows);
}

static dgm_status find_keys(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_additive_backward_args *args, struct dgm_ref slopes,
                            struct dgm_ref sums)
{
    const struct dgm_cl_additive_keys_args kernel = { .dq = args->dq,
                                                      .dkeys = args->dkeys,
                                                      .sums = sums,
                                                      .slopes = slopes,
                                                      .q = args->q,
                                                      .keys = args->keys,
                                                      .v = args->v,
                                                      .starts = args->starts,
                                                      .counts = args->counts,
                                                      .core = args->core };
    struct dgm_launch launch = dgm_begin_cl_additive_keys(env, opencl, &kernel);

    return dgm_launch_rows(&launch, args->core.rows, args->core.dim);
}

static dgm_status find_values(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_additive_backward_args *args)
{
    const struct dgm_cl_additive_values_args kernel = { .dvalues = args->dvalues,
                                                        .dctx = args->dctx,
                                                        .weights = args->weights,
                                                        .starts = args->starts,
                                                        .counts = args->counts,
                                                        .core = args->core };
    struct dgm_launch launch = dgm_begin_cl_additive_values(env, opencl, &kernel);

    return dgm_launch_rows(&launch, args->core.rows, args->core.width);
}

/* dv: the sums of the queries' shares. */
static dgm_status join(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_additive_backward_args *args, struct dgm_ref sums)
{
    const struct dgm_cl_additive_join_args kernel = { .dv = args->dv,
                                                      .sums = sums,
                                                      .core = args->core };
    struct dgm_launch launch = dgm_begin_cl_additive_join(env, opencl, &kernel);

    return dgm_launch_rows(&launch, 1, args->core.dim);
}

dgm_status dgm_opencl_run_additive_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_additive_backward_args *args = args_;
    const int64_t places = args->core.rows * args->core.longest;
    struct dgm_ref slopes, sums;

    DGM_TRY(dgm_cl_reserve(env, opencl, &slopes,
                           (size_t)(places + args->core.rows * args->core.dim) * sizeof(dgm_real)));
    sums = dgm_ref_at(slopes, (size_t)places * sizeof(dgm_real));
    DGM_TRY(find_slopes(env, opencl, args, slopes));
    DGM_TRY(find_keys(env, opencl, args, slopes, sums));
    if (args->dvalues.buffer)
        DGM_TRY(find_values(env, opencl, args));
    return args->dv.buffer ? join(env, opencl, args, sums) : DGM_OK;
}
