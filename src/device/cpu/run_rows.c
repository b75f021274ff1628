/*
 * run_rows.c: tasks on rows of width D on the CPU: look-up, dropout, norm, copies, column sums.
 *
 * Chunks are blocks of rows of about CHUNK elements, or slices of COLUMNS columns where sums run
 * down the rows. Where each block has sums of its own, these are added in the order of blocks.
 */
#include <string.h>

#include "device/cpu/cpu.h"

#define CHUNK 16384
#define COLUMNS 64    /* a multiple of 4: dropout draws four columns at a time */
#define SUM_ROWS 256  /* rows of column_sums that are summed before they are added */
#define MOST_SUMS 32  /* blocks of norm_backward, each with sums of its own */

/* One task cut into blocks of `step` rows (or columns) of `count`. */
struct job {
    const struct dgm_row_kernels *kernels;
    const void *work;    /* the struct that the kernel takes */
    int64_t count, step;
    dgm_real *partial;   /* norm_backward: dgain and dbias of each block */
};

/* Rows in one chunk. */
static int64_t rows_step(int64_t dim)
{
    int64_t rows = dim > 0 ? CHUNK / dim : 64;

    return rows < 1 ? 1 : rows > 64 ? 64 : rows;
}

static void run(struct dgm_cpu *cpu, struct job *job, dgm_pool_fn *fn)
{
    job->kernels = cpu->kernels->rows;
    dgm_pool_run(cpu->pool, fn, job, dgm_cpu_chunks(job->count, job->step));
}

static int64_t block_end(const struct job *job, int64_t chunk)
{
    return dgm_cpu_min(job->count, (chunk + 1) * job->step);
}

static struct dgm_mask mask_of(const struct dgm_drop *drop)
{
    return dgm_mask_make(drop->rate, drop->stream, drop->key);
}

/* ---- embedding ----------------------------------------------------------------------------- */

static void embed_forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->embed_forward(job->work, chunk * job->step, block_end(job, chunk));
}

dgm_status dgm_cpu_run_embed_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                     const void *args_)
{
    const struct dgm_embed_forward_args *args = args_;
    struct dgm_embed_rows work;
    struct job job = { NULL, &work, args->rows, rows_step(args->dim), NULL };

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
    run(cpu, &job, embed_forward_chunk);
    return DGM_OK;
}

static void embed_backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->embed_backward(job->work, chunk * job->step, block_end(job, chunk));
}

dgm_status dgm_cpu_run_embed_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                      const void *args_)
{
    const struct dgm_embed_backward_args *args = args_;
    struct dgm_embed_grad work;
    struct job job = { NULL, &work, args->dim, COLUMNS, NULL };

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
    run(cpu, &job, embed_backward_chunk);
    return DGM_OK;
}

/* ---- residual ------------------------------------------------------------------------------ */

static void residual_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->residual(job->work, chunk * job->step, block_end(job, chunk));
}

dgm_status dgm_cpu_run_residual_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                        const void *args_)
{
    const struct dgm_residual_forward_args *args = args_;
    struct dgm_residual_rows work;
    struct job job = { NULL, &work, args->rows, rows_step(args->dim), NULL };

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.x = dgm_cpu_at(args->x);
    work.r = dgm_cpu_at(args->r);
    work.places = dgm_cpu_at(args->places);
    work.dim = args->dim;
    work.mask = mask_of(&args->drop);
    run(cpu, &job, residual_chunk);
    return DGM_OK;
}

/* The gradient of dropout is the same dropout: dr = [dr +] dropout(dy). */
dgm_status dgm_cpu_run_residual_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_residual_backward_args *args = args_;
    struct dgm_residual_rows work;
    struct job job = { NULL, &work, args->rows, rows_step(args->dim), NULL };

    (void)env;
    work.y = dgm_cpu_at(args->dr);
    work.x = args->accumulate ? work.y : NULL;
    work.r = dgm_cpu_at(args->dy);
    work.places = dgm_cpu_at(args->places);
    work.dim = args->dim;
    work.mask = mask_of(&args->drop);
    run(cpu, &job, residual_chunk);
    return DGM_OK;
}

/* ---- norm ---------------------------------------------------------------------------------- */

static void norm_forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->norm_forward(job->work, chunk * job->step, block_end(job, chunk));
}

dgm_status dgm_cpu_run_norm_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                    const void *args_)
{
    const struct dgm_norm_forward_args *args = args_;
    struct dgm_norm_rows work;
    struct job job = { NULL, &work, args->rows, rows_step(args->dim), NULL };

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.stats = dgm_cpu_at(args->stats);
    work.x = dgm_cpu_at(args->x);
    work.gain = dgm_cpu_at(args->gain);
    work.bias = dgm_cpu_at(args->bias);
    work.dim = args->dim;
    work.eps = args->eps;
    run(cpu, &job, norm_forward_chunk);
    return DGM_OK;
}

