/*
 * mem.h: checked sizes, allocation through the environment, and arenas.
 *
 * Every size that stems from a file or a user goes through dgm_size_*; they fail instead of
 * wrapping. An arena hands out memory that is given back all at once.
 */
#ifndef DGM_BASE_MEM_H
#define DGM_BASE_MEM_H

#include "base/env.h"

/* Return 0 and leave *out alone when the result does not fit; 1 otherwise. */
int dgm_size_mul(size_t *out, size_t a, size_t b);
int dgm_size_add(size_t *out, size_t a, size_t b);
/* Rounds a up to a multiple of `step`, a power of two. */
int dgm_size_pad(size_t *out, size_t a, size_t step);

/*
 * count * size bytes, zeroed; NULL with DGM_MEMORY recorded when there is no room. A request of
 * zero bytes yields a valid pointer. Freed by dgm_release.
 */
void *dgm_alloc(struct dgm_env *env, size_t count, size_t size);
/* The same where the status says whether there was room: sets *block, to NULL on failure. */
dgm_status dgm_new(struct dgm_env *env, void *block /* T** */, size_t count, size_t size);

/*
 * Grows or shrinks an array to `count` elements; new elements are NOT zeroed. On failure returns
 * NULL and the old block is still the caller's.
 */
void *dgm_resize(struct dgm_env *env, void *block, size_t count, size_t size);

void dgm_release(struct dgm_env *env, void *block);

/* A copy of a string, ended by NUL; freed by dgm_release. */
char *dgm_copy_text(struct dgm_env *env, const char *text, size_t bytes);

/*
 * Ensures room for one more element in a growing array: *items has *capacity elements of `size`
 * bytes, `count` of them used. Doubles. Returns DGM_MEMORY on failure.
 */
dgm_status dgm_grow(struct dgm_env *env, void *items /* T** */, size_t *capacity, size_t count,
                    size_t size);

/* Ensures room for `count` elements, at least doubling when it grows. */
dgm_status dgm_reserve(struct dgm_env *env, void *items /* T** */, size_t *capacity, size_t count,
                       size_t size);

/* One of several arrays that have one capacity. */
struct dgm_parallel {
    void *items; /* T** */
    size_t size; /* of an element */
};

/* The same for all of `arrays`, whose last entry has no items. *capacity grows when all have grown:
 * after a failure it is too small for some of them, never too large. */
dgm_status dgm_reserve_parallel(struct dgm_env *env, const struct dgm_parallel *arrays,
                                size_t *capacity, size_t count);

/* A bump allocator of linked blocks; zero-initialised is valid and empty. */
struct dgm_arena {
    struct dgm_arena_block *first, *current;
    size_t used; /* bytes taken from `current` */
};

/* `bytes` zeroed bytes, aligned to 64; NULL with DGM_MEMORY recorded. Valid until reset or
 * clear. */
void *dgm_arena_alloc(struct dgm_env *env, struct dgm_arena *arena, size_t count, size_t size);

/* Forgets every allocation and keeps the blocks for the next round: no system call when warm. */
void dgm_arena_reset(struct dgm_arena *arena);

void dgm_arena_clear(struct dgm_env *env, struct dgm_arena *arena);

#endif
