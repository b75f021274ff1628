/*
 * randomization.h: approximate randomisation (Noreen 1989; Riezler and Maxwell, ACL 2005): two
 * systems swap the lines that a coin picks. If nothing but chance sets them apart, that often
 * yields a difference as large as the one found.
 */
#ifndef DGM_TEXT_SCORE_RANDOMIZATION_H
#define DGM_TEXT_SCORE_RANDOMIZATION_H

#include "text/score/paired.h"

/*
 * Of each system the score of all sentences, and p of its difference d from system 0: with
 * test->samples trials (1 + #{trials: |d_trial| >= |d|}) / (trials + 1), which is 1 for system 0
 * itself. sacreBLEU counts |d_trial| > |d|, and with `sacrebleu` so does this: two systems that
 * differ in a single line always swap to the same difference, and have p = 1 by the one and the
 * least that is possible by the other. The coins are those of sacreBLEU with the same seed.
 */
dgm_status dgm_randomization_test(struct dgm_env *env, dgm_paired *results,
                                  const struct dgm_paired_test *test, const int64_t *const *systems,
                                  size_t count);

#endif
