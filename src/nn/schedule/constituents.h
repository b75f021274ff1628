/*
 * constituents.h: the binary trees of a packed side as the constituency encoder reads them: over
 * positions, the ends of sentences left out.
 *
 * They come from the side's constituents or, where it has none, from its dependency trees
 * (syntax/tree/binary.h); a word of several pieces is a constituent of these. A sentence with
 * neither, and one that was cut to what the model reads, becomes a right-branching tree: that is
 * also what a chain or a star of dependencies is as constituents.
 */
#ifndef DGM_NN_SCHEDULE_CONSTITUENTS_H
#define DGM_NN_SCHEDULE_CONSTITUENTS_H

#include "nn/schedule/position_trees.h"
#include "nn/schedule/wavefront_tree.h"

/* Zeroed: empty. Owns its arrays, which are reused by the next reading. */
struct dgm_constituents {
    int32_t count;
    int32_t *offsets, *tree_offsets;                /* (S+1) of leaves and of internal nodes */
    int32_t *left, *right;                          /* as struct dgm_tree_batch has them */
    int32_t *word_left, *word_right, *first, *work; /* of one sentence */
    size_t offset_capacity, capacity, word_capacity, work_capacity;
};

/* numbers (S): numbers of the sentences for messages, counted from 0. DGM_DATA for a tree that is
 * none and, with DGM_NO_PARSE_REJECT, for a sentence without. */
dgm_status dgm_constituents_read(struct dgm_env *env, struct dgm_constituents *constituents,
                                 const struct dgm_packed *packed, const int32_t *numbers,
                                 enum dgm_no_parse no_parse);
struct dgm_tree_batch dgm_constituents_batch(const struct dgm_constituents *constituents);

void dgm_constituents_clear(struct dgm_env *env, struct dgm_constituents *constituents);

#endif
