/*
 * gru.h: what recurrent operations share: checks of their plans, and the few device tasks that
 * their steps are made of.
 */
#ifndef DGM_GRAPH_RECURRENT_GRU_H
#define DGM_GRAPH_RECURRENT_GRU_H

#include "graph/op.h"

/* A matrix of reals in device memory: where it begins, and how far its rows lie apart. */
struct dgm_part {
    struct dgm_ref at;
    int64_t ld;
};

static inline struct dgm_part dgm_part(struct dgm_ref at, int64_t ld)
{
    struct dgm_part part = { at, ld };

    return part;
}

/* The same from (row, column) on. */
static inline struct dgm_part dgm_part_at(struct dgm_part part, int64_t row, int64_t column)
{
    part.at = dgm_ref_at(part.at, (size_t)(row * part.ld + column) * sizeof(dgm_real));
    return part;
}

/* Takes `rows` rows of `ld` reals from the front of free memory. */
static inline struct dgm_part dgm_part_take(struct dgm_ref *from, int64_t rows, int64_t ld)
{
    struct dgm_part part = { *from, ld };

    *from = dgm_part_at(part, rows, 0).at;
    return part;
}

/* c (m,n) = op(a) op(b) + beta c + bias, with k terms in each sum; bias (n) optional. */
struct dgm_product {
    enum dgm_gemm_form form;
    int64_t m, n, k;
    dgm_real beta;
    struct dgm_ref bias;
};

static inline struct dgm_product dgm_product(enum dgm_gemm_form form, int64_t m, int64_t n,
                                             int64_t k, dgm_real beta)
{
    struct dgm_product product = { form, m, n, k, beta, { NULL, 0 } };

    return product;
}

dgm_status dgm_part_product(struct dgm_graph *g, const struct dgm_product *shape, struct dgm_part c,
                            struct dgm_part a, struct dgm_part b);

/* y = x, rows of dim reals without gaps; y += x. */
dgm_status dgm_part_copy(struct dgm_graph *g, struct dgm_ref y, struct dgm_ref x, int64_t count,
                         int accumulate);
dgm_status dgm_part_zero(struct dgm_graph *g, struct dgm_ref y, int64_t count);

/* y_i = x[index_i]; x[index_i] += y_i, i < rows; rows of dim reals without gaps. */
dgm_status dgm_part_gather(struct dgm_graph *g, struct dgm_ref y, struct dgm_ref x,
                           struct dgm_ref index, int64_t rows, int64_t dim);
dgm_status dgm_part_scatter(struct dgm_graph *g, struct dgm_ref x, struct dgm_ref y,
                            struct dgm_ref index, int64_t rows, int64_t dim);

/* int32 numbers from number i on; absent lists stay so. */
static inline struct dgm_ref dgm_list_at(struct dgm_ref list, int64_t i)
{
    return list.buffer ? dgm_ref_at(list, (size_t)i * sizeof(int32_t)) : list;
}

/* ---- plans --------------------------------------------------------------------------------- */

/*
 * Whether every row of the states but the roots is computed once, by a side that there is, after
 * the rows that its block names, and every row of every side is read once.
 */
int dgm_gru_plan_is_sound(const struct dgm_gru_plan *plan);

/* The most rows in a block, and those of the largest side. */
int64_t dgm_gru_most_in_block(const struct dgm_gru_plan *plan);
int64_t dgm_gru_most_in_side(const struct dgm_gru_plan *plan);

/* ---- samples: random plans ------------------------------------------------------------------- */

/* A plan of 1 to `most_sides` sides over a few states, its lists on the device; siblings or not. */
struct dgm_gru_plan dgm_gru_sample(struct dgm_graph *g, struct dgm_sample *sample, int most_sides,
                                   int siblings);

#endif
