/*
 * pool.h: a thread pool that cuts work by the shape of the data, never by the number of threads.
 *
 * A job is `count` chunks; chunk c computes the same thing whoever runs it, so results do not
 * depend on the number of threads. Workers spin briefly, then sleep.
 */
#ifndef DGM_BASE_SYSTEM_POOL_H
#define DGM_BASE_SYSTEM_POOL_H

#include "base/env.h"

struct dgm_pool;

/* `threads` includes the caller. If fewer can be created, fewer are used: results are the same. */
dgm_status dgm_pool_new(struct dgm_env *env, struct dgm_pool **out, int threads);
void dgm_pool_free(struct dgm_env *env, struct dgm_pool *pool);
int dgm_pool_threads(const struct dgm_pool *pool);

/* worker is in 0..threads-1 and names the scratch memory to use; chunk is in 0..count-1. */
typedef void dgm_pool_fn(void *job, int64_t chunk, int worker);

/* Runs every chunk and returns when all are done. Never allocates. One thread at a time may call
 * it, which is worker 0, and chunk 0 is always its own; what a chunk of its own asks for meanwhile,
 * it runs alone. */
void dgm_pool_run(struct dgm_pool *pool, dgm_pool_fn *fn, void *job, int64_t count);

#endif
