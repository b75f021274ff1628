/*
 * wavefront_tree.h: in which order the nodes of binary trees are computed, all sentences of a
 * packed batch at once: from the leaves up by height, then from the roots down by depth (Yang,
 * Wong, Chao, Zhang, "Towards bidirectional hierarchical representations for attention-based
 * neural machine translation", EMNLP 2017).
 *
 * Upwards, a state of every node: those of all leaves as they lie in the batch, then those of the
 * internal nodes by (height, sentence, number). Downwards, a state of every node once more, H of
 * dgm_gru: one root for each sentence that has words, then the nodes by (depth, side), left
 * children being side 0, right ones side 1. Results are asked for in the order of the sentences,
 * in each the leaves, then the internal nodes in post-order: the order of output.
 */
#ifndef DGM_NN_SCHEDULE_WAVEFRONT_TREE_H
#define DGM_NN_SCHEDULE_WAVEFRONT_TREE_H

#include "graph/ops.h"
#include "nn/feed.h"

/*
 * Sentence s has leaves offsets[s] .. offsets[s+1]-1, N of them, and the N-1 nodes (none without
 * words) tree_offsets[s] .. tree_offsets[s+1]-1 of left and right, which name children within the
 * sentence, as syntax/tree/binary.h says; they have been checked.
 */
struct dgm_tree_batch {
    const int32_t *offsets, *tree_offsets; /* (count + 1), beginning with 0 */
    const int32_t *left, *right;
    int32_t count;
};

enum dgm_tree_root {
    DGM_ROOT_COPY, /* the root of H is the state of the way up */
    DGM_ROOT_LEFT  /* the root of H is zeros, and the tree's root its left child */
};

/*
 * Nodes that are attended to: those of levels lowest .. highest (0: no limit); leaves have level
 * 1, a parent one more than its higher child. A sentence that has none of these attends to its
 * root.
 */
struct dgm_tree_choice {
    enum dgm_tree_root root;
    int32_t lowest, highest;
};

/* Zeroed: empty. Owns its arrays, which are reused by the next staging. */
struct dgm_wavefront_tree {
    int64_t sentences, leaves, nodes, roots, side_rows[2], attended_count;
    int32_t up_steps, down_steps;
    dgm_slot left, right; /* of struct dgm_tree_cell_plan */
    dgm_slot parent[2], source[2], root_rows, output, output_offsets, attended, attended_offsets;
    int32_t *counts;              /* (up_steps) */
    struct dgm_gru_block *blocks; /* (block_count) */
    int block_count;
    int32_t *work;
    size_t count_capacity, block_capacity, work_capacity;
};

/* Lists on the device: int32 each. `up` counts states of the way up, H rows of dgm_gru. */
struct dgm_tree_lists {
    struct dgm_ref source[2]; /* (side_rows) up: what each row of a side reads as its x */
    int64_t side_rows[2];
    struct dgm_ref roots; /* (root_count) up: the trees' roots, the init of H by copy */
    int64_t root_count;
    struct dgm_ref output;         /* (all) H: every node in the order of output */
    struct dgm_ref output_offsets; /* (sentences + 1) */
    int64_t all;
    struct dgm_ref attended;         /* (attended_count) H, in the order of output */
    struct dgm_ref attended_offsets; /* (sentences + 1) */
    int64_t attended_count;
};

void dgm_wavefront_tree_clear(struct dgm_env *env, struct dgm_wavefront_tree *w);

dgm_status dgm_wavefront_tree_stage(struct dgm_env *env, struct dgm_feed *feed,
                                    struct dgm_wavefront_tree *w,
                                    const struct dgm_tree_batch *batch,
                                    const struct dgm_tree_choice *choice);

/* What was staged, after dgm_feed_send; valid until the next staging into `w`. */
struct dgm_tree_cell_plan dgm_wavefront_tree_up(const struct dgm_feed *feed,
                                                const struct dgm_wavefront_tree *w);
struct dgm_gru_plan dgm_wavefront_tree_down(const struct dgm_feed *feed,
                                            const struct dgm_wavefront_tree *w);
struct dgm_tree_lists dgm_wavefront_tree_lists(const struct dgm_feed *feed,
                                               const struct dgm_wavefront_tree *w);

#endif
