/*
 * position_trees.h: the trees of a packed side as recurrent tree encoders read them: one node per
 * position, the ends of sentences left out.
 *
 * The first piece of a word stands for the word; its other pieces depend on it. Positions that are
 * no words, and words whose head lost its position when the line was cut, are roots.
 */
#ifndef DGM_NN_SCHEDULE_POSITION_TREES_H
#define DGM_NN_SCHEDULE_POSITION_TREES_H

#include "data/batch.h"

/*
 * What a sentence without a parse becomes (Yang, Wong, Chao, Zhang, 2019, leave it open).
 *
 * Star: every word is a root. The lexicalized encoder then reads the words from left to right as
 * one GRU does, whose other input, the state above the roots, is always the same. That state is
 * below 1, so a word's state exceeds its left neighbour's by less than 1 even where every update
 * gate is open, and nothing grows where they are half open.
 * Chain: every position depends on the one before it. After DGM_CHAIN_MOST positions another chain
 * begins below the first position: a unit that carries its head and, for want of a sibling, its
 * head again may double at every step, which floats do not hold 128 times.
 * Reject: an error.
 */
enum dgm_no_parse { DGM_NO_PARSE_STAR, DGM_NO_PARSE_CHAIN, DGM_NO_PARSE_REJECT };
enum { DGM_CHAIN_MOST = 64 };

/* Zeroed: empty. Owns its arrays, which are reused by the next reading. */
struct dgm_position_trees {
    int32_t count;
    int32_t *offsets; /* (S+1) sentence s has the nodes offsets[s] .. offsets[s+1]-1 */
    int32_t *rows;    /* (N) the position of each node in the packed side */
    int32_t *heads;   /* (N) counted within the sentence, own index: a root */
    int32_t *pre;     /* (N) pre-order of each sentence, counted within it: heads first, then */
    int32_t *post;    /* (N) dependents in their order; post-order: heads last */
    int32_t *work;
    size_t offset_capacity, capacity, work_capacity;
};

/* Fills in all but the orders. numbers (S): numbers of the sentences for messages, counted from 0;
 * NULL: those in the batch. A head that is no word of its sentence is DGM_DATA. */
dgm_status dgm_position_trees_read(struct dgm_env *env, struct dgm_position_trees *trees,
                                   const struct dgm_packed *packed, const int32_t *numbers,
                                   enum dgm_no_parse no_parse);

/* Then the orders; several roots hang below one node that is in neither. Cycles are DGM_DATA. */
dgm_status dgm_position_trees_order(struct dgm_env *env, struct dgm_position_trees *trees,
                                    const int32_t *numbers);

void dgm_position_trees_clear(struct dgm_env *env, struct dgm_position_trees *trees);

#endif
