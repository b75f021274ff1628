/*
 * trace_case.h: what each task of an update computes and moves, told to the driver that computes
 * nothing (cl_null.c), which writes it beside the launches: for scripts/gpu-model.py.
 *
 * FLOP are those of the definition. Bytes count each operand once, as if a cache held whatever is
 * used again; ids, offsets, gains and statistics of rows are left out. The keys of a sentence count
 * as the mean of all: a little less than the sum over sentences.
 */
#ifndef DGM_TRACE_CASE_H
#define DGM_TRACE_CASE_H

#include <stdio.h>
#include <stdlib.h>

#include "device/task.h"
#include "device/task_shape.h"
#include "null_case.h"

struct trace_work {
    double flop, read, written; /* reals, until they are told */
    double m, n, k;             /* of a product; rows and columns of logits */
};

static inline struct trace_work trace_rows(double rows, double flop, double read, double written)
{
    const struct trace_work work = { .flop = rows * flop,
                                     .read = rows * read,
                                     .written = rows * written };

    return work;
}

static inline struct trace_work trace_gemm(const struct dgm_gemm_args *args)
{
    const double m = (double)args->m, n = (double)args->n, k = (double)args->k;
    const double others = (args->beta != 0) + (args->mask.buffer != NULL);
    const struct trace_work work = { .flop = 2 * m * n * k,
                                     .read = m * k + k * n + others * m * n,
                                     .written = m * n,
                                     .m = m,
                                     .n = n,
                                     .k = k };

    return work;
}

/* `products`: of two forward, five backward, each of rows x keys x width. */
static inline struct trace_work trace_attention(const struct dgm_attention *core, double products,
                                                double read, double written)
{
    const double rows = (double)core->rows, keys = (double)core->key_rows_total;
    const double width = (double)(core->heads * core->head_dim);
    const double pairs = rows * keys / (double)core->sentences;

    /* The softmax of a pair is some 10 operations for each head. */
    return trace_rows(1, pairs * (2 * products * width + 10 * (double)core->heads),
                      read * (rows + keys) * width, written * (rows + keys) * width);
}

static inline struct trace_work trace_loss(const struct dgm_cross_entropy_args *args)
{
    const double rows = (double)args->rows, vocab = (double)args->vocab;
    struct trace_work work = trace_rows(rows * vocab, 8, 2, 1);

    work.m = rows;
    work.n = vocab;
    return work;
}

/* By the fields of the task's arguments; 0: a few numbers, or not known. */
static inline struct trace_work trace_of(enum dgm_task_kind kind, const void *args)
{
#define ARGS(task) ((const struct dgm_##task##_args *)args)
#define ROWS(task, flop, read, written) \
    trace_rows((double)ARGS(task)->rows *(double)ARGS(task)->dim, flop, read, written)
#define COUNT(task, flop, read, written) trace_rows((double)ARGS(task)->count, flop, read, written)
    switch (kind) {
    case DGM_TASK_gemm: return trace_gemm(args);
    case DGM_TASK_attention_forward:
        return trace_attention(&ARGS(attention_forward)->core, 2, 1.5, 0.5);
    case DGM_TASK_attention_backward:
        return trace_attention(&ARGS(attention_backward)->core, 5, 2, 1.5);
    case DGM_TASK_norm_forward: return ROWS(norm_forward, 8, 1, 1);
    case DGM_TASK_norm_backward:
        return ROWS(norm_backward, 14, 2 + ARGS(norm_backward)->accumulate, 1);
    case DGM_TASK_residual_forward: return ROWS(residual_forward, 3, 2, 1);
    case DGM_TASK_residual_backward:
        return ROWS(residual_backward, 2, 1 + ARGS(residual_backward)->accumulate, 1);
    case DGM_TASK_embed_forward: return ROWS(embed_forward, 3, 2, 1);
    case DGM_TASK_embed_backward: return ROWS(embed_backward, 2, 2, 1);
    case DGM_TASK_cross_entropy: return trace_loss(args);
    case DGM_TASK_fill: return COUNT(fill, 0, 0, 1);
    case DGM_TASK_axpby: return COUNT(axpby, 2, 2, 1);
    case DGM_TASK_sum_squares: return COUNT(sum_squares, 2, 1, 0);
    case DGM_TASK_adam: return COUNT(adam, 12, 4, 3);
    default: return trace_rows(0, 0, 0, 0);
    }
#undef ARGS
#undef ROWS
#undef COUNT
}

/* ---- between the graph and the device -------------------------------------------------------- */

static const struct dgm_device_ops *trace_inner;

static inline dgm_status trace_run(struct dgm_env *env, struct dgm_device *device,
                                   enum dgm_task_kind kind, const void *args)
{
    const struct trace_work work = trace_of(kind, args);
    const double size = sizeof(dgm_real);
    const double numbers[6] = { work.flop, size * work.read, size * work.written,
                                work.m,    work.n,           work.k };

    null_driver.note(dgm_task_shape(kind)->name, numbers);
    return trace_inner->run(env, device, kind, args);
}

/* Launches are written to PATH.WORD.csv until trace_end. 0 if that cannot be written. */
static inline int trace_begin(struct dgm_device *device, const char *path, const char *word)
{
    static struct dgm_device_ops ops;
    char file[1400];

    snprintf(file, sizeof file, "%s.%s.csv", path, word);
    trace_inner = device->ops;
    ops = *device->ops;
    ops.run = trace_run;
    device->ops = &ops;
    return null_driver.trace(file);
}

static inline int trace_end(struct dgm_device *device)
{
    device->ops = trace_inner;
    return null_driver.trace(NULL);
}

#endif
