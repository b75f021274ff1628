/*
 * tally.h: how often each word occurs, in memory that has a limit: what is rare goes first.
 *
 * Lossy counting (Manku and Motwani, "Approximate frequency counts over data streams", VLDB 2002),
 * with a limit of memory in place of one of error: where the counts exceed it, the rarest half of
 * the words goes. `lost` bounds what that costs: no count is too high, none is too low by more, and
 * every word that occurs more often is there. It is 0, and all counts are exact, while the limit
 * is not reached.
 */
#ifndef DGM_TEXT_BPE_TALLY_H
#define DGM_TEXT_BPE_TALLY_H

#include "base/map.h"

/* Zeroed but for `limit`: nothing is counted. */
struct dgm_tally {
    struct dgm_map counts; /* in the order in which the words that are there came */
    size_t limit;          /* bytes, for a moment also; 0: none */
    int64_t lost;
    int64_t *missed; /* by entry: how often it may have occurred before it came (again); NULL: 0 */
    size_t missed_capacity;
};

/* Counts a word. */
dgm_status dgm_tally_word(struct dgm_env *env, struct dgm_tally *tally, const char *word,
                          size_t bytes);
/* Counts the words of a line (word_counts.h). */
dgm_status dgm_tally_line(struct dgm_env *env, struct dgm_tally *tally, const char *line,
                          size_t bytes);
/* Adds `word count` lines; the limit holds again when all are read. */
dgm_status dgm_tally_load(struct dgm_env *env, struct dgm_tally *tally, const char *path);
/* Logs a warning if counts are not exact. `what` is counted, as in "words". */
void dgm_tally_warn(struct dgm_env *env, const struct dgm_tally *tally, const char *what);
void dgm_tally_clear(struct dgm_env *env, struct dgm_tally *tally);

#endif
