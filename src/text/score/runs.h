/*
 * runs.h: several trainings of a system against several of another, as their seeds differ: is the
 * mean better, or was it the choice of the test sentences, or of the seeds?
 *
 * One run of each is no evidence: what a seed changes is often as large as what a paper claims
 * (Clark, Dyer, Lavie and Smith, "Better Hypothesis Testing for Statistical Machine Translation",
 * ACL 2011). So two questions are asked, and a difference is to be believed where both say so:
 *
 *   p       other sentences, these runs: the paired bootstrap of paired.h, of the mean over runs of
 *           the scores of a sample
 *   p_runs  other sentences and other runs: Welch's t (Biometrika 34, 1947) with the squared
 *           standard error of three parts, s^2/n of the runs of either system and the variance of
 *           the bootstrap, and Satterthwaite's degrees of freedom. What a run and a sentence share
 *           is in two of the parts: the test errs to the safe side.
 */
#ifndef DGM_TEXT_SCORE_RUNS_H
#define DGM_TEXT_SCORE_RUNS_H

#include "text/score/paired.h"

struct dgm_runs_result {
    double mean, deviation; /* of the scores of its runs; deviation with n - 1, 0 of one run */
    double half_width;      /* half of the middle 95 % of the means of samples */
    /* Against system 0, for which they are 0, and p is 1: */
    double difference; /* of the means */
    double low, high;  /* the middle 95 % of the differences of samples */
    double p;          /* other sentences */
    double p_runs;     /* other sentences and runs; below 0 where either system has one run */
};

/* runs[s] of system s, at least 1, one after the other in rows[] and in scores[], which gets the
 * score of each. test->sacrebleu is 0. */
dgm_status dgm_runs_compare(struct dgm_env *env, struct dgm_runs_result *results, double *scores,
                            const struct dgm_paired_test *test, const int64_t *const *rows,
                            const size_t *runs, size_t systems);

#endif