static void norm_backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_norm_grad *work = job->work;
    dgm_real *dgain = job->partial + chunk * 2 * work->dim;

    (void)worker;
    memset(dgain, 0, 2 * (size_t)work->dim * sizeof *dgain);
    job->kernels->norm_backward(work, chunk * job->step, block_end(job, chunk), dgain,
                                dgain + work->dim);
}

dgm_status dgm_cpu_run_norm_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                     const void *args_)
{
    const struct dgm_norm_backward_args *args = args_;
    const struct dgm_math_kernels *math = cpu->kernels->math;
    const int64_t dim = args->dim, least = dgm_cpu_chunks(args->rows, MOST_SUMS);
    struct dgm_norm_grad work;
    struct job job = { NULL, &work, args->rows, rows_step(dim), NULL };
    dgm_real *dgain = dgm_cpu_at(args->dgain), *dbias = dgm_cpu_at(args->dbias);
    int64_t blocks;
    void *partial;

    job.step = job.step > least ? job.step : least;
    blocks = dgm_cpu_chunks(args->rows, job.step);
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &partial,
                                   (size_t)(blocks * 2 * dim) * sizeof(dgm_real)));
    job.partial = partial;
    work.dx = dgm_cpu_at(args->dx);
    work.dy = dgm_cpu_at(args->dy);
    work.x = dgm_cpu_at(args->x);
    work.stats = dgm_cpu_at(args->stats);
    work.gain = dgm_cpu_at(args->gain);
    work.dim = dim;
    work.accumulate = args->accumulate;
    run(cpu, &job, norm_backward_chunk);
    for (int64_t b = 0; b < blocks; b++) {
        math->add(dgain, dgain, job.partial + b * 2 * dim, dim);
        math->add(dbias, dbias, job.partial + b * 2 * dim + dim, dim);
    }
    return DGM_OK;
}

/* ---- copies and sums ----------------------------------------------------------------------- */

static void copy_rows_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_copy_rows_args *args = job->work;
    const int32_t *index = dgm_cpu_at(args->index);
    const dgm_real *x = dgm_cpu_at(args->x);
    dgm_real *y = dgm_cpu_at(args->y);

    (void)worker;
    for (int64_t i = chunk * job->step; i < block_end(job, chunk); i++)
        if (index[i] < 0)
            memset(y + i * args->ldy, 0, (size_t)args->dim * sizeof *y);
        else
            memcpy(y + i * args->ldy, x + index[i] * args->ldx, (size_t)args->dim * sizeof *y);
}

dgm_status dgm_cpu_run_copy_rows(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_copy_rows_args *args = args_;
    struct job job = { NULL, args, args->rows, rows_step(args->dim), NULL };

    (void)env;
    run(cpu, &job, copy_rows_chunk);
    return DGM_OK;
}

/* Slices of columns: rows of y may be met more than once, always in the order of x. */
static void add_rows_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_add_rows_args *args = job->work;
    const int64_t column = chunk * job->step, cols = block_end(job, chunk) - column;
    const int32_t *index = dgm_cpu_at(args->index);
    const dgm_real *x = dgm_cpu_at(args->x);
    dgm_real *y = dgm_cpu_at(args->y);

    (void)worker;
    for (int64_t i = 0; i < args->rows; i++)
        if (index[i] >= 0)
            job->kernels->column_sums(y + index[i] * args->dim + column,
                                      x + i * args->dim + column, args->dim, 1, cols);
}

dgm_status dgm_cpu_run_add_rows(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_add_rows_args *args = args_;
    struct job job = { NULL, args, args->dim, COLUMNS, NULL };

    (void)env;
    run(cpu, &job, add_rows_chunk);
    return DGM_OK;
}

static void column_sums_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_column_sums_args *args = job->work;
    const int64_t column = chunk * job->step, cols = block_end(job, chunk) - column;
    const dgm_real *x = dgm_cpu_at(args->x);
    dgm_real *y = dgm_cpu_at(args->y);

    (void)worker;
    for (int64_t i = 0; i < args->m; i += SUM_ROWS)
        job->kernels->column_sums(y + column, x + i * args->ldx + column, args->ldx,
                                  dgm_cpu_min(SUM_ROWS, args->m - i), cols);
}

dgm_status dgm_cpu_run_column_sums(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_column_sums_args *args = args_;
    struct job job = { NULL, args, args->n, COLUMNS, NULL };

    (void)env;
    run(cpu, &job, column_sums_chunk);
    return DGM_OK;
}
