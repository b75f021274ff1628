/*
 * wavefront_tree_part.h: what the files of tree schedules share; nobody else includes it.
 */
#ifndef DGM_NN_SCHEDULE_WAVEFRONT_TREE_PART_H
#define DGM_NN_SCHEDULE_WAVEFRONT_TREE_PART_H

#include "nn/schedule/wavefront_tree.h"

/* Working memory. M internal nodes in all, by their places in the batch; T = leaves + M states. */
struct dgm_tree_work {
    int32_t *height;       /* (M) from 1 */
    int32_t *rank;         /* (M) place among the internal states */
    int32_t *left, *right; /* (M) states of children, by rank */
    int32_t *next;         /* (M + 1) */
    int32_t *up;           /* (T + sentences) the state of the way up of each row of H; -1: none */
    int32_t *row;          /* (T) and the other way round */
    int32_t *parent[2], *source[2]; /* (T) by side */
    int32_t *output, *attended;     /* (T) */
    int32_t *offsets;               /* (sentences + 1) */
};

static inline int32_t dgm_tree_words(const struct dgm_tree_batch *batch, int32_t s)
{
    return batch->offsets[s + 1] - batch->offsets[s];
}

/* The state of the way up of node `node` of sentence s. */
static inline int32_t dgm_tree_state(const struct dgm_tree_work *lists,
                                     const struct dgm_tree_batch *batch, int32_t s, int32_t node)
{
    int32_t words = dgm_tree_words(batch, s);

    if (node < words)
        return batch->offsets[s] + node;
    return batch->offsets[batch->count] + lists->rank[batch->tree_offsets[s] + node - words];
}

/* Fills in the blocks of w, and of the lists up, row, parent and source. */
dgm_status dgm_tree_go_down(struct dgm_env *env, struct dgm_tree_wavefront *w,
                            struct dgm_tree_work *lists, const struct dgm_tree_batch *batch,
                            enum dgm_tree_root kind);

#endif
