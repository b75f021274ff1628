/*
 * ter_edits.h: the edits of TER (Snover and others, AMTA 2006): words inserted, deleted and
 * replaced, and blocks of words shifted, until a hypothesis is as its reference.
 *
 * The least number is hard to find, so that scores are those of a way to look for it: tercom's,
 * with sacreBLEU's limits. A block has at most 10 words and moves at most 50; each round takes the
 * shift that leaves the fewest other edits; 1000 shifts are tried, and the distance is looked for
 * within 25 words of the diagonal.
 */
#ifndef DGM_TEXT_SCORE_TER_EDITS_H
#define DGM_TEXT_SCORE_TER_EDITS_H

#include "base/env.h"

/* Row i of the distance, of the first i words of a hypothesis: cells low .. high - 1, which stand
 * from `at` on, behind one that is as good as none, and before such up to the next row's end. */
struct dgm_ter_row {
    size_t low, high, at;
};

/* Scratch memory; zeroed is valid. */
struct dgm_ter_edits {
    struct dgm_ter_row *rows;
    int32_t *cells;      /* of `words` */
    int32_t *scratch[2]; /* two rows of another order of words */
    uint32_t *words;     /* the hypothesis as it is shifted */
    uint32_t *shifted;   /* with one shift more */
    int32_t *align;      /* (reference) the last word at or before this place, or -1 */
    int32_t *hypothesis_errors, *reference_errors; /* in the first i words */
    size_t row_capacity, cell_capacity, scratch_capacity[2], word_capacity, shifted_capacity;
    size_t align_capacity, hypothesis_capacity, reference_capacity;
};

/* Words are numbers; those that are equal have the same. */
dgm_status dgm_ter_count(struct dgm_env *env, struct dgm_ter_edits *edits, const uint32_t *words,
                         size_t count, const uint32_t *reference, size_t reference_count,
                         int64_t *found);

void dgm_ter_edits_clear(struct dgm_env *env, struct dgm_ter_edits *edits);

#endif
