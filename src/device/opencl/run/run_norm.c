/*
 * run_norm.c: layer norm through OpenCL, alone and with the residual connection in front of it
 * (opencl/norm.cl, norm_backward.cl).
 */
#include "device/opencl/run/run_norm.h"

#include <string.h>

#include "device/opencl/gemm/pack/packed_rows.h"
#include "device/opencl/run/push.h"
#include "device/task_shape.h"

/* Most groups of a backward pass, each with sums of its own, on GPUs and processors; columns of a
 * group that adds these up, as in opencl/norm_backward.cl. */
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
    const enum dgm_cl_kernel_id id = DGM_KERNEL_residual_norm_forward;
    const struct dgm_residual_norm_forward_args *args = args_;
    const int64_t step = least_step(opencl, args->dim);
    const struct dgm_cl_packing packing =
        dgm_cl_packing_begin(env, opencl, id, args->y, args->rows, args->dim, 1);
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, id);
    dgm_push_residual_norm_forward(&launch, args);
    dgm_launch_int(&launch, step);
    dgm_cl_packing_push(&launch, &packing);
    DGM_TRY(dgm_launch_groups(&launch, dgm_cl_divide_up(args->rows, step), 1, 1));
    return dgm_cl_packing_end(env, opencl, id, &packing);
}

/* ---- sums that wait ---------------------------------------------------------------------- */

/* Sums down the rows run over fixed blocks of rows, and the sums of blocks are added in order. */

/* Groups that add up sums of blocks: those for a gain and as many for a bias. */
static int64_t sum_groups(const struct dgm_opencl *opencl, int64_t dim)
{
    const int64_t lanes = opencl->traits.lanes;
    const int64_t columns = (lanes < SUM_COLUMNS ? lanes : SUM_COLUMNS) * opencl->traits.vec;

    return 2 * dgm_cl_divide_up(dim, columns);
}

/* What waits, as parameters of either kernel of a backward pass (run/kernel_args_list.h). */
#define PUSH_BEFORE(kernel, sums)                \
    do {                                         \
        (kernel)->old_dgain = (sums)->dgain;     \
        (kernel)->old_dbias = (sums)->dbias;     \
        (kernel)->old_partial = (sums)->partial; \
        (kernel)->old_blocks = (sums)->blocks;   \
        (kernel)->old_dim = (sums)->dim;         \
    } while (0)

/* By the kernel that left them, which has no rows then: so a trial of it tries this part, too. */
dgm_status dgm_cl_norm_settle(struct dgm_env *env, struct dgm_opencl *opencl)
{
    const struct dgm_cl_norm_sums *sums = &opencl->norm_sums;
    struct dgm_cl_norm_backward_args plain = { .rows = 0 };
    struct dgm_cl_residual_norm_backward_args residual = { .rows = 0 };
    struct dgm_launch launch;

    if (!sums->is_there)
        return DGM_OK;
    opencl->norm_sums.is_there = 0;
    PUSH_BEFORE(&plain, sums);
    PUSH_BEFORE(&residual, sums);
    dgm_launch_begin(&launch, env, opencl, sums->kernel);
    if (sums->kernel == DGM_KERNEL_norm_backward)
        dgm_push_cl_norm_backward(&launch, &plain);
    else
        dgm_push_cl_residual_norm_backward(&launch, &residual);
    return dgm_launch_groups(&launch, sum_groups(opencl, sums->dim), 1, 1);
}

static int is_in(struct dgm_ref ref, int64_t count, struct dgm_ref sum, int64_t dim)
{
    return ref.buffer == sum.buffer && ref.offset < sum.offset + (size_t)dim * sizeof(dgm_real) &&
           sum.offset < ref.offset + (size_t)count * sizeof(dgm_real);
}

/* Whether `count` reals from `ref` on hold any of the gradients. */
static int holds(const struct dgm_cl_norm_sums *sums, struct dgm_ref ref, int64_t count)
{
    return is_in(ref, count, sums->dgain, sums->dim) || is_in(ref, count, sums->dbias, sums->dim);
}

static int is_beside(const struct dgm_cl_norm_sums *sums, struct dgm_ref ref)
{
    return ref.buffer != NULL &&
           (ref.buffer == sums->dgain.buffer || ref.buffer == sums->dbias.buffer);
}

