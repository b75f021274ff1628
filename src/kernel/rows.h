/*
 * rows.h: kernels on rows of row-major matrices: look-up, dropout, norm, softmax, search.
 *
 * Each takes its operands in a struct and works on rows begin..end-1 (or columns, where it says
 * so). N rows, D model width, V vocabulary. Sums within a row run in an order that depends on
 * the row's length only. `places` (N,2) holds sentence and position of each row; it is read only
 * where something is dropped, or where positions are looked up.
 */
#ifndef DGM_KERNEL_ROWS_H
#define DGM_KERNEL_ROWS_H

#include "kernel/drop.h"

/*
 * y (N,D) = dropout(scale table[ids[i]] + positions[position of i]). Operands may be D columns of
 * wider matrices: rows of y and of positions lie ldy apart, those of the table ld_table.
 */
struct dgm_embed_rows {
    dgm_real *y;
    const dgm_real *table;     /* (V,D) */
    const int32_t *ids;        /* (N) */
    const dgm_real *positions; /* (max,D) or NULL */
    const int32_t *places;
    int64_t dim, ldy, ld_table;
    dgm_real scale;
    struct dgm_mask mask;
};

/* dtable[ids[i]] += scale dropout'(dy[i]), rows i in order; strides as above. */
struct dgm_embed_grad {
    dgm_real *dtable;
    const dgm_real *dy;
    const int32_t *ids, *places;
    int64_t rows, ldy, ld_table;
    dgm_real scale;
    struct dgm_mask mask;
};

/* y (N,D) = x + dropout(r). x NULL: y = dropout(r). */
struct dgm_residual_rows {
    dgm_real *y;
    const dgm_real *x, *r;
    const int32_t *places;
    int64_t dim;
    struct dgm_mask mask;
};

/* y (N,D) = gain (x - mean) / sqrt(var + eps) + bias; stats (N,2) or NULL: mean, 1/sqrt. */
struct dgm_norm_rows {
    dgm_real *y, *stats;
    const dgm_real *x, *gain, *bias;
    int64_t dim;
    dgm_real eps;
};

struct dgm_norm_grad {
    dgm_real *dx;
    const dgm_real *dy, *x, *stats, *gain;
    int64_t dim;
    int accumulate; /* dx is added to */
};

/*
 * Cross-entropy against a target distribution: `base` on every entry, plus `extra` on the
 * target; they sum to 1 over the vocabulary. losses (N,2): that loss, and -log p(target).
 * With want_gradient, logits become grad_scale (softmax - distribution).
 */
struct dgm_loss_rows {
    dgm_real *logits; /* (N,V) */
    dgm_real *losses;
    const int32_t *targets;
    int64_t vocab;
    double base, extra;
    dgm_real grad_scale;
    int want_gradient;
};

/*
 * The k best of each row, described in device/task.h. Values are compared before they are
 * normalised. Where fewer than k are allowed, the rest is -infinity with index -1.
 */
struct dgm_top_rows {
    dgm_real *values; /* (N,k) */
    int32_t *ids;     /* (N,k) */
    const dgm_real *x;
    int64_t vocab, k;
    int32_t forbidden[2];
    int normalize;
};

struct dgm_row_kernels {
    /* words (4 blocks) = Philox of the counters {first + b, rest[0..2]}, b = 0..blocks-1. */
    void (*philox)(uint32_t *words, uint32_t first, int64_t blocks, const uint32_t rest[3],
                   const uint32_t key[2]);

    void (*embed_forward)(const struct dgm_embed_rows *job, int64_t begin, int64_t end);
    /* Columns begin..end-1 of all rows; begin is a multiple of 4. */
    void (*embed_backward)(const struct dgm_embed_grad *job, int64_t begin, int64_t end);
    void (*residual)(const struct dgm_residual_rows *job, int64_t begin, int64_t end);

    void (*norm_forward)(const struct dgm_norm_rows *job, int64_t begin, int64_t end);
    /* dgain (D) and dbias (D) are added to. */
    void (*norm_backward)(const struct dgm_norm_grad *job, int64_t begin, int64_t end,
                          dgm_real *dgain, dgm_real *dbias);

    void (*cross_entropy)(const struct dgm_loss_rows *job, int64_t begin, int64_t end);
    /* y = log softmax(x), `count` rows of V; y may be x. */
    void (*log_softmax)(dgm_real *y, const dgm_real *x, int64_t count, int64_t vocab);
    void (*top_k)(const struct dgm_top_rows *job, int64_t begin, int64_t end);

    /* y (cols) += sums over the rows of x (rows,cols), rows in order within fixed blocks. */
    void (*column_sums)(dgm_real *y, const dgm_real *x, int64_t ldx, int64_t rows, int64_t cols);
};

extern const struct dgm_row_kernels dgm_rows_c;

#endif
