/*
 * bahdanau.h: what the files of op_bahdanau.c share: operands, saved arrays, shapes, and the
 * products of a few rows.
 */
#ifndef DGM_GRAPH_RECURRENT_BAHDANAU_H
#define DGM_GRAPH_RECURRENT_BAHDANAU_H

#include "graph/op.h"

/* The inputs of the node. */
enum dgm_bahdanau_input {
    DGM_AT_X,
    DGM_AT_START,
    DGM_AT_KEYS,
    DGM_AT_VALUES,
    DGM_AT_STATE1,
    DGM_AT_QUERY,
    DGM_AT_V,
    DGM_AT_STATE2,
    DGM_AT_BIAS2,
    DGM_AT_CONTEXT,
    DGM_AT_INPUTS
};

struct dgm_bahdanau {
    int64_t dim, hidden, width; /* d, A, W: columns of states, keys and values */
    struct dgm_steps steps;
    struct dgm_memory memory;
    struct dgm_ref weights; /* where the caller wants them, or absent */
};

/*
 * The parts of node->extra; rows are those of the node, in order. In the backward pass F1, F2 and
 * E2, the gradients of the cells' recurrent and input sides, take the place of what they belong
 * to, so that each weight matrix has its gradient by one product over all rows.
 */
struct dgm_bahdanau_parts {
    struct dgm_ref before;  /* (M,d) the state that a row's step starts from */
    struct dgm_ref middle;  /* (M,d) the state between the two cells */
    struct dgm_ref saved1;  /* (M,4d) of the first cell; F1 in 3d of its columns */
    struct dgm_ref saved2;  /* (M,4d) of the second; F2 */
    struct dgm_ref input2;  /* (M,3d) what the second cell reads of the context; E2 */
    struct dgm_ref q;       /* (M,A) */
    struct dgm_ref weights; /* (M,longest) */
    struct dgm_ref dq;      /* (M,A); this and the next only where there is a backward pass */
    struct dgm_ref dmiddle; /* (S,d) of one step */
};

/* Returns the bytes that the parts take from `extra` on. */
size_t dgm_bahdanau_lay_out(const struct dgm_node *y, struct dgm_ref extra,
                            struct dgm_bahdanau_parts *parts);

/* The rows of one step, and where those of the step before begin. */
struct dgm_bahdanau_step {
    int64_t t, first, count, last;
};

/* Element `column` of row `row` in a matrix whose rows are ld reals apart. */
static inline struct dgm_ref dgm_bahdanau_at(struct dgm_ref ref, int64_t row, int64_t ld,
                                             int64_t column)
{
    return dgm_ref_at(ref, (size_t)(row * ld + column) * sizeof(dgm_real));
}

struct dgm_additive dgm_bahdanau_core(const struct dgm_bahdanau *at,
                                      const struct dgm_bahdanau_step *step);

/* c (m,n) = op(a) op(b) + beta c, where b and, for TN, its shape are packed. */
struct dgm_gemm_args dgm_bahdanau_product(enum dgm_gemm_form form, struct dgm_ref c,
                                          struct dgm_ref a, struct dgm_ref b, int64_t m, int64_t n,
                                          int64_t k);

dgm_status dgm_bahdanau_backward(struct dgm_graph *g, struct dgm_node *y);
struct dgm_node *dgm_bahdanau_sample(struct dgm_graph *g, struct dgm_sample *sample);

#endif
