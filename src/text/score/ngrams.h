/*
 * ngrams.h: counting n-grams of one sentence against its references, for BLEU and chrF.
 *
 * An n-gram is a pair of an (n-1)-gram and an item (a word's number, or a character),
 * so that counts are exact: nothing rests on hashes being different.
 */
#ifndef DGM_TEXT_SCORE_NGRAMS_H
#define DGM_TEXT_SCORE_NGRAMS_H

#include "base/env.h"
#include "text/bpe/pair_map.h"

#define DGM_NGRAMS_MAX_ORDER 6

struct dgm_ngram {
    int64_t hypothesis, reference; /* how often it occurs; in the references: at most at once */
    int64_t current;               /* in the reference that is being added */
    int order;
};

/* Zeroed is valid and empty. */
struct dgm_ngrams {
    struct dgm_pair_map pairs; /* (number of the (n-1)-gram + 1 or 0, item) */
    struct dgm_ngram *items;
    size_t capacity;
};

/* Forgets the last sentence and keeps the memory. */
void dgm_ngrams_reset(struct dgm_ngrams *ngrams);

/* Counts the n-grams of orders 1..order of the hypothesis or of one reference. */
dgm_status dgm_ngrams_add(struct dgm_env *env, struct dgm_ngrams *ngrams, const uint32_t *items,
                          size_t count, int order, int is_reference);

/* For each order n, [n - 1]: n-grams in the hypothesis, in the reference, and in both. */
void dgm_ngrams_sum(const struct dgm_ngrams *ngrams, int64_t *hypothesis, int64_t *reference,
                    int64_t *common, int order);

void dgm_ngrams_clear(struct dgm_env *env, struct dgm_ngrams *ngrams);

#endif
