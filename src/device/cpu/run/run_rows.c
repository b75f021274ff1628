/*
 * run_rows.c: tasks on rows of width D on the CPU: look-up, dropout, norm, copies, column sums.
 *
 * Blocks are rows of about BLOCK elements, or slices of COLUMNS columns where sums run
 * down the rows. Where each block has sums of its own, these are added in the order of blocks.
 */
#include <string.h>

#include "device/cpu/blocks.h"
#include "device/cpu/run/run_weights.h"

#define BLOCK 16384
#define COLUMNS 64   /* a multiple of 4: dropout draws four columns at a time */
#define SUM_ROWS 256 /* rows of column_sums that are summed before they are added */

/* Rows in one block. */
static int64_t rows_step(int64_t dim)
{
    int64_t rows = dim > 0 ? BLOCK / dim : 64;

    return rows < 1 ? 1 : rows > 64 ? 64 : rows;
}

/* ---- embedding --------------------------------------------------------------------------- */

DGM_CPU_KERNEL_ROWS(embed_forward_rows, rows->embed_forward)

dgm_status dgm_cpu_run_embed_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    struct dgm_embed_forward_job job = dgm_cpu_open_embed_forward(args);

    if (dgm_cpu_weights(((const struct dgm_embed_forward_args *)args)->table))
        DGM_TRY(dgm_cpu_look_up_weights(env, cpu, args, &job));
    dgm_cpu_run_rows(cpu, &job, job.rows, rows_step(job.dim), embed_forward_rows);
    return DGM_OK;
}

DGM_CPU_RUN_KERNEL(embed_backward, rows->embed_backward, job.dim, COLUMNS)

/* ---- residual ---------------------------------------------------------------------------- */

DGM_CPU_RUN_KERNEL(residual_forward, rows->residual, job.rows, rows_step(job.dim))

/* The gradient of dropout is the same dropout: dr = [dr +] dropout(dy). */
dgm_status dgm_cpu_run_residual_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_residual_backward_args *args = args_;
    struct dgm_residual_forward_args same = { .y = args->dr,
                                              .r = args->dy,
                                              .places = args->places,
                                              .rows = args->rows,
                                              .dim = args->dim,
                                              .drop = args->drop };

    if (args->accumulate)
        same.x = args->dr;
    return dgm_cpu_run_residual_forward(env, cpu, &same);
}

/* ---- norm -------------------------------------------------------------------------------- */

DGM_CPU_RUN_KERNEL(norm_forward, rows->norm_forward, job.rows, rows_step(job.dim))

static void norm_backward_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_norm_backward_job *work = blocks->work;
    dgm_real *dgain = dgm_cpu_block_sums(blocks, block), *dbias = dgain + work->dim;

    (void)worker;
    blocks->kernels->rows->norm_backward(work, block * blocks->step,
                                         dgm_cpu_block_end(blocks, block), dgain, dbias);
}

dgm_status dgm_cpu_run_norm_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_norm_backward_args *args = args_;
    const struct dgm_math_kernels *math = cpu->kernels->math;
    const struct dgm_norm_backward_job job = dgm_cpu_open_norm_backward(args);
    const int64_t dim = job.dim;
    /* Sums of a block: [dgain | dbias]. */
    struct dgm_cpu_blocks blocks = {
        .work = &job, .count = job.rows, .step = rows_step(dim), .sums = 2 * dim
    };

    DGM_TRY(dgm_cpu_run_sums(env, cpu, &blocks, norm_backward_block));
    for (int64_t b = 0; b < dgm_cpu_count_blocks(&blocks); b++) {
        const dgm_real *sums = blocks.partial + b * blocks.sums;

        math->add(job.dgain, job.dgain, sums, dim);
        math->add(job.dbias, job.dbias, sums + dim, dim);
    }
    return DGM_OK;
}

/* ---- copies and sums --------------------------------------------------------------------- */

static void copy_rows_by_index(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                               int64_t end)
{
    const struct dgm_copy_rows_job *job = work;
    const int32_t *index = job->index;

    (void)kernels;
    for (int64_t i = begin; i < end; i++)
        if (index[i] < 0)
            memset(job->y + i * job->ldy, 0, (size_t)job->dim * sizeof *job->y);
        else
            memcpy(job->y + i * job->ldy, job->x + index[i] * job->ldx,
                   (size_t)job->dim * sizeof *job->y);
}

dgm_status dgm_cpu_run_copy_rows(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_copy_rows_args *args = args_;
    const struct dgm_copy_rows_job job = dgm_cpu_open_copy_rows(args);

    if (dgm_cpu_weights(args->y) || dgm_cpu_weights(args->x))
        return dgm_cpu_copy_weights(env, cpu, args);
    dgm_cpu_run_rows(cpu, &job, job.rows, rows_step(job.dim), copy_rows_by_index);
    return DGM_OK;
}

/* Slices of columns: rows of y may be met more than once, always in the order of x. */
static void add_rows_columns(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                             int64_t end)
{
    const struct dgm_add_rows_job *job = work;
    const int64_t cols = end - begin;
    const int32_t *index = job->index;

    for (int64_t i = 0; i < job->rows; i++)
        if (index[i] >= 0)
            kernels->rows->column_sums(job->y + index[i] * job->dim + begin,
                                       job->x + i * job->dim + begin, job->dim, 1, cols);
}

DGM_CPU_RUN_ROWS(add_rows, job.dim, COLUMNS, add_rows_columns)

static void column_sums_columns(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                                int64_t end)
{
    const struct dgm_column_sums_job *job = work;
    const int64_t cols = end - begin;

    /* y gets the sum of SUM_ROWS rows at a time: the blocks are part of the bits. */
    for (int64_t i = 0; i < job->m; i += SUM_ROWS)
        kernels->rows->column_sums(job->y + begin, job->x + i * job->ldx + begin, job->ldx,
                                   dgm_cpu_min(SUM_ROWS, job->m - i), cols);
}

DGM_CPU_RUN_ROWS(column_sums, job.n, COLUMNS, column_sums_columns)

/* ---- blocks of columns ------------------------------------------------------------------- */

static void copy_columns_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                              int64_t end)
{
    const struct dgm_copy_columns_job *job = work;
    const int64_t width = job->width;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *x = job->x + i * job->ldx;
        dgm_real *y = job->y + i * job->ldy;

        for (int64_t group = 0; group < job->groups; group++) {
            if (job->accumulate)
                kernels->math->add(y, y, x, width);
            else
                memcpy(y, x, (size_t)width * sizeof *y);
            x += job->step_x;
            y += job->step_y;
        }
    }
}

dgm_status dgm_cpu_run_copy_columns(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_copy_columns_job job = dgm_cpu_open_copy_columns(args);
    const int64_t row = job.groups * job.width;

    (void)env;
    if (row > 0)
        dgm_cpu_run_rows(cpu, &job, job.rows, dgm_cpu_block_rows(BLOCK, row), copy_columns_rows);
    return DGM_OK;
}
