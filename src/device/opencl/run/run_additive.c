/*
 * run_additive.c: additive attention through OpenCL.
 */
#include "device/opencl/core/launch.h"

static int64_t parts_of(const struct dgm_opencl *opencl, int64_t rows, int64_t width)
{
    return rows * dgm_cl_divide_up(width, opencl->traits.vec);
}

/* Kernels of a work-item for each query, or of a group for each place. */
static void add_shape(struct dgm_launch *launch, const struct dgm_additive *core)
{
    dgm_launch_int(launch, core->rows);
    dgm_launch_int(launch, core->longest);
}

/* Those on values and contexts. */
static void add_wide_shape(struct dgm_launch *launch, const struct dgm_additive *core)
{
    add_shape(launch, core);
    dgm_launch_int(launch, core->width);
    dgm_launch_long(launch, core->ld_ctx);
}

static dgm_status find_weights(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_additive_forward_args *args)
{
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_additive_scores);
    dgm_launch_ref(&launch, args->weights);
    dgm_launch_ref(&launch, args->q);
    dgm_launch_ref(&launch, args->keys);
    dgm_launch_ref(&launch, args->v);
    dgm_launch_ref(&launch, args->starts);
    dgm_launch_ref(&launch, args->counts);
    add_shape(&launch, &args->core);
    dgm_launch_int(&launch, args->core.dim);
    DGM_TRY(dgm_launch_runs(&launch, args->core.rows * args->core.longest));
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_additive_weights);
    dgm_launch_ref(&launch, args->weights);
    dgm_launch_ref(&launch, args->counts);
    add_shape(&launch, &args->core);
    return dgm_launch_items(&launch, args->core.rows);
}

dgm_status dgm_opencl_run_additive_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_additive_forward_args *args = args_;
    struct dgm_launch launch;

    DGM_TRY(find_weights(env, opencl, args));
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_additive_context);
    dgm_launch_ref(&launch, args->ctx);
    dgm_launch_ref(&launch, args->weights);
    dgm_launch_ref(&launch, args->values);
    dgm_launch_ref(&launch, args->starts);
    dgm_launch_ref(&launch, args->counts);
    add_wide_shape(&launch, &args->core);
    return dgm_launch_items(&launch, parts_of(opencl, args->core.rows, args->core.width));
}

/* The gradients of the scores. */
static dgm_status find_slopes(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_additive_backward_args *args, struct dgm_ref slopes)
{
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_additive_products);
    dgm_launch_ref(&launch, slopes);
    dgm_launch_ref(&launch, args->dctx);
    dgm_launch_ref(&launch, args->values);
    dgm_launch_ref(&launch, args->starts);
    dgm_launch_ref(&launch, args->counts);
    add_wide_shape(&launch, &args->core);
    DGM_TRY(dgm_launch_runs(&launch, args->core.rows * args->core.longest));
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_additive_slopes);
    dgm_launch_ref(&launch, slopes);
    dgm_launch_ref(&launch, args->weights);
    dgm_launch_ref(&launch, args->counts);
    add_shape(&launch, &args->core);
    return dgm_launch_items(&launch, args->core.rows);
}

static dgm_status find_keys(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_additive_backward_args *args, struct dgm_ref slopes,
                            struct dgm_ref sums)
{
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_additive_keys);
    dgm_launch_ref(&launch, args->dq);
    dgm_launch_ref(&launch, args->dkeys);
    dgm_launch_ref(&launch, sums);
    dgm_launch_ref(&launch, slopes);
    dgm_launch_ref(&launch, args->q);
    dgm_launch_ref(&launch, args->keys);
    dgm_launch_ref(&launch, args->v);
    dgm_launch_ref(&launch, args->starts);
    dgm_launch_ref(&launch, args->counts);
    add_shape(&launch, &args->core);
    dgm_launch_int(&launch, args->core.dim);
    return dgm_launch_items(&launch, parts_of(opencl, args->core.rows, args->core.dim));
}

static dgm_status find_values(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_additive_backward_args *args)
{
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_additive_values);
    dgm_launch_ref(&launch, args->dvalues);
    dgm_launch_ref(&launch, args->dctx);
    dgm_launch_ref(&launch, args->weights);
    dgm_launch_ref(&launch, args->starts);
    dgm_launch_ref(&launch, args->counts);
    add_wide_shape(&launch, &args->core);
    return dgm_launch_items(&launch, parts_of(opencl, args->core.rows, args->core.width));
}

dgm_status dgm_opencl_run_additive_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_additive_backward_args *args = args_;
    const int64_t places = args->core.rows * args->core.longest;
    struct dgm_launch launch;
    struct dgm_ref slopes, sums;

    DGM_TRY(dgm_cl_reserve(env, opencl, &slopes,
                           (size_t)(places + args->core.rows * args->core.dim) * sizeof(dgm_real)));
    sums = dgm_ref_at(slopes, (size_t)places * sizeof(dgm_real));
    DGM_TRY(find_slopes(env, opencl, args, slopes));
    DGM_TRY(find_keys(env, opencl, args, slopes, sums));
    if (args->dvalues.buffer)
        DGM_TRY(find_values(env, opencl, args));
    if (!args->dv.buffer)
        return DGM_OK;
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_additive_join);
    dgm_launch_ref(&launch, args->dv);
    dgm_launch_ref(&launch, sums);
    dgm_launch_int(&launch, args->core.rows);
    dgm_launch_int(&launch, args->core.dim);
    return dgm_launch_items(&launch, parts_of(opencl, 1, args->core.dim));
}
