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

#include "kernel/task/jobs.h"

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

struct dgm_row_kernels {
    /* words (4 blocks) = Philox of the counters {first + b, rest[0..2]}, b = 0..blocks-1. */
    void (*philox)(uint32_t *words, uint32_t first, int64_t blocks, const uint32_t rest[3],
                   const uint32_t key[2]);

    void (*embed_forward)(const struct dgm_embed_forward_job *job, int64_t begin, int64_t end);
    /* Columns begin..end-1 of all rows; begin is a multiple of 4. */
    void (*embed_backward)(const struct dgm_embed_backward_job *job, int64_t begin, int64_t end);
    void (*residual)(const struct dgm_residual_forward_job *job, int64_t begin, int64_t end);

    void (*norm_forward)(const struct dgm_norm_forward_job *job, int64_t begin, int64_t end);
    /* dgain (D) and dbias (D) are added to. */
    void (*norm_backward)(const struct dgm_norm_backward_job *job, int64_t begin, int64_t end,
                          dgm_real *dgain, dgm_real *dbias);

    void (*cross_entropy)(const struct dgm_loss_rows *job, int64_t begin, int64_t end);
    /* y = log softmax(x), `count` rows of V; y may be x. */
    void (*log_softmax)(dgm_real *y, const dgm_real *x, int64_t count, int64_t vocab);
    /* Values are compared before they are normalised. Where fewer than k are allowed, the rest is
     * -infinity with index -1. */
    void (*top_k)(const struct dgm_top_k_job *job, int64_t begin, int64_t end);

    /* y (cols) += sums over the rows of x (rows,cols), rows in order within fixed blocks. */
    void (*column_sums)(dgm_real *y, const dgm_real *x, int64_t ldx, int64_t rows, int64_t cols);
};

extern const struct dgm_row_kernels dgm_rows_c;

#endif
