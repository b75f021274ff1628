/*
 * run_norm.c: layer norm and sums of columns through OpenCL (opencl/norm.cl, sums.cl).
 *
 * Sums down the rows run over fixed blocks of rows, and the sums of blocks are added in order.
 */
#include "device/opencl/run/push.h"

enum {
    SUM_BLOCKS = 64, /* most blocks of column_sums */
    /* Most groups of norm_backward, each with sums of its own, on GPUs and processors. */
    NORM_BLOCKS = 1024,
    NORM_BLOCKS_CPU = 32
};

/* Of `count` rows, how many make a block: at least `least`, and at most `most` blocks. */
static int64_t block_rows(int64_t count, int64_t least, int64_t most)
{
    const int64_t rows = dgm_cl_divide_up(count, most);

    return rows > least ? rows : least;
}

/* ---- sums of columns ----------------------------------------------------------------------- */

static int64_t sum_step(const struct dgm_opencl *opencl, int64_t m)
{
    return block_rows(m, opencl->traits.is_cpu ? 256 : 32, SUM_BLOCKS);
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
/* ---- norm ---------------------------------------------------------------------------------- */

/* Rows of a group: one on a GPU; on a processor, enough to be worth a group's start. */
static int64_t norm_step(const struct dgm_opencl *opencl, int64_t dim)
{
    const int64_t rows = opencl->traits.is_cpu && dim > 0 ? 8192 / dim : 1;

    return rows < 1 ? 1 : rows > 64 ? 64 : rows;
}

dgm_status dgm_opencl_run_norm_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                       const void *args_)
{
    const struct dgm_norm_forward_args *args = args_;
    const int64_t step = norm_step(opencl, args->dim);
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_norm_forward);
    dgm_push_norm_forward(&launch, args);
    dgm_launch_int(&launch, step);
    return dgm_launch_groups(&launch, dgm_cl_divide_up(args->rows, step), 1, 1);
}

/* dx, and the sums of each block of rows for dgain and dbias. */
static dgm_status norm_blocks(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_norm_backward_args *args, struct dgm_ref partial,
                              int64_t step)
{
    const struct dgm_cl_norm_backward_args kernel = { .dx = args->dx,
                                                      .partial = partial,
                                                      .dy = args->dy,
                                                      .x = args->x,
                                                      .stats = args->stats,
                                                      .gain = args->gain,
                                                      .rows = args->rows,
                                                      .dim = args->dim,
                                                      .step = step,
                                                      .accumulate = args->accumulate };
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_norm_backward);
    dgm_push_cl_norm_backward(&launch, &kernel);
    return dgm_launch_groups(&launch, dgm_cl_divide_up(args->rows, step), 1, 1);
}

dgm_status dgm_opencl_run_norm_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                        const void *args_)
{
    const struct dgm_norm_backward_args *args = args_;
    const int64_t dim = args->dim;
    const int64_t step = block_rows(args->rows, norm_step(opencl, dim),
                                    opencl->traits.is_cpu ? NORM_BLOCKS_CPU : NORM_BLOCKS);
    const int64_t blocks = dgm_cl_divide_up(args->rows, step);
    const size_t row = (size_t)dim * sizeof(dgm_real);
    /* A block's sums for dgain stand before those for dbias. */
    struct dgm_column_sums_args sums = { .m = blocks, .n = dim, .ldx = 2 * dim };
    struct dgm_ref partial, room;

    DGM_TRY(dgm_cl_reserve(env, opencl, &partial, (2 * (size_t)blocks + SUM_BLOCKS) * row));
    room = dgm_ref_at(partial, 2 * (size_t)blocks * row);
    DGM_TRY(norm_blocks(env, opencl, args, partial, step));
    sums.y = args->dgain;
    sums.x = partial;
    DGM_TRY(add_sums(env, opencl, &sums, room));
    sums.y = args->dbias;
    sums.x = dgm_ref_at(partial, row);
    return add_sums(env, opencl, &sums, room);
}
