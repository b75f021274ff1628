/*
 * gru_dynamic.h: the memory of op_gru_dynamic.c: its inputs, what it keeps of every row, and the
 * pieces that its largest product is cut into.
 */
#ifndef DGM_GRAPH_RECURRENT_GRU_DYNAMIC_H
#define DGM_GRAPH_RECURRENT_GRU_DYNAMIC_H

#include "graph/calls.h"
#include "graph/op.h"

struct dgm_gru_dynamic_op {
    struct dgm_gru_plan plan;
    dgm_real carry;
    int64_t small, blocks; /* K; blocks of Q: 2 or 3 */
    int is_kept;           /* a backward pass follows */
};

/* Inputs: init; OUT, Z and WORD of every side, whose values backward reads; the rest of each. */
enum {
    DGM_GRU_DYNAMIC_OUT,
    DGM_GRU_DYNAMIC_Z,
    DGM_GRU_DYNAMIC_WORD,
    DGM_GRU_DYNAMIC_READ,
    DGM_GRU_DYNAMIC_PARENT = DGM_GRU_DYNAMIC_READ,
    DGM_GRU_DYNAMIC_SIBLING,
    DGM_GRU_DYNAMIC_PARENT_META,
    DGM_GRU_DYNAMIC_SIBLING_META,
    DGM_GRU_DYNAMIC_WORD_META,
    DGM_GRU_DYNAMIC_Z_BIAS,
    DGM_GRU_DYNAMIC_INPUTS
};

static inline int dgm_gru_dynamic_place(int sides, int side, int which)
{
    if (which < DGM_GRU_DYNAMIC_READ)
        return 1 + side * DGM_GRU_DYNAMIC_READ + which;
    return 1 + sides * DGM_GRU_DYNAMIC_READ +
           side * (DGM_GRU_DYNAMIC_INPUTS - DGM_GRU_DYNAMIC_READ) + which - DGM_GRU_DYNAMIC_READ;
}

static inline struct dgm_node *dgm_gru_dynamic_input(const struct dgm_node *y, int side, int which)
{
    return y->in[dgm_gru_dynamic_place(((const struct dgm_gru_dynamic_op *)y->attr)->plan.sides,
                                       side, which)];
}

static inline int dgm_gru_dynamic_wants(const struct dgm_node *y, int side, int which)
{
    return dgm_node_wants(y, dgm_gru_dynamic_place(((const struct dgm_gru_dynamic_op *)y->attr)
                                                       ->plan.sides,
                                                   side, which));
}

/*
 * The memory of a pass, in the order of the fields, sides one after the other. With a backward
 * pass, N is the rows of the side, else those of the largest block, whose memory all blocks use in
 * turn. D: width of states, K: of z and of small states, QK: rows of Q, 2K or 3K. Backward writes
 * gradients over factors, z and gates.
 */
struct dgm_gru_dynamic_store {
    struct dgm_matrix factors;  /* (N, QK + 3K + QK): f = [f_W | of the small network | f_U] */
    struct dgm_matrix meta;     /* (N, 4K): u r q c of the small network */
    struct dgm_matrix z;        /* (N, K) */
    struct dgm_matrix t;        /* (N, 4 QK): [z f_W | z f_U | z Q_V x | z] of each block of Q */
    struct dgm_matrix gates;    /* (N, 4D): u r h_recurrent h_input, then u r q c */
    struct dgm_matrix stack[2]; /* (QK + 3K, D): [Q_W; meta_W], [meta_U; Q_U] */
};

struct dgm_gru_dynamic_work {
    const struct dgm_gru_dynamic_op *dynamic;
    int64_t dim, small, wide; /* D, K, QK */
    struct dgm_gru_dynamic_store sides[DGM_GRU_SIDES];
    struct dgm_matrix meta; /* (roots + rows, K): states of the small network */
    struct dgm_matrix
        dmeta; /* (roots + rows, K): their gradients; this and the next two: backward only */
    struct dgm_matrix taus; /* (block, 4 QK): gradients of t */
    struct dgm_ref more;    /* (block, D): gradients on their way to siblings */
    struct dgm_ref rows;    /* (side or block, D): rows that were gathered, or will be scattered */
};

/* Lays everything out from `from` on; returns the end. */
struct dgm_ref dgm_gru_dynamic_lay_out(const struct dgm_node *y, struct dgm_ref from,
                                       struct dgm_gru_dynamic_work *work);

/* The rows of one block. */
struct dgm_gru_dynamic_store dgm_gru_dynamic_store_of(const struct dgm_gru_dynamic_work *work,
                                                      const struct dgm_gru_block *block);

/* Rows of a side's input, or of its gradient, that belong to a block. */
static inline struct dgm_ref dgm_gru_dynamic_rows(struct dgm_ref matrix, int64_t cols,
                                                  const struct dgm_gru_block *block)
{
    return dgm_matrix_at(dgm_matrix(matrix, cols), block->in_side, 0).at;
}

/*
 * OUT t for one block of rows, piece by piece: gates g .. g+gates-1 are products of block b of t,
 * of its columns `first` .. first+width-1 (in K), and stand at column `to` (in D) of the gates.
 */
struct dgm_gru_dynamic_piece {
    int64_t gate, gates, block, first, width, to;
};

enum { DGM_GRU_DYNAMIC_PIECES = 4 };

/* The pieces, and how many there are. */
int dgm_gru_dynamic_pieces(const struct dgm_gru_dynamic_op *dynamic,
                           struct dgm_gru_dynamic_piece pieces[DGM_GRU_DYNAMIC_PIECES]);

/* Where a piece reads t, writes gates, and has its weights. */
struct dgm_gru_dynamic_parts {
    struct dgm_matrix t, gates, out;
};

struct dgm_gru_dynamic_parts dgm_gru_dynamic_parts_of(const struct dgm_gru_dynamic_work *work,
                                                      const struct dgm_gru_dynamic_piece *piece,
                                                      struct dgm_matrix t, struct dgm_matrix gates,
                                                      struct dgm_ref out);

/* How t of `count` rows follows from their factors. */
struct dgm_modulate dgm_gru_dynamic_modulate(const struct dgm_gru_dynamic_work *work,
                                             const struct dgm_gru_dynamic_store *store,
                                             int64_t count);

#endif