/* A product writes gradients of weights and biases, which lie in one buffer with those of norms. */
static int product_concerns(const struct dgm_cl_norm_sums *sums, const struct dgm_gemm_args *args)
{
    return is_beside(sums, args->a) || is_beside(sums, args->b) || is_beside(sums, args->bias) ||
           is_beside(sums, args->mask) || args->batch != 1 ||
           holds(sums, args->c, args->m * args->ldc) || holds(sums, args->sums, args->m);
}

/* Backward passes of norms add in turn. Of other tasks it is not known how far operands reach. */
int dgm_cl_norm_concerns(const struct dgm_opencl *opencl, enum dgm_task_kind kind, const void *args)
{
    const struct dgm_cl_norm_sums *sums = &opencl->norm_sums;
    const struct dgm_task_shape *shape = dgm_task_shape(kind);
    const struct dgm_ref *operands = args;

    if (!sums->is_there || kind == DGM_TASK_norm_backward ||
        kind == DGM_TASK_residual_norm_backward)
        return 0;
    if (kind == DGM_TASK_gemm)
        return product_concerns(sums, args);
    for (int i = 0; i < shape->outputs + shape->inputs; i++)
        if (is_beside(sums, operands[i]))
            return 1;
    return 0;
}

/* ---- backward ---------------------------------------------------------------------------- */

/* Rows of a block, how many blocks there are, and what waits for them to add it up. */
struct blocks {
    int64_t step, count;
    struct dgm_ref partial; /* (count,2 dim): of each block, the sums for dgain and for dbias */
    struct dgm_cl_norm_sums old;
};

static dgm_status begin_blocks(struct dgm_env *env, struct dgm_opencl *opencl, int64_t rows,
                               int64_t dim, struct blocks *blocks)
{
    blocks->step = dgm_cl_block_rows(rows, least_step(opencl, dim),
                                     opencl->traits.is_cpu ? BLOCKS_CPU : BLOCKS);
    blocks->count = dgm_cl_divide_up(rows, blocks->step);
    if (!opencl->norm_sums.is_there)
        memset(&opencl->norm_sums, 0, sizeof opencl->norm_sums);
    blocks->old = opencl->norm_sums;
    return dgm_cl_reserve_in(env, opencl, &opencl->norm_blocks[opencl->norm_turn], &blocks->partial,
                             2 * (size_t)(blocks->count * dim) * sizeof(dgm_real));
}

/* Launches the kernel that has been given everything; what it leaves waits. */
static dgm_status end_blocks(struct dgm_launch *launch, const struct blocks *blocks,
                             struct dgm_ref dgain, struct dgm_ref dbias, int64_t dim)
{
    struct dgm_opencl *opencl = launch->opencl;
    const int64_t old = blocks->old.is_there ? sum_groups(opencl, blocks->old.dim) : 0;
    const struct dgm_cl_norm_sums sums = { .is_there = blocks->count > 0,
                                           .kernel = launch->id,
                                           .dgain = dgain,
                                           .dbias = dbias,
                                           .partial = blocks->partial,
                                           .blocks = blocks->count,
                                           .dim = dim };

    DGM_TRY(dgm_launch_groups(launch, blocks->count + old, 1, 1));
    opencl->norm_sums = sums;
    /* Two buffers in turn: the next launch reads these sums and writes its own. */
    opencl->norm_turn = !opencl->norm_turn;
    return DGM_OK;
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

    DGM_TRY(begin_blocks(env, opencl, args->rows, args->dim, &blocks));
    kernel.partial = blocks.partial;
    kernel.step = blocks.step;
    PUSH_BEFORE(&kernel, &blocks.old);
    kernel.blocks = blocks.count;
    launch = dgm_begin_cl_norm_backward(env, opencl, &kernel);
    return end_blocks(&launch, &blocks, args->dgain, args->dbias, args->dim);
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

    DGM_TRY(begin_blocks(env, opencl, args->rows, args->dim, &blocks));
    kernel.partial = blocks.partial;
    kernel.step = blocks.step;
    PUSH_BEFORE(&kernel, &blocks.old);
    kernel.blocks = blocks.count;
    launch = dgm_begin_cl_residual_norm_backward(env, opencl, &kernel);
    return end_blocks(&launch, &blocks, args->dgain, args->dbias, args->dim);
}
