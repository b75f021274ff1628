/*
 * mixture.h: how often each pair comes in an epoch, where texts have shares of it.
 *
 * An epoch has as many pairs as all texts together. Text i of n pairs has m of them, m in
 * proportion to its weight. Pair p comes
 *
 *     floor(((p + 1 + e mod n) m + c) / n) - floor(((p + e mod n) m + c) / n)
 *
 * times in epoch e, where c in 0..n-1 is drawn from the seed: m / n rounded down or up, m times in
 * all. From epoch to epoch the pairs that come once more move on by one place, so that after any
 * number of epochs all pairs of a text have come equally often, but for one time. Nothing is kept
 * for that, and what a run of pairs sums up to is found from its ends.
 */
#ifndef DGM_DATA_MIXTURE_H
#define DGM_DATA_MIXTURE_H

#include "data/corpus.h"

/* Most times of a pair in an epoch. */
enum { DGM_MIXTURE_MOST = 1000 };

struct dgm_mixture_text {
    int64_t first, pairs; /* numbers of its pairs: first .. first + pairs - 1 */
    int64_t wanted;       /* m */
    int64_t start;        /* c */
};

/* Zeroed: every pair once. */
struct dgm_mixture {
    struct dgm_mixture_text *texts;
    size_t count;
};

/* weights: (count) above 0. DGM_USAGE for shares of which a text would have no pair, or each pair
 * more than DGM_MIXTURE_MOST times; *bad is then its number. */
dgm_status dgm_mixture_init(struct dgm_env *env, struct dgm_mixture *mixture,
                            const struct dgm_text_part *parts, const double *weights, size_t count,
                            uint64_t seed, size_t *bad);
void dgm_mixture_clear(struct dgm_env *env, struct dgm_mixture *mixture);

/* The weight that a text of so many pairs, of `all`, has with a temperature of 1 or more:
 * (pairs / all) ^ (1 / temperature). */
double dgm_mixture_weight(int64_t pairs, int64_t all, double temperature);

/* How often a pair comes in an epoch. */
int64_t dgm_mixture_times(const struct dgm_mixture *mixture, int64_t pair, int64_t epoch);
/* How many of the pairs first .. end - 1 come more than `pass` times in it. */
int64_t dgm_mixture_pairs(const struct dgm_mixture *mixture, int64_t first, int64_t end,
                          int64_t epoch, int64_t pass);
/* The most times that one of them comes in any epoch. */
int64_t dgm_mixture_most(const struct dgm_mixture *mixture, int64_t first, int64_t end);

#endif
