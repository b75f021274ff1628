/*
 * bpe_stats.h: how often each pair of neighbouring symbols occurs, while BPE is being
 * learned.
 *
 * subword-nmt keeps two tables: a small one of frequent pairs, in which it looks for
 * the best pair, and a full one, to which rare pairs are moved. Counts may go astray on
 * the way between them (a pair that comes back loses what it had before), so the two
 * tables are part of what the learned codes are, and are kept here in the same way.
 */
#ifndef DGM_TEXT_BPE_BPE_STATS_H
#define DGM_TEXT_BPE_BPE_STATS_H

#include "base/env.h"
#include "base/map.h"
#include "text/bpe/pair_map.h"

/* A word of the corpus that holds, or once held, a pair; a list through `next`. */
struct dgm_bpe_place {
    uint32_t word, next;
};

struct dgm_bpe_pair {
    int64_t count;                   /* in the small table */
    int64_t full_count;              /* in the full table */
    uint32_t places;                 /* first of its list, or DGM_PAIRS_NONE */
    unsigned char is_small, is_full; /* which tables hold it */
};

struct dgm_bpe_stats {
    struct dgm_map symbols;     /* strings; symbols are entry numbers */
    struct dgm_pairs pairs;     /* (left, right) -> pair */
    struct dgm_bpe_pair *items; /* of each pair */
    size_t item_capacity;
    uint32_t *small; /* the pairs of the small table */
    size_t small_count, small_capacity;
    struct dgm_bpe_place *places;
    size_t place_count, place_capacity;
};

/*
 * Adds `change` to the count of (left, right) in the small table; a gain notes the
 * word.
 */
dgm_status dgm_bpe_stats_add(struct dgm_env *env, struct dgm_bpe_stats *stats, uint32_t left,
                             uint32_t right, int64_t change, uint32_t word);

/* The most frequent pair of the small table, or DGM_PAIRS_NONE if it is empty. */
uint32_t dgm_bpe_stats_best(const struct dgm_bpe_stats *stats);

/* Moves pairs rarer than the threshold to the full table. */
void dgm_bpe_stats_prune(struct dgm_bpe_stats *stats, double threshold);

/* Makes the full table a copy of the small one, or the other way round. */
void dgm_bpe_stats_save(struct dgm_bpe_stats *stats);
dgm_status dgm_bpe_stats_restore(struct dgm_env *env, struct dgm_bpe_stats *stats);

void dgm_bpe_stats_clear(struct dgm_env *env, struct dgm_bpe_stats *stats);

#endif
