/*
 * repetition.h: over-translation: phrases that a translation says twice, back to back.
 *
 * A block of n tokens that is followed by itself counts, unless it is a shorter block repeated, has
 * no token with a letter in it, or stands doubled in a reference, too, where it is no fault.
 */
#ifndef DGM_TEXT_SCORE_REPETITION_H
#define DGM_TEXT_SCORE_REPETITION_H

#include "base/env.h"
#include "base/map.h"

enum { DGM_REPETITION_TOKENS = 500 }; /* tokens that are looked at, from the beginning of a line */

/* Zeroed is empty. */
struct dgm_repetition {
    struct dgm_map words; /* value 1: has a letter */
    int32_t *items;       /* the tokens of all sequences */
    int32_t *starts;      /* (count + 1) sequence 0 is the translation, the others references */
    size_t count, capacity, start_capacity;
};

/* Begins with a translation; tokens are what stands between spaces. */
dgm_status dgm_repetition_begin(struct dgm_env *env, struct dgm_repetition *repetition,
                                const char *text, size_t bytes);
/* Adds a reference of it. */
dgm_status dgm_repetition_add(struct dgm_env *env, struct dgm_repetition *repetition,
                              const char *text, size_t bytes);

/* Tokens of the longest repeated block, 0: there is none. */
int32_t dgm_repetition_longest(const struct dgm_repetition *repetition);
/* Whether two neighbouring blocks of 4..12 tokens are the same but for one token that one of them
 * lacks, or another in its place. */
int dgm_repetition_is_near(const struct dgm_repetition *repetition);

void dgm_repetition_clear(struct dgm_env *env, struct dgm_repetition *repetition);

#endif
