/*
 * score_tests.h: how sure numbers are, as the options ask: --paired-bs, --paired-ar, --confidence.
 */
#ifndef DGM_CMD_SCORE_SCORE_TESTS_H
#define DGM_CMD_SCORE_SCORE_TESTS_H

#include "cmd/score/score.h"

/* Whether systems are compared with the first; and whether a score has a mean and an interval. */
int dgm_score_is_paired(const struct dgm_score *score);
int dgm_score_has_mean(const struct dgm_score *score);

/* Fills in the results of systems, by scorers that keep their sentences: the score, and what the
 * two functions above say. */
dgm_status dgm_score_test(const struct dgm_score *score, dgm_scorer *const *scorers, size_t count,
                          dgm_paired *results);

/* Appends the signature, in which sacreBLEU puts the samples behind the first part:
 * "nrefs:1|bs:1000|seed:12345|case:...". Where p is another than sacreBLEU's, "p:two-sided"
 * tells. */
dgm_status dgm_score_add_signature(const struct dgm_score *score, struct dgm_buf *out,
                                   dgm_scorer *scorer, int is_short);

#endif
