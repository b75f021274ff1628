/*
 * run_spans.c: tasks on the CPU that know which sentence a row is of: sigmoids that range over the
 * sentence's rows, and means of its rows. A chunk is some rows of about CHUNK elements, or a
 * sentence: nothing depends on what stands beside it.
 */
#include <string.h>

#include "device/cpu/cpu.h"

#define CHUNK 8192

struct job {
    const struct dgm_kernels *kernels;
    const void *args;
    int64_t step; /* rows in a chunk of sigmoids */
};

static int64_t rows_step(int64_t cols)
{
    return cols < CHUNK ? CHUNK / (cols > 0 ? cols : 1) : 1;
}

/* ---- sigmoids ------------------------------------------------------------------------------ */

/* How many rows the sentence of row i has. */
static dgm_real length_of(struct dgm_ref owners, struct dgm_ref counts, int64_t i)
{
    const int32_t *owner = dgm_cpu_at(owners), *count = dgm_cpu_at(counts);

    return (dgm_real)count[owner[i]];
}

static void span_sigmoid_forward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_span_sigmoid_forward_args *args = job->args;
    const int64_t first = chunk * job->step, cols = args->cols;
    const int64_t end = dgm_cpu_min(args->rows, first + job->step);
    const dgm_real *x = dgm_cpu_at(args->x);
    dgm_real *y = dgm_cpu_at(args->y);

    (void)worker;
    job->kernels->math->sigmoid(y + first * cols, x + first * cols, (end - first) * cols);
    for (int64_t i = first; i < end; i++) {
        const dgm_real length = length_of(args->owners, args->counts, i);

        for (int64_t c = i * cols; c < (i + 1) * cols; c++) {
            y[c] *= length;
            if (y[c] < args->floor) /* a NaN stays one */
                y[c] = args->floor;
        }
    }
}

dgm_status dgm_cpu_run_span_sigmoid_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                            const void *args_)
{
    const struct dgm_span_sigmoid_forward_args *args = args_;
    struct job job = { cpu->kernels, args, rows_step(args->cols) };

    (void)env;
    dgm_pool_run(cpu->pool, span_sigmoid_forward_chunk, &job, dgm_cpu_chunks(args->rows, job.step));
    return DGM_OK;
}

static void span_sigmoid_backward_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_span_sigmoid_backward_args *args = job->args;
    const int64_t first = chunk * job->step, cols = args->cols;
    const int64_t end = dgm_cpu_min(args->rows, first + job->step);
    const dgm_real *dy = dgm_cpu_at(args->dy), *y = dgm_cpu_at(args->y);
    dgm_real *dx = dgm_cpu_at(args->dx);

    (void)worker;
    for (int64_t i = first; i < end; i++) {
        const dgm_real length = length_of(args->owners, args->counts, i);

        for (int64_t c = i * cols; c < (i + 1) * cols; c++) {
            dgm_real d = y[c] > args->floor ? dy[c] * y[c] * (1 - y[c] / length) : 0;

            dx[c] = args->accumulate ? dx[c] + d : d;
        }
    }
}

dgm_status dgm_cpu_run_span_sigmoid_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                             const void *args_)
{
    const struct dgm_span_sigmoid_backward_args *args = args_;
    struct job job = { cpu->kernels, args, rows_step(args->cols) };

    (void)env;
    dgm_pool_run(cpu->pool, span_sigmoid_backward_chunk, &job,
                 dgm_cpu_chunks(args->rows, job.step));
    return DGM_OK;
}

/* ---- means --------------------------------------------------------------------------------- */

static void span_mean_forward_chunk(void *shared, int64_t s, int worker)
{
    const struct job *job = shared;
    const struct dgm_span_mean_forward_args *args = job->args;
    const int32_t *offsets = dgm_cpu_at(args->offsets);
    const int64_t n = offsets[s + 1] - offsets[s], width = args->width;
    const dgm_real *x = (const dgm_real *)dgm_cpu_at(args->x) + offsets[s] * args->ldx;
    dgm_real *y = (dgm_real *)dgm_cpu_at(args->y) + s * width;

    (void)worker;
    memset(y, 0, (size_t)width * sizeof *y);
    if (n == 0)
        return;
    job->kernels->rows->column_sums(y, x, args->ldx, n, width);
    job->kernels->math->axpby(y, 1 / (dgm_real)n, y, 0, width);
}

dgm_status dgm_cpu_run_span_mean_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_span_mean_forward_args *args = args_;
    struct job job = { cpu->kernels, args, 0 };

    (void)env;
    dgm_pool_run(cpu->pool, span_mean_forward_chunk, &job, args->sentences);
    return DGM_OK;
}

static void span_mean_backward_chunk(void *shared, int64_t s, int worker)
{
    const struct job *job = shared;
    const struct dgm_span_mean_backward_args *args = job->args;
    const int32_t *offsets = dgm_cpu_at(args->offsets);
    const int64_t n = offsets[s + 1] - offsets[s], width = args->width;
    const dgm_real *dy = (const dgm_real *)dgm_cpu_at(args->dy) + s * width;
    dgm_real *dx = (dgm_real *)dgm_cpu_at(args->dx) + offsets[s] * args->lddx;

    (void)worker;
    for (int64_t i = 0; i < n; i++)
        job->kernels->math->axpby(dx + i * args->lddx, 1 / (dgm_real)n, dy,
                                  args->accumulate ? 1 : 0, width);
}

dgm_status dgm_cpu_run_span_mean_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args_)
{
    const struct dgm_span_mean_backward_args *args = args_;
    struct job job = { cpu->kernels, args, 0 };

    (void)env;
    dgm_pool_run(cpu->pool, span_mean_backward_chunk, &job, args->sentences);
    return DGM_OK;
}
