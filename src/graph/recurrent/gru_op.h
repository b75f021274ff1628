/*
 * gru_op.h: what the files of op_gru.c share: its inputs, and what a pass keeps of every
 * row.
 */
#ifndef DGM_GRAPH_RECURRENT_GRU_OP_H
#define DGM_GRAPH_RECURRENT_GRU_OP_H

#include "graph/recurrent/gru.h"

struct dgm_gru_op {
    struct dgm_gru_plan plan;
    dgm_real carry;
    int is_kept; /* a backward pass follows */
};

/* Inputs: init, then these of every side. */
enum { DGM_RC_X, DGM_RC_PARENT, DGM_RC_SIBLING, DGM_RC_INPUTS };

static inline struct dgm_node *dgm_gru_input(const struct dgm_node *y, int side, int which)
{
    return y->in[1 + side * DGM_RC_INPUTS + which];
}

static inline int dgm_gru_wants(const struct dgm_node *y, int side, int which)
{
    return dgm_node_wants(y, 1 + side * DGM_RC_INPUTS + which);
}

/* The memory of a pass. */
struct dgm_gru_work {
    const struct dgm_gru_op *recur;
    int64_t dim;
    struct dgm_part states;               /* (roots + rows, D): y, or its gradient */
    struct dgm_part gates[DGM_GRU_SIDES]; /* (N_s, 4D): u r q c, then their gradients */
    struct dgm_ref rows, more;            /* rows that are gathered, or to be scattered */
};

/* The memory of a pass over states, or over their gradients. */
struct dgm_gru_work dgm_gru_work_of(const struct dgm_node *y, struct dgm_ref states);

static inline struct dgm_part dgm_gru_gates(const struct dgm_gru_work *work,
                                            const struct dgm_gru_block *block)
{
    if (!work->recur->is_kept)
        return work->gates[0];
    return dgm_part_at(work->gates[block->side], block->in_side, 0);
}

/* Cells of the block that read one state each, from rows that lie side by side. */
static inline int dgm_gru_is_contiguous(const struct dgm_gru_plan *plan,
                                        const struct dgm_gru_block *block)
{
    return block->parents >= 0 && !plan->side[block->side].sibling.buffer;
}

/* Such cells, right at the beginning: all that they read is zeros. */
static inline int dgm_gru_is_first(const struct dgm_node *y, const struct dgm_gru_block *block)
{
    const struct dgm_gru_op *recur = y->attr;

    return y->in[0] == NULL && dgm_gru_is_contiguous(&recur->plan, block) &&
           block->parents + block->count <= recur->plan.roots;
}

/* gru_backward.c */
dgm_status dgm_gru_backward(struct dgm_graph *g, struct dgm_node *y);

#endif
