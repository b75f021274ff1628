/*
 * packing.h: ranges of memory for blocks that live for a while: blocks whose lives meet share no
 * bytes.
 */
#ifndef DGM_GRAPH_PACKING_H
#define DGM_GRAPH_PACKING_H

#include <stdint.h>

#include "base/env.h"

/* A range that one life needs; bytes are a multiple of 64, a cache line, or 0, and at most
 * DGM_BLOCK_MOST. What is planned may be more than a machine of 32 bits can address, which it has
 * to be told: sizes have 64 bits on all, in which no sum of 100,000 blocks wraps. */
#define DGM_BLOCK_MOST ((uint64_t)1 << 46)
struct dgm_block {
    uint64_t bytes, offset;
    int64_t birth, death; /* times, both included */
};

struct dgm_hole;

/* Memory of packing, kept between steps. Zero-initialise. */
struct dgm_packing {
    struct dgm_hole *holes;
    size_t hole_count, hole_capacity;
    uint64_t *order; /* blocks by birth, and by death; or by size */
    size_t order_capacity;
    uint64_t end;   /* bytes in use or free below this */
    uint64_t piece; /* no block lies across a multiple of so many bytes; 0: anywhere */
};

void dgm_packing_clear(struct dgm_env *env, struct dgm_packing *packing);

/*
 * Gives `count` blocks, which live in times 0 .. times-1, their offsets; *peak: bytes for all.
 * tightly: where much is wasted, at a cost that grows with the square of their number. `most`, a
 * multiple of 64: what does not fit into so many bytes is packed into pieces of that size,
 * packing->piece, unless a block is larger; 0: there is no such limit.
 */
dgm_status dgm_packing_make(struct dgm_env *env, struct dgm_packing *packing,
                            struct dgm_block *blocks, size_t count, size_t times, int tightly,
                            uint64_t most, uint64_t *peak);

#endif
