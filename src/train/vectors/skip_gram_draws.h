/*
 * skip_gram_draws.h: the random choices of skip_gram.h: which words of the text are passed over,
 * how wide a window is, which words stand for all that are not there.
 *
 * Each is a function of seed, epoch and the place in the text, whoever asks, and when.
 */
#ifndef DGM_TRAIN_VECTORS_SKIP_GRAM_DRAWS_H
#define DGM_TRAIN_VECTORS_SKIP_GRAM_DRAWS_H

#include "kernel/kernel.h"
#include "train/vectors/skip_gram_text.h"

enum { DGM_SKIP_GRAM_NEGATIVES = 64 }; /* most draws of a place */

struct dgm_skip_gram_draws {
    const struct dgm_kernels *kernels;
    uint32_t seed;
    int64_t words;
    uint64_t *kept; /* (words) of 2^32 places of a word, so many are not passed over */
    /* Walker's alias method ("An efficient method for generating discrete random variables with
     * general distributions", 1977): column i is word i for `split` of 2^32, and else `other`. */
    uint64_t *split;
    int32_t *other;
};

/*
 * sample: words that make up more than this share of the text are passed over at times, so that a
 * word of share f is kept with the probability sqrt(sample/f) + sample/f, as word2vec does it; 0:
 * none is. Words are drawn in proportion to their counts to the power of 0.75 (Mikolov et al.,
 * "Distributed representations of words and phrases and their compositionality", 2013).
 */
dgm_status dgm_skip_gram_draws_init(struct dgm_env *env, struct dgm_skip_gram_draws *draws,
                                    const struct dgm_skip_gram_text *text, double sample,
                                    uint32_t seed, const struct dgm_kernels *kernels);
void dgm_skip_gram_draws_clear(struct dgm_env *env, struct dgm_skip_gram_draws *draws);

/* Whether the word at a place of the text is kept in this epoch. */
int dgm_skip_gram_keeps(const struct dgm_skip_gram_draws *draws, int32_t word, uint64_t place,
                        uint32_t epoch);
/* The words on each side that a window at a place has, 1..most; and `count` words drawn, at most
 * DGM_SKIP_GRAM_NEGATIVES. */
int dgm_skip_gram_window(const struct dgm_skip_gram_draws *draws, int most, int32_t *negatives,
                         int count, uint64_t place, uint32_t epoch);

#endif
