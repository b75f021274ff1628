/*
 * frequent.h: counted texts in the order of their counts, and models that need no more than that.
 */
#ifndef DGM_TEXT_SPM_LEARN_FREQUENT_H
#define DGM_TEXT_SPM_LEARN_FREQUENT_H

#include "text/spm_learn/learn.h"

struct dgm_spm_sorted {
    const char *text; /* of the map, borrowed */
    size_t bytes;
    int64_t count;
};

/* The entries of a map, the most frequent first, of equal ones the lower bytes; released by the
 * caller. */
dgm_status dgm_spm_sort(struct dgm_env *env, const struct dgm_map *map,
                        struct dgm_spm_sorted **sorted);
/* The most frequent ones as pieces: characters or words. Scores are logs of their shares. */
dgm_status dgm_spm_learn_frequent(struct dgm_env *env, const struct dgm_map *counts, size_t pieces,
                                  struct dgm_spm_learned_set *set);

#endif
