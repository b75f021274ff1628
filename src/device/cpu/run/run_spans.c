/*
 * run_spans.c: tasks on the CPU that know which sentence a row is of: sigmoids that range over the
 * sentence's rows, and means of its rows. A chunk is some rows of about CHUNK elements, or a
 * sentence: nothing depends on what stands beside it.
 */
#include <string.h>

#include "device/cpu/blocks.h"

#define CHUNK 8192

static int64_t rows_step(int64_t cols)
{
    return cols < CHUNK ? CHUNK / (cols > 0 ? cols : 1) : 1;
}

/* ---- sigmoids ---------------------------------------------------------------------------- */

/* How many rows the sentence of row i has. */
static dgm_real length_of(const int32_t *owners, const int32_t *counts, int64_t i)
{
    return (dgm_real)counts[owners[i]];
}

static void span_sigmoid_forward_rows(const struct dgm_kernels *kernels, const void *work,
                                      int64_t begin, int64_t end)
{
    const struct dgm_span_sigmoid_forward_job *job = work;
    const int64_t cols = job->cols;
    const dgm_real *x = job->x;
    dgm_real *y = job->y;

    kernels->math->sigmoid(y + begin * cols, x + begin * cols, (end - begin) * cols);
    for (int64_t i = begin; i < end; i++) {
        const dgm_real length = length_of(job->owners, job->counts, i);

        for (int64_t c = i * cols; c < (i + 1) * cols; c++) {
            y[c] *= length;
            if (y[c] < job->floor) /* a NaN stays one */
                y[c] = job->floor;
        }
    }
}

DGM_CPU_RUN_ROWS(span_sigmoid_forward, job.rows, rows_step(job.cols), span_sigmoid_forward_rows)

static void span_sigmoid_backward_rows(const struct dgm_kernels *kernels, const void *work,
                                       int64_t begin, int64_t end)
{
    const struct dgm_span_sigmoid_backward_job *job = work;
    const int64_t cols = job->cols;
    const dgm_real *dy = job->dy, *y = job->y;
    dgm_real *dx = job->dx;

    (void)kernels;
    for (int64_t i = begin; i < end; i++) {
        const dgm_real length = length_of(job->owners, job->counts, i);

        for (int64_t c = i * cols; c < (i + 1) * cols; c++) {
            /* y = n s, s (1 - s) n = y (1 - y / n); at the floor y is constant. */
            dgm_real d = y[c] > job->floor ? dy[c] * y[c] * (1 - y[c] / length) : 0;

            dx[c] = job->accumulate ? dx[c] + d : d;
        }
    }
}

DGM_CPU_RUN_ROWS(span_sigmoid_backward, job.rows, rows_step(job.cols), span_sigmoid_backward_rows)

/* ---- means ------------------------------------------------------------------------------- */

static void span_mean_forward_sentence(const struct dgm_kernels *kernels, const void *work,
                                       int64_t s, int64_t end)
{
    const struct dgm_span_mean_forward_job *job = work;
    const int32_t *offsets = job->offsets;
    const int64_t n = offsets[s + 1] - offsets[s], width = job->width;
    const dgm_real *x = job->x + offsets[s] * job->ldx;
    dgm_real *y = job->y + s * width;

    (void)end;
    memset(y, 0, (size_t)width * sizeof *y);
    if (n == 0)
        return;
    kernels->rows->column_sums(y, x, job->ldx, n, width);
    kernels->math->axpby(y, 1 / (dgm_real)n, y, 0, width);
}

DGM_CPU_RUN_ROWS(span_mean_forward, job.sentences, 1, span_mean_forward_sentence)

static void span_mean_backward_sentence(const struct dgm_kernels *kernels, const void *work,
                                        int64_t s, int64_t end)
{
    const struct dgm_span_mean_backward_job *job = work;
    const int32_t *offsets = job->offsets;
    const int64_t n = offsets[s + 1] - offsets[s], width = job->width;
    const dgm_real *dy = job->dy + s * width;
    dgm_real *dx = job->dx + offsets[s] * job->lddx;

    (void)end;
    for (int64_t i = 0; i < n; i++)
        kernels->math->axpby(dx + i * job->lddx, 1 / (dgm_real)n, dy, job->accumulate ? 1 : 0,
                             width);
}

DGM_CPU_RUN_ROWS(span_mean_backward, job.sentences, 1, span_mean_backward_sentence)

/* ---- links ------------------------------------------------------------------------------- */

/* Rows of a chunk; logarithms of one call, as many as lie on the stack. */
enum { LINK_ROWS = 64, LINKS_AT_ONCE = 32 };

static int64_t row_of(const int32_t *places, int64_t i)
{
    return places != NULL ? places[i] : i;
}

/* sum of log(a[keys[l]] + floor), in the order of the links. */
static dgm_real sum_of_logs(const struct dgm_math_kernels *math, const dgm_real *a,
                            const int32_t *keys, int64_t count, dgm_real floor)
{
    dgm_real logs[LINKS_AT_ONCE], sum = 0;

    for (int64_t first = 0; first < count; first += LINKS_AT_ONCE) {
        const int64_t left = count - first, n = left < LINKS_AT_ONCE ? left : LINKS_AT_ONCE;

        for (int64_t l = 0; l < n; l++)
            logs[l] = a[keys[first + l]] + floor;
        math->log(logs, logs, n);
        for (int64_t l = 0; l < n; l++)
            sum += logs[l];
    }
    return sum;
}

static void link_loss_forward_rows(const struct dgm_kernels *kernels, const void *work,
                                   int64_t begin, int64_t end)
{
    const struct dgm_link_loss_forward_job *job = work;

    for (int64_t i = begin; i < end; i++) {
        const int64_t start = job->starts[i], count = job->starts[i + 1] - start;

        job->losses[i] =
            count == 0 ? 0
                       : -job->shares[i] * sum_of_logs(kernels->math,
                                                       job->a + row_of(job->places, i) * job->lda,
                                                       job->keys + start, count, job->floor);
    }
}

DGM_CPU_RUN_ROWS(link_loss_forward, job.rows, LINK_ROWS, link_loss_forward_rows)

static void link_loss_backward_rows(const struct dgm_kernels *kernels, const void *work,
                                    int64_t begin, int64_t end)
{
    const struct dgm_link_loss_backward_job *job = work;

    (void)kernels;
    for (int64_t i = begin; i < end; i++) {
        const int64_t row = row_of(job->places, i);
        const dgm_real *a = job->a + row * job->lda;
        dgm_real *da = job->da + row * job->ldda;
        const dgm_real share = job->scale * job->shares[i];

        for (int32_t l = job->starts[i]; l < job->starts[i + 1]; l++)
            da[job->keys[l]] -= share / (a[job->keys[l]] + job->floor);
    }
}

DGM_CPU_RUN_ROWS(link_loss_backward, job.rows, LINK_ROWS, link_loss_backward_rows)
