/*
 * workers.h: searches side by side: one on each thread, all on one copy of the weights.
 *
 * Two threads that share every product wait for each other some hundred times a token. Where there
 * are batches enough, each thread searches whole ones instead, with a graph, caches and scratch
 * memory of its own. A result does not depend on who found it.
 */
#ifndef DGM_DECODE_WORKERS_H
#define DGM_DECODE_WORKERS_H

#include "decode/search/search.h"
#include "decode/team.h"

/* Zero-initialise; cleared in any case. */
struct dgm_workers {
    struct dgm_search search; /* on the device itself: of the caller, and of one batch alone */
    struct dgm_team team;     /* of searches, made when they are first needed */
    int is_warm;              /* has searched before */
};

/* As dgm_search_init. */
dgm_status dgm_workers_init(struct dgm_env *env, struct dgm_workers *workers,
                            const struct dgm_net *const *models, int model_count,
                            struct dgm_device *device, const struct dgm_search_options *options);
void dgm_workers_clear(struct dgm_env *env, struct dgm_workers *workers);

/* Gives back what earlier searches have left: caches, scratch memory, the others with their
 * devices. After a failure all is as before. */
dgm_status dgm_workers_forget(struct dgm_env *env, struct dgm_workers *workers);

/* Takes work from `job` and does it with `search` until none is left. */
typedef dgm_status dgm_worker_fn(struct dgm_env *env, struct dgm_search *search, void *job);

/* Runs fn on `count` threads at once (dgm_team_run), the calling one, with workers->search, among
 * them; no more than the device has. */
dgm_status dgm_workers_run(struct dgm_env *env, struct dgm_workers *workers, int count,
                           dgm_worker_fn *fn, void *job);

#endif
