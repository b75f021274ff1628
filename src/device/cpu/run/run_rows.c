/*
 * run_rows.c: tasks on rows of width D on the CPU: look-up, dropout, norm, copies, column sums.
 *
 * Blocks are rows of about BLOCK elements, or slices of COLUMNS columns where sums run
 * down the rows. Where each block has sums of its own, these are added in the order of blocks.
 */
#include <string.h>

#include "device/cpu/blocks.h"

#define BLOCK 16384
#define COLUMNS 64   /* a multiple of 4: dropout draws four columns at a time */
#define SUM_ROWS 256 /* rows of column_sums that are summed before they are added */

/* Rows in one block. */
static int64_t rows_step(int64_t dim)
{
    int64_t rows = dim > 0 ? BLOCK / dim : 64;

    return rows < 1 ? 1 : rows > 64 ? 64 : rows;
}

static struct dgm_mask mask_of(const struct dgm_drop *drop)
{
    return dgm_mask_make(drop->rate, drop->stream, drop->key);
}

/* ---- embedding ----------------------------------------------------------------------------- */

DGM_CPU_BLOCK(embed_forward_block, rows->embed_forward)

dgm_status dgm_cpu_run_embed_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_embed_forward_args *args = args_;
    struct dgm_embed_rows work;

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.table = dgm_cpu_at(args->table);
    work.ids = dgm_cpu_at(args->ids);
    work.positions = dgm_cpu_at(args->positions);
    work.places = dgm_cpu_at(args->places);
    work.dim = args->dim;
    work.ldy = args->ldy;
    work.ld_table = args->ld_table;
    work.scale = args->scale;
    work.mask = mask_of(&args->drop);
    dgm_cpu_run_rows(cpu, &work, args->rows, rows_step(args->dim), embed_forward_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(embed_backward_block, rows->embed_backward)

dgm_status dgm_cpu_run_embed_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_embed_backward_args *args = args_;
    struct dgm_embed_grad work;

    (void)env;
    work.dtable = dgm_cpu_at(args->dtable);
    work.dy = dgm_cpu_at(args->dy);
    work.ids = dgm_cpu_at(args->ids);
    work.places = dgm_cpu_at(args->places);
    work.rows = args->rows;
    work.ldy = args->ldy;
    work.ld_table = args->ld_table;
    work.scale = args->scale;
    work.mask = mask_of(&args->drop);
    dgm_cpu_run_rows(cpu, &work, args->dim, COLUMNS, embed_backward_block);
    return DGM_OK;
}

/* ---- residual ------------------------------------------------------------------------------ */

DGM_CPU_BLOCK(residual_block, rows->residual)

dgm_status dgm_cpu_run_residual_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_residual_forward_args *args = args_;
    struct dgm_residual_rows work;

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.x = dgm_cpu_at(args->x);
    work.r = dgm_cpu_at(args->r);
    work.places = dgm_cpu_at(args->places);
    work.dim = args->dim;
    work.mask = mask_of(&args->drop);
    dgm_cpu_run_rows(cpu, &work, args->rows, rows_step(args->dim), residual_block);
    return DGM_OK;
}

/* The gradient of dropout is the same dropout: dr = [dr +] dropout(dy). */
dgm_status dgm_cpu_run_residual_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_residual_backward_args *args = args_;
    struct dgm_residual_rows work;

    (void)env;
    work.y = dgm_cpu_at(args->dr);
    work.x = args->accumulate ? work.y : NULL;
    work.r = dgm_cpu_at(args->dy);
    work.places = dgm_cpu_at(args->places);
    work.dim = args->dim;
    work.mask = mask_of(&args->drop);
    dgm_cpu_run_rows(cpu, &work, args->rows, rows_step(args->dim), residual_block);
    return DGM_OK;
}

/* ---- norm ---------------------------------------------------------------------------------- */

DGM_CPU_BLOCK(norm_forward_block, rows->norm_forward)

dgm_status dgm_cpu_run_norm_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_norm_forward_args *args = args_;
    struct dgm_norm_rows work;

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.stats = dgm_cpu_at(args->stats);
    work.x = dgm_cpu_at(args->x);
    work.gain = dgm_cpu_at(args->gain);
    work.bias = dgm_cpu_at(args->bias);
    work.dim = args->dim;
    work.eps = args->eps;
    dgm_cpu_run_rows(cpu, &work, args->rows, rows_step(args->dim), norm_forward_block);
    return DGM_OK;
}

