/*
 * score_mean.h: the mean of what several parsers hold likely.
 *
 * Parsers that parse together are one whose probabilities are the mean of theirs, for heads,
 * labels, tags and all other columns alike, as Che et al. ("Towards Better UD Parsing", CoNLL 2018,
 * section 2.4) have it for heads and labels, and as ensembles of translation models do here. So a
 * row of the mean sums to 1 without more ado, and a parser that is sure outweighs one that is not;
 * a mean of logarithms would let a single parser forbid what all others want.
 *
 * With s(k,j) what parser k gives class j, and z(k) = log sum_j exp s(k,j):
 *
 *     m(j) = log (1/K sum_k exp(s(k,j) - z(k))) + z(1)
 *
 * Computed in double precision, and from s(1,j) on, so that parsers that agree to the bit have that
 * very s(1,j) as their mean.
 */
#ifndef DGM_DECODE_PARSE_SCORE_MEAN_H
#define DGM_DECODE_PARSE_SCORE_MEAN_H

#include "base/real.h"
#include "decode/search/search.h" /* DGM_ENSEMBLE */

#include <stdint.h>

/* What each parser gives the same things; the mean takes the place of the first one's. */
struct dgm_score_mean {
    dgm_real *of[DGM_ENSEMBLE];         /* (rows, classes) */
    const int32_t *order[DGM_ENSEMBLE]; /* (classes) the first one's, as numbers of this one; NULL:
                                         * they are the same */
    int count;
};

/* Of scores, which a softmax would turn into probabilities. Class `left_out`, or none (-1), has no
 * share in them and stays as it is. */
void dgm_score_mean_rows(const struct dgm_score_mean *mean, int64_t rows, int64_t classes,
                         int32_t left_out);
/* Of `count` logarithms of probabilities. */
void dgm_score_mean_logs(const struct dgm_score_mean *mean, int64_t count);

#endif
