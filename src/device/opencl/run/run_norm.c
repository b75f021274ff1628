/*
 * run_norm.c: layer norm through OpenCL, alone and with the residual connection in front of it
 * (opencl/norm.cl).
 */
#include "device/opencl/run/push.h"

/* Most groups of a backward pass, each with sums of its own, on GPUs and processors; columns of a
 * group that adds these up, as in opencl/norm.cl. */
enum { BLOCKS = 1024, BLOCKS_CPU = 32, SUM_COLUMNS = 8 };

/* Rows of a group: one on a GPU; on a processor, enough to be worth a group's start. */
static int64_t least_step(const struct dgm_opencl *opencl, int64_t dim)
{
    const int64_t rows = opencl->traits.is_cpu && dim > 0 ? 8192 / dim : 1;

    return rows < 1 ? 1 : rows > 64 ? 64 : rows;
}

/* ---- forward ----------------------------------------------------------------------------- */

dgm_status dgm_opencl_run_norm_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                       const void *args_)
{
    const struct dgm_norm_forward_args *args = args_;
    const int64_t step = least_step(opencl, args->dim);
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_norm_forward);
    dgm_push_norm_forward(&launch, args);
    dgm_launch_int(&launch, step);
    return dgm_launch_groups(&launch, dgm_cl_divide_up(args->rows, step), 1, 1);
}

dgm_status dgm_opencl_run_residual_norm_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                                const void *args_)
{
    const struct dgm_residual_norm_forward_args *args = args_;
    const int64_t step = least_step(opencl, args->dim);
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_residual_norm_forward);
    dgm_push_residual_norm_forward(&launch, args);
    dgm_launch_int(&launch, step);
    return dgm_launch_groups(&launch, dgm_cl_divide_up(args->rows, step), 1, 1);
}

/* ---- backward ---------------------------------------------------------------------------- */

/* Sums down the rows run over fixed blocks of rows, and the sums of blocks are added in order. */
struct blocks {
    int64_t step, count;    /* rows of a block, and how many there are */
    struct dgm_ref partial; /* (count,2 dim): of each block, the sums for dgain and for dbias */
};

static dgm_status make_blocks(struct dgm_env *env, struct dgm_opencl *opencl, int64_t rows,
                              int64_t dim, struct blocks *blocks)
{
    blocks->step = dgm_cl_block_rows(rows, least_step(opencl, dim),
                                     opencl->traits.is_cpu ? BLOCKS_CPU : BLOCKS);
    blocks->count = dgm_cl_divide_up(rows, blocks->step);
    return dgm_cl_reserve(env, opencl, &blocks->partial,
                          2 * (size_t)(blocks->count * dim) * sizeof(dgm_real));
}

static dgm_status add_blocks(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct blocks *blocks, struct dgm_ref dgain,
                             struct dgm_ref dbias, int64_t dim)
{
    const struct dgm_cl_norm_sums_args kernel = { .dgain = dgain,
                                                  .dbias = dbias,
                                                  .partial = blocks->partial,
                                                  .blocks = blocks->count,
                                                  .dim = dim };
    const int64_t lanes = opencl->traits.lanes;
    const int64_t columns = (lanes < SUM_COLUMNS ? lanes : SUM_COLUMNS) * opencl->traits.vec;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_norm_sums);
    dgm_push_cl_norm_sums(&launch, &kernel);
    return dgm_launch_groups(&launch, dgm_cl_divide_up(dim, columns), 2, 1);
}

dgm_status dgm_opencl_run_norm_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                        const void *args_)
{
    const struct dgm_norm_backward_args *args = args_;
    struct dgm_cl_norm_backward_args kernel = { .dx = args->dx,
                                                .dy = args->dy,
                                                .x = args->x,
                                                .stats = args->stats,
                                                .gain = args->gain,
                                                .rows = args->rows,
                                                .dim = args->dim,
                                                .accumulate = args->accumulate };
    struct dgm_launch launch;
    struct blocks blocks;

    DGM_TRY(make_blocks(env, opencl, args->rows, args->dim, &blocks));
    kernel.partial = blocks.partial;
    kernel.step = blocks.step;
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_norm_backward);
    dgm_push_cl_norm_backward(&launch, &kernel);
    DGM_TRY(dgm_launch_groups(&launch, blocks.count, 1, 1));
    return add_blocks(env, opencl, &blocks, args->dgain, args->dbias, args->dim);
}

dgm_status dgm_opencl_run_residual_norm_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                                 const void *args_)
{
    const struct dgm_residual_norm_backward_args *args = args_;
    struct dgm_cl_residual_norm_backward_args kernel = { .dx = args->dx,
                                                         .dr = args->dr,
                                                         .dy = args->dy,
                                                         .x = args->x,
                                                         .stats = args->stats,
                                                         .gain = args->gain,
                                                         .places = args->places,
                                                         .rows = args->rows,
                                                         .dim = args->dim,
                                                         .drop = args->drop,
                                                         .accumulate = args->accumulate };
    struct dgm_launch launch;
    struct blocks blocks;

    DGM_TRY(make_blocks(env, opencl, args->rows, args->dim, &blocks));
    kernel.partial = blocks.partial;
    kernel.step = blocks.step;
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_residual_norm_backward);
    dgm_push_cl_residual_norm_backward(&launch, &kernel);
    DGM_TRY(dgm_launch_groups(&launch, blocks.count, 1, 1));
    return add_blocks(env, opencl, &blocks, args->dgain, args->dbias, args->dim);
}
