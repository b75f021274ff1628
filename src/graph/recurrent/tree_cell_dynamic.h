/*
 * tree_cell_dynamic.h: what the files of op_tree_cell_dynamic.c share: its inputs, what it keeps of
 * every node, and which parts of its matrices belong together.
 */
#ifndef DGM_GRAPH_RECURRENT_TREE_CELL_DYNAMIC_H
#define DGM_GRAPH_RECURRENT_TREE_CELL_DYNAMIC_H

#include "graph/recurrent/gru.h"

/* Those whose values backward reads come first. */
enum {
    DGM_CO_LEFT_IN,
    DGM_CO_RIGHT_IN,
    DGM_CO_LEFT_OUT,
    DGM_CO_RIGHT_OUT,
    DGM_CO_BIAS,
    DGM_CO_META,
    DGM_CO_Z,
    DGM_CO_READ,
    DGM_CO_LEAVES = DGM_CO_READ,
    DGM_CO_META_BIAS,
    DGM_CO_Z_BIAS,
    DGM_CO_LEAF_META,
    DGM_CO_INPUTS
};

enum { DGM_CO_GATES = 5 };

struct dgm_composing {
    struct dgm_tree_cell_plan plan;
    int64_t small, blocks, most; /* K; blocks of Q: 2 or 5; nodes in a step */
};

/* Rows of all nodes where a backward pass follows, else of one step. */
struct dgm_composing_work {
    const struct dgm_composing *dynamic;
    int64_t dim, small, wide;                 /* D, K, QK */
    struct dgm_part child[2], small_child[2]; /* (M,D), (M,K): states of the children, l and r */
    struct dgm_part factor[2];                /* (M,QK) */
    struct dgm_part product[2];               /* (M,3K): meta times child */
    struct dgm_part side[2];                  /* (M,5D): left, right */
    struct dgm_part z, dz, t;                 /* (M,K), (M,K), (M,3 QK) */
    struct dgm_part states, dstates;          /* (leaves + M, K): of the small network */
    struct dgm_part bias, dchild[2], dsmall, taus; /* of a step: (n,5D), (n,D), (n,K), (n,3 QK) */
};

/* Lays everything out from `from` on; returns the end. */
struct dgm_ref dgm_composing_lay_out(const struct dgm_node *y, struct dgm_ref from,
                                     struct dgm_composing_work *work);

/* What belongs to nodes from `first` on. */
struct dgm_composing_work dgm_composing_at(const struct dgm_node *y, int64_t first);

/* The gates of block b: from the first on, how many. */
static inline int64_t dgm_composing_gate(const struct dgm_composing_work *work, int64_t block)
{
    return work->dynamic->blocks == DGM_CO_GATES ? block : block * (DGM_CO_GATES - 1);
}

static inline int64_t dgm_composing_gates(const struct dgm_composing_work *work, int64_t block)
{
    return work->dynamic->blocks == 2 && block == 0 ? DGM_CO_GATES - 1 : 1;
}

/* Part 0, 1 or 2 of block b of t, and the rows of P or B that belong to the block. */
static inline struct dgm_part dgm_composing_t(const struct dgm_composing_work *work,
                                              struct dgm_part t, int64_t block, int part)
{
    return dgm_part_at(t, 0, (3 * block + part) * work->small);
}

static inline struct dgm_part dgm_composing_rows(const struct dgm_composing_work *work,
                                                 struct dgm_ref weight, int64_t block)
{
    return dgm_part_at(dgm_part(weight, work->small), dgm_composing_gate(work, block) * work->dim,
                       0);
}

static inline struct dgm_ref dgm_composing_index(const struct dgm_tree_cell_plan *plan, int k,
                                                 int64_t first)
{
    return dgm_list_at(k == 0 ? plan->left : plan->right, first);
}

/* How t of `count` nodes follows from their factors. */
struct dgm_modulate dgm_composing_modulate(const struct dgm_composing_work *work, int64_t count);

/* tree_cell_dynamic_backward.c */
dgm_status dgm_composing_backward(struct dgm_graph *g, struct dgm_node *y);

#endif
