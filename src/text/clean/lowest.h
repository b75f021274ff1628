/*
 * lowest.h: the smallest numbers of a stream, in memory that grows with how many are wanted, not
 * with the stream.
 */
#ifndef DGM_TEXT_CLEAN_LOWEST_H
#define DGM_TEXT_CLEAN_LOWEST_H

#include "base/env.h"

/* Zeroed but for `wanted`: nothing came by. */
struct dgm_lowest {
    size_t wanted;
    uint64_t *heap; /* the wanted + 1 smallest so far, the largest first */
    size_t count, capacity;
};

dgm_status dgm_lowest_add(struct dgm_env *env, struct dgm_lowest *lowest, uint64_t number);
/*
 * The bound below which `wanted` of the numbers lie; fewer where equal ones would exceed that, as
 * they are all below it or none is. UINT64_MAX if no more than `wanted` came by.
 */
uint64_t dgm_lowest_bound(const struct dgm_lowest *lowest);
void dgm_lowest_clear(struct dgm_env *env, struct dgm_lowest *lowest);

#endif
