/*
 * substrings.h: the substrings that occur at least twice, and weigh most: seeds of a unigram model.
 */
#ifndef DGM_TEXT_SPM_LEARN_SUBSTRINGS_H
#define DGM_TEXT_SPM_LEARN_SUBSTRINGS_H

#include "text/spm_learn/frequent.h"

/* Adds those of 2 to DGM_SPM_LONGEST_PIECE characters, at most `most`, in the order of their
 * scores: occurrences times characters. Of those that occur at the same places, the longest. */
dgm_status dgm_spm_substrings(struct dgm_env *env, const struct dgm_spm_sorted *stretches,
                              size_t count, const struct dgm_map *characters, size_t most,
                              struct dgm_spm_learned_set *set);

#endif
