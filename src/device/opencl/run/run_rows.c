/*
 * run_rows.c: rows looked up in a table, and added to rows of one; dropout and residual connections;
 * copies of rows and of blocks of columns, through OpenCL (embed.cl, residual.cl, rows_move.cl).
 */
#include "device/opencl/run/push.h"

/* ---- look-ups ------------------------------------------------------------------------------------ */

enum { BLOCK = 32 }; /* sorted rows of a group; as in opencl/embed.cl */

dgm_status dgm_opencl_run_embed_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                        const void *args_)
{
    const struct dgm_embed_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_embed_forward);
    dgm_push_embed_forward(&launch, args);
    return dgm_launch_tiles(&launch, args->rows, args->dim);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void begin_backward(struct dgm_launch *launch, struct dgm_env *env,
                           struct dgm_opencl *opencl, const struct dgm_embed_backward_args *args)
{
    dgm_launch_begin(launch, env, opencl, DGM_KERNEL_embed_backward);
    dgm_push_embed_backward(launch, args);
}

static dgm_status sort(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_embed_backward_args *args, struct dgm_ref sorted)
{
    const struct dgm_cl_embed_sort_args kernel = { .sorted = sorted,
                                                   .ids = args->ids,
                                                   .rows = args->rows };
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_embed_sort);
    dgm_push_cl_embed_sort(&launch, &kernel);
    return dgm_launch_groups(&launch, dgm_cl_divide_up(args->rows, opencl->traits.lanes), 1, 1);
}

static dgm_status join(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_embed_backward_args *args, struct dgm_ref sorted,
                       struct dgm_ref partial)
{
    const int64_t lanes = opencl->traits.lanes;
    const struct dgm_cl_embed_join_args kernel = { .dtable = args->dtable,
                                                   .ids = args->ids,
                                                   .rows = args->rows,
                                                   .dim = args->dim,
                                                   .ld_table = args->ld_table,
                                                   .sorted = sorted,
                                                   .partial = partial };
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_embed_join);
    dgm_push_cl_embed_join(&launch, &kernel);
    return dgm_launch_groups(&launch, dgm_cl_divide_up(args->rows, BLOCK),
                             dgm_cl_divide_up(args->dim, lanes), 1);
}

static dgm_status backward_on_gpu(struct dgm_env *env, struct dgm_opencl *opencl,
                                  const struct dgm_embed_backward_args *args)
{
    const int64_t blocks = dgm_cl_divide_up(args->rows, BLOCK);
    const int64_t columns = opencl->traits.lanes * dgm_launch_tile(opencl);
    const size_t partial_bytes = (size_t)(blocks * args->dim) * sizeof(dgm_real);
    struct dgm_launch launch;
    struct dgm_ref partial, sorted;

    DGM_TRY(dgm_cl_reserve(env, opencl, &partial,
                           partial_bytes + (size_t)args->rows * sizeof(int32_t)));
    sorted = dgm_ref_at(partial, partial_bytes);
    DGM_TRY(sort(env, opencl, args, sorted));
    begin_backward(&launch, env, opencl, args);
    dgm_launch_ref(&launch, sorted);
    dgm_launch_ref(&launch, partial);
    DGM_TRY(dgm_launch_groups(&launch, blocks, dgm_cl_divide_up(args->dim, columns), 1));
    return join(env, opencl, args, sorted, partial);
}

dgm_status dgm_opencl_run_embed_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                         const void *args_)
{
    const struct dgm_embed_backward_args *args = args_;
    struct dgm_launch launch;

    if (!opencl->traits.is_cpu)
        return backward_on_gpu(env, opencl, args);
    begin_backward(&launch, env, opencl, args);
    return dgm_launch_groups(&launch, dgm_cl_divide_up(args->dim, dgm_launch_tile(opencl)), 1, 1);
}

/* Like the gradient of a look-up, without scale and dropout. */
dgm_status dgm_opencl_run_add_rows(struct dgm_env *env, struct dgm_opencl *opencl,
                                   const void *args_)
{
    const struct dgm_add_rows_args *args = args_;
    struct dgm_embed_backward_args same = { 0 };

    same.dtable = args->y;
    same.dy = args->x;
    same.ids = args->index;
    same.rows = args->rows;
    same.dim = same.ldy = same.ld_table = args->dim;
    same.scale = 1;
    return dgm_opencl_run_embed_backward(env, opencl, &same);
}

/* ---- residual ------------------------------------------------------------------------------------ */

static dgm_status run_residual(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_residual_forward_args *args)
{
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_residual);
    dgm_push_residual_forward(&launch, args);
    return dgm_launch_tiles(&launch, args->rows, args->dim);
}

dgm_status dgm_opencl_run_residual_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args)
{
    return run_residual(env, opencl, args);
}

/* The gradient of dropout is the same dropout: dr = [dr +] dropout(dy). */
dgm_status dgm_opencl_run_residual_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_residual_backward_args *args = args_;
    struct dgm_residual_forward_args same = { 0 };

    same.y = args->dr;
    if (args->accumulate)
        same.x = args->dr;
    same.r = args->dy;
    same.places = args->places;
    same.rows = args->rows;
    same.dim = args->dim;
    same.drop = args->drop;
    return run_residual(env, opencl, &same);
}

/* ---- copies -------------------------------------------------------------------------------------- */

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