static void norm_backward_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_norm_grad *work = blocks->work;
    dgm_real *dgain = dgm_cpu_block_sums(blocks, block), *dbias = dgain + work->dim;

    (void)worker;
    blocks->kernels->rows->norm_backward(work, block * blocks->step,
                                         dgm_cpu_block_end(blocks, block), dgain, dbias);
}

dgm_status dgm_cpu_run_norm_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_norm_backward_args *args = args_;
    const struct dgm_math_kernels *math = cpu->kernels->math;
    const int64_t dim = args->dim;
    struct dgm_norm_grad work;
    struct dgm_cpu_blocks blocks = { NULL, &work, args->rows, rows_step(dim), NULL, 2 * dim };
    dgm_real *dgain = dgm_cpu_at(args->dgain), *dbias = dgm_cpu_at(args->dbias);

    work.dx = dgm_cpu_at(args->dx);
    work.dy = dgm_cpu_at(args->dy);
    work.x = dgm_cpu_at(args->x);
    work.stats = dgm_cpu_at(args->stats);
    work.gain = dgm_cpu_at(args->gain);
    work.dim = dim;
    work.accumulate = args->accumulate;
    DGM_TRY(dgm_cpu_run_sums(env, cpu, &blocks, norm_backward_block));
    for (int64_t b = 0; b < dgm_cpu_count_blocks(&blocks); b++) {
        const dgm_real *sums = blocks.partial + b * blocks.sums;

        math->add(dgain, dgain, sums, dim);
        math->add(dbias, dbias, sums + dim, dim);
    }
    return DGM_OK;
}

/* ---- copies and sums ----------------------------------------------------------------------- */

static void copy_rows_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_copy_rows_args *args = blocks->work;
    const int32_t *index = dgm_cpu_at(args->index);
    const dgm_real *x = dgm_cpu_at(args->x);
    dgm_real *y = dgm_cpu_at(args->y);

    (void)worker;
    for (int64_t i = block * blocks->step; i < dgm_cpu_block_end(blocks, block); i++)
        if (index[i] < 0)
            memset(y + i * args->ldy, 0, (size_t)args->dim * sizeof *y);
        else
            memcpy(y + i * args->ldy, x + index[i] * args->ldx, (size_t)args->dim * sizeof *y);
}

dgm_status dgm_cpu_run_copy_rows(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_copy_rows_args *args = args_;

    (void)env;
    dgm_cpu_run_rows(cpu, args, args->rows, rows_step(args->dim), copy_rows_block);
    return DGM_OK;
}

/* Slices of columns: rows of y may be met more than once, always in the order of x. */
static void add_rows_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_add_rows_args *args = blocks->work;
    const int64_t column = block * blocks->step, cols = dgm_cpu_block_end(blocks, block) - column;
    const int32_t *index = dgm_cpu_at(args->index);
    const dgm_real *x = dgm_cpu_at(args->x);
    dgm_real *y = dgm_cpu_at(args->y);

    (void)worker;
    for (int64_t i = 0; i < args->rows; i++)
        if (index[i] >= 0)
            blocks->kernels->rows->column_sums(y + index[i] * args->dim + column,
                                               x + i * args->dim + column, args->dim, 1, cols);
}

dgm_status dgm_cpu_run_add_rows(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_add_rows_args *args = args_;

    (void)env;
    dgm_cpu_run_rows(cpu, args, args->dim, COLUMNS, add_rows_block);
    return DGM_OK;
}

static void column_sums_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_column_sums_args *args = blocks->work;
    const int64_t column = block * blocks->step, cols = dgm_cpu_block_end(blocks, block) - column;
    const dgm_real *x = dgm_cpu_at(args->x);
    dgm_real *y = dgm_cpu_at(args->y);

    (void)worker;
    for (int64_t i = 0; i < args->m; i += SUM_ROWS)
        blocks->kernels->rows->column_sums(y + column, x + i * args->ldx + column, args->ldx,
                                           dgm_cpu_min(SUM_ROWS, args->m - i), cols);
}

dgm_status dgm_cpu_run_column_sums(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_column_sums_args *args = args_;

    (void)env;
    dgm_cpu_run_rows(cpu, args, args->n, COLUMNS, column_sums_block);
    return DGM_OK;
}
