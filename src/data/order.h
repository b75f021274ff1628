/*
 * order.h: which sentence pairs make up which batch, epoch by epoch.
 *
 * An epoch is a permutation of the corpus drawn from (seed, epoch), cut into batches of about
 * batch_tokens. Packed batches gain nothing from equal lengths, so by default sentences stay in
 * random order; with `window` > 1 that many batches' worth of sentences are sorted by length
 * before they are cut (length buckets), and the batches of the epoch shuffled again.
 *
 * Parse pairs of a multi-task corpus are pairs like others. Or they stand beside: the batches are
 * those of the translations alone, of the same seed, and each gets its share of the epoch's parse
 * pairs, beyond the limits. Then updates and epochs are those of a model without that task.
 */
#ifndef DGM_DATA_ORDER_H
#define DGM_DATA_ORDER_H

#include "data/batch.h"
#include "data/corpus.h"
#include "data/text/augment.h"
#include "data/text/resample.h"

struct dgm_order_options {
    uint64_t seed;
    int64_t batch_tokens;    /* sum over pairs of max(source, target) tokens */
    int64_t batch_sentences; /* 0: no limit */
    int64_t window;          /* batches that are sorted together; 0 or 1: none */
    double parse_ratio;      /* of a multi-task corpus: dgm_multitask_count */
    int parses_beside;
};

struct dgm_order {
    uint32_t *pairs;       /* (P) the permutation */
    uint32_t *starts;      /* (batches + 1) first entry of each batch */
    uint32_t *batch_order; /* (batches) */
    int64_t pair_count, batches;
    int64_t epoch; /* whose order it is */
    size_t pair_capacity, batch_capacity;
};

dgm_status dgm_order_make(struct dgm_env *env, struct dgm_order *order,
                          const struct dgm_corpus *corpus, const struct dgm_order_options *options,
                          int64_t epoch);
/* The same of a part of a text, by its number: another order for each of them, for part 0 that of
 * dgm_order_make. times: (pairs of the corpus) how often each comes; NULL: once. */
dgm_status dgm_order_make_part(struct dgm_env *env, struct dgm_order *order,
                               const struct dgm_corpus *corpus, const uint16_t *times,
                               const struct dgm_order_options *options, int64_t epoch,
                               uint32_t part);
void dgm_order_clear(struct dgm_env *env, struct dgm_order *order);

/* Pairs in the first `count` (0..batches) batches of the epoch. */
int64_t dgm_order_pairs(const struct dgm_order *order, int64_t count);

/* Pairs of batch b of the epoch. */
int64_t dgm_order_batch_pairs(const struct dgm_order *order, int64_t b);

/* Positions of batch b of the epoch, both sides together; where pieces are drawn, of the best
 * ones. */
int64_t dgm_order_batch_rows(const struct dgm_order *order, const struct dgm_corpus *corpus,
                             int64_t b);

/* Packs batch b of the epoch, with other lines or pieces where the corpus has them drawn;
 * DGM_FAILURE unless that is one of 0..batches-1. */
dgm_status dgm_order_batch(struct dgm_env *env, const struct dgm_order *order,
                           const struct dgm_corpus *corpus, int64_t b, struct dgm_batch *batch);

#endif
