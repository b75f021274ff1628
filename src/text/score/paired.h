/*
 * paired.h: paired bootstrap resampling (Koehn, EMNLP 2004): is one system better than
 * another, or was it the choice of the test sentences?
 *
 * Each sentence of each system is a row of integer statistics whose sums yield a score,
 * so a sample of sentences is scored by adding rows, without counting any n-gram again.
 * Every system sees the same samples.
 */
#ifndef DGM_TEXT_SCORE_PAIRED_H
#define DGM_TEXT_SCORE_PAIRED_H

#include "base/env.h"

/* The rows that are scored, the score, and the number of samples. */
struct dgm_paired_test {
    size_t sentences, width; /* rows of a system, and numbers of a row */
    double (*score)(const void *user, const int64_t *sums);
    const void *user;
    size_t samples; /* at least 1 */
    uint64_t seed;
    int sacrebleu; /* its samples and its p */
    /* Test sets one after the other: where each ends; a sample draws from each as many sentences as
     * it has. NULL: they are one. */
    const size_t *ends;
    size_t parts;
    /* With it the score of a sample and its precision (metric.h); NULL: it is `score`. */
    double (*sample)(const void *user, const int64_t *sums);
    int samples_are_single;
    int alone; /* no p is asked for: the mean of --confidence, which sums otherwise than that of
                * --paired-bs */
};

/* Whether there are sentences and samples, and not too many. */
dgm_status dgm_paired_check(struct dgm_env *env, const struct dgm_paired_test *test);

/*
 * Of each system the score of all sentences, and the mean of those of the samples; 95 % of these
 * lie within about half_width of it. p: of a system against system 0, two-sided; 1 for system 0
 * itself.
 *
 * systems[s] holds sentences x width numbers. The results of a system depend on nothing
 * but its rows, those of system 0, and the test: not on which others are compared.
 *
 * With d the difference from system 0, p = (1 + #{samples: |d_sample - mean of d_sample|
 * >= |d|}) / (samples + 1): how often chance alone, the samples shifted so that there is
 * no difference, yields one as large as that found. sacreBLEU and Moses count the samples
 * with |d_sample| - mean of |d_sample| > |d|: one side of the same distribution where
 * systems clearly differ, hence about half of this. With `sacrebleu` this is p, and the samples
 * are those of sacreBLEU with the same seed (numpy_random.h).
 */
dgm_status dgm_paired_bootstrap(struct dgm_env *env, dgm_paired *results,
                                const struct dgm_paired_test *test, const int64_t *const *systems,
                                size_t count);

/* The scores alone: plain[s] of all sentences, and samples[s * test->samples + i] of sample i. */
dgm_status dgm_paired_samples(struct dgm_env *env, const struct dgm_paired_test *test,
                              const int64_t *const *systems, size_t count, double *plain,
                              double *samples);
/* The middle 95 % of values, which are sorted on the way. */
void dgm_paired_middle(double *values, size_t count, double *low, double *high);
/* p of a difference, as above: values[i] that of sample i, less its mean, against the one found. */
double dgm_paired_p(const double *values, size_t count, double difference);

#endif
