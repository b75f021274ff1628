/*
 * run_rows.c: tasks on rows through OpenCL: look-ups in a table, and sums over rows of one; dropout
 * and residual connections; sums of columns; copies (opencl/embed.cl, residual.cl, sums.cl,
 * rows_move.cl).
 */
#include "device/opencl/gemm/pack/packed_rows.h"
#include "device/opencl/run/push.h"

/* ---- look-ups ---------------------------------------------------------------------------- */

enum {
    BLOCK = 32,     /* sorted rows of a group; as in opencl/embed.cl */
    SUM_BLOCKS = 64 /* most blocks of column_sums */
};

dgm_status dgm_opencl_run_embed_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                        const void *args_)
{
    const struct dgm_embed_forward_args *args = args_;
    const struct dgm_cl_packing packing =
        dgm_cl_packing_begin(env, opencl, DGM_KERNEL_embed_forward, args->y, args->rows, args->dim,
                             args->ldy == args->dim);
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_embed_forward);
    dgm_push_embed_forward(&launch, args);
    dgm_cl_packing_push(&launch, &packing);
    DGM_TRY(dgm_launch_tiles(&launch, args->rows, args->dim));
    return dgm_cl_packing_end(env, opencl, DGM_KERNEL_embed_forward, &packing);
}

/* ---- sums -------------------------------------------------------------------------------- */

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
    struct dgm_launch launch = dgm_begin_cl_embed_sort(env, opencl, &kernel);

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
    struct dgm_launch launch = dgm_begin_cl_embed_join(env, opencl, &kernel);

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

/* ---- residual ---------------------------------------------------------------------------- */

DGM_CL_RUN_KERNEL(residual_forward, tiles, args->rows, args->dim)

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
    return dgm_opencl_run_residual_forward(env, opencl, &same);
}

/* ---- sums of columns --------------------------------------------------------------------- */

/* Sums down the rows run over fixed blocks of rows, and the sums of blocks are added in order. */

static int64_t sum_step(const struct dgm_opencl *opencl, int64_t m)
{
    return dgm_cl_block_rows(m, opencl->traits.is_cpu ? 256 : 32, SUM_BLOCKS);
}

/* y: the sums of each block of `step` rows; or, added to, the sums of all rows. */
static dgm_status sum_blocks(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_column_sums_args *args, int64_t step, int add)
{
    const int64_t wide = opencl->traits.vec * (opencl->traits.is_cpu ? 4 : 1);
    const int64_t columns = opencl->traits.lanes * wide;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_column_sums);
    dgm_push_column_sums(&launch, args);
    dgm_launch_int(&launch, step);
    dgm_launch_int(&launch, add);
    return dgm_launch_groups(&launch, dgm_cl_divide_up(args->n, columns),
                             dgm_cl_divide_up(args->m, step), 1);
}

/* y += the sums over the rows; `room` is for SUM_BLOCKS x n reals. */
static dgm_status add_sums(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_column_sums_args *args, struct dgm_ref room)
{
    const int64_t step = sum_step(opencl, args->m), blocks = dgm_cl_divide_up(args->m, step);
    struct dgm_column_sums_args first = *args, second = *args;

    if (blocks <= 1)
        return sum_blocks(env, opencl, args, step, 1);
    first.y = second.x = room;
    second.m = blocks;
    second.ldx = args->n;
    DGM_TRY(sum_blocks(env, opencl, &first, step, 0));
    return sum_blocks(env, opencl, &second, blocks, 1);
}

dgm_status dgm_opencl_run_column_sums(struct dgm_env *env, struct dgm_opencl *opencl,
                                      const void *args_)
{
    const struct dgm_column_sums_args *args = args_;
    struct dgm_ref room;

    DGM_TRY(dgm_cl_reserve(env, opencl, &room, SUM_BLOCKS * (size_t)args->n * sizeof(dgm_real)));
    return add_sums(env, opencl, args, room);
}

/* ---- copies ------------------------------------------------------------------------------ */

DGM_CL_RUN_KERNEL(copy_rows, strips, args->rows, args->dim)
DGM_CL_RUN_KERNEL(copy_columns, strips, args->rows * args->groups, args->width)
