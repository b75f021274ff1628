/*
 * skip_gram.h: vectors of words, learned from plain text: the skip-gram model with negative
 * sampling (Mikolov et al., "Distributed representations of words and phrases and their
 * compositionality", 2013).
 *
 * Each word has a vector v, which is the result, and another one, u. For a word w of the text, a
 * word c of its window and words n that are drawn, a step goes down the slope of
 *
 *     -log sigmoid(v_c . u_w) - sum over n of log sigmoid(-v_c . u_n)
 *
 * All words of a window share what is drawn (Ji et al., "Parallelizing word2vec in shared and
 * distributed memory", 2016), so that the products of a window are those of two small matrices.
 *
 * word2vec's threads write where others read, and no two runs give the same vectors. Here a batch
 * of some hundred places is computed from vectors that stand still; then each vector takes its
 * steps in the order of the places. Threads share out places, then vectors: how many there are
 * changes no bit.
 */
#ifndef DGM_TRAIN_VECTORS_SKIP_GRAM_H
#define DGM_TRAIN_VECTORS_SKIP_GRAM_H

#include "base/system/pool.h"
#include "kernel/kernel.h"
#include "train/vectors/skip_gram_text.h"

struct dgm_skip_gram_options {
    int64_t dim;           /* numbers of a vector */
    int window, negatives; /* most words on each side; words drawn */
    double sample;         /* skip_gram_draws.h */
    double rate;           /* of the first step; it falls with the places, to nothing */
    int64_t epochs;
    uint32_t seed;
    const struct dgm_kernels *kernels;
    struct dgm_pool *pool;
    dgm_progress_fn progress; /* words of the text, all epochs; may be NULL */
    void *progress_user;
};

/* vectors (words, dim), the caller's. DGM_FAILURE where they come to be no numbers. */
dgm_status dgm_skip_gram_learn(struct dgm_env *env, dgm_real *vectors,
                               const struct dgm_skip_gram_text *text,
                               const struct dgm_skip_gram_options *options);

#endif
