/*
 * pair_map.h: pairs of numbers to consecutive numbers: an exact hash table of (a, b).
 *
 * Merge rules are pairs of symbols, and an n-gram is a pair of an (n-1)-gram and a
 * word, so BPE and the scorers count with the same table. Pairs are numbered 0, 1, 2,
 * ... as they come.
 */
#ifndef DGM_TEXT_BPE_PAIR_MAP_H
#define DGM_TEXT_BPE_PAIR_MAP_H

#include "base/env.h"

struct dgm_pairs {
    uint64_t *keys; /* a << 32 | b of every pair, in order of insertion */
    size_t count, capacity;
    uint32_t *slots;   /* number + 1; 0 is free */
    size_t slot_count; /* a power of two, or 0 */
};

#define DGM_PAIRS_NONE 0xFFFFFFFFU

/* The number of (a, b), or DGM_PAIRS_NONE. */
uint32_t dgm_pairs_find(const struct dgm_pairs *pairs, uint32_t a, uint32_t b);

/* The number of (a, b), which is the old `count` if the pair is new. */
dgm_status dgm_pairs_insert(struct dgm_env *env, struct dgm_pairs *pairs, uint32_t *number,
                            uint32_t a, uint32_t b);

uint32_t dgm_pairs_first(const struct dgm_pairs *pairs, uint32_t number);
uint32_t dgm_pairs_second(const struct dgm_pairs *pairs, uint32_t number);

/* Empties the table in time proportional to its pairs, and keeps the memory. */
void dgm_pairs_reset(struct dgm_pairs *pairs);
void dgm_pairs_clear(struct dgm_env *env, struct dgm_pairs *pairs);

#endif
