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

struct dgm_pair_map {
    uint64_t *keys; /* a << 32 | b of every pair, in order of insertion */
    size_t count, capacity;
    uint32_t *slots;   /* number + 1; 0 is free */
    size_t slot_count; /* a power of two, or 0 */
};

#define DGM_PAIR_NONE 0xFFFFFFFFU

/* The number of (a, b), or DGM_PAIR_NONE. */
uint32_t dgm_pair_map_find(const struct dgm_pair_map *pairs, uint32_t a, uint32_t b);

/* The number of (a, b), which is the old `count` if the pair is new. */
dgm_status dgm_pair_map_insert(struct dgm_env *env, struct dgm_pair_map *pairs, uint32_t *number,
                               uint32_t a, uint32_t b);

uint32_t dgm_pair_map_first(const struct dgm_pair_map *pairs, uint32_t number);
uint32_t dgm_pair_map_second(const struct dgm_pair_map *pairs, uint32_t number);

/* Empties the table in time proportional to its pairs, and keeps the memory. */
void dgm_pair_map_reset(struct dgm_pair_map *pairs);
void dgm_pair_map_clear(struct dgm_env *env, struct dgm_pair_map *pairs);

#endif
