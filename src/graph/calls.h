/*
 * calls.h: the device tasks that operations call most, each as one function: products, copies,
 * zeros, rows that are gathered and scattered, sums of columns.
 *
 * An operation names matrices; what a task's argument struct wants besides is filled in here, so
 * that a product is described in one place only.
 */
#ifndef DGM_GRAPH_CALLS_H
#define DGM_GRAPH_CALLS_H

#include "graph/graph.h"

/* A matrix of reals in device memory: where it begins, and how many reals lie between the
 * beginnings of two rows. */
struct dgm_matrix {
    struct dgm_ref at;
    int64_t ld;
};

static inline struct dgm_matrix dgm_matrix(struct dgm_ref at, int64_t ld)
{
    struct dgm_matrix matrix = { at, ld };

    return matrix;
}

/* Reals from number i on; of a matrix, from column i on. */
static inline struct dgm_ref dgm_reals_at(struct dgm_ref reals, int64_t i)
{
    return dgm_ref_at(reals, (size_t)i * sizeof(dgm_real));
}

/* The part of the matrix from (row, column) on. An absent matrix stays absent. */
static inline struct dgm_matrix dgm_matrix_at(struct dgm_matrix matrix, int64_t row, int64_t column)
{
    matrix.at = dgm_reals_at(matrix.at, row * matrix.ld + column);
    return matrix;
}

/* Takes a matrix of `rows` rows and `ld` columns from the front of free memory. Where there are not
 * so many addresses, what is left begins at the last one: a plan with such sizes is refused. */
static inline struct dgm_matrix dgm_matrix_take(struct dgm_ref *from, int64_t rows, int64_t ld)
{
    const uint64_t end = from->offset + (uint64_t)(rows * ld) * sizeof(dgm_real);
    struct dgm_matrix matrix = { *from, ld };

    from->offset = end < SIZE_MAX ? (size_t)end : SIZE_MAX;
    return matrix;
}

/* A list of int32 from number i on. An absent list stays absent. */
static inline struct dgm_ref dgm_list_at(struct dgm_ref list, int64_t i)
{
    return list.buffer ? dgm_ref_at(list, (size_t)i * sizeof(int32_t)) : list;
}

/*
 * c (m,n) = alpha op(a) op(b) + beta c + bias, then max(., 0) with relu; k terms in each sum, bias
 * (n) optional. `batch` such products in one call: product i reads and writes matrices that lie
 * i stride reals behind the first ones. sums and mask, optional, as in kernel/task/gemm_list.h.
 */
struct dgm_product {
    enum dgm_gemm_form form;
    int64_t m, n, k;
    dgm_real alpha, beta;
    struct dgm_ref bias, sums, mask;
    int relu;
    int64_t batch, stride_a, stride_b, stride_c;
};

/* One product, with alpha 1, no bias and no relu. */
static inline struct dgm_product dgm_product(enum dgm_gemm_form form, int64_t m, int64_t n,
                                             int64_t k, dgm_real beta)
{
    struct dgm_product product = {
        .form = form, .m = m, .n = n, .k = k, .alpha = 1, .beta = beta, .batch = 1
    };

    return product;
}

dgm_status dgm_call_product(struct dgm_graph *g, const struct dgm_product *shape,
                            struct dgm_matrix c, struct dgm_matrix a, struct dgm_matrix b);

/* y = x, or y += x with `accumulate`: `count` reals. */
dgm_status dgm_call_copy(struct dgm_graph *g, struct dgm_ref y, struct dgm_ref x, int64_t count,
                         int accumulate);
dgm_status dgm_call_zero(struct dgm_graph *g, struct dgm_ref y, int64_t count);

/* gather: y_i = x[index_i]; scatter: x[index_i] += y_i; for i < rows. A row is dim reals, and
 * both matrices have no gaps between rows. */
dgm_status dgm_call_gather(struct dgm_graph *g, struct dgm_ref y, struct dgm_ref x,
                           struct dgm_ref index, int64_t rows, int64_t dim);
dgm_status dgm_call_scatter(struct dgm_graph *g, struct dgm_ref x, struct dgm_ref y,
                            struct dgm_ref index, int64_t rows, int64_t dim);

/* y (n) += the sum of the rows of x (m,n): the gradient of a bias. */
dgm_status dgm_call_column_sums(struct dgm_graph *g, struct dgm_ref y, struct dgm_matrix x,
                                int64_t m, int64_t n);

#endif
