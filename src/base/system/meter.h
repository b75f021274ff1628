/*
 * meter.h: an allocator that counts what is held, and refuses what would exceed a limit.
 *
 * It stands between an environment and the allocator that is used. Each block has its size before
 * it, 16 bytes. Threads may share it.
 */
#ifndef DGM_BASE_SYSTEM_METER_H
#define DGM_BASE_SYSTEM_METER_H

#include <pthread.h>

#include "base/env.h"

struct dgm_meter {
    dgm_allocator under;
    pthread_mutex_t lock;
    size_t held;   /* bytes of all blocks */
    size_t beside; /* bytes that the process uses and that no block holds: program, stacks */
    size_t limit;  /* of both together; 0: none */
};

/* Has env's blocks from now on counted; none may be live. */
void dgm_meter_begin(struct dgm_meter *meter, struct dgm_env *env);
/* Ends it: env is served by the allocator below again. */
void dgm_meter_end(struct dgm_meter *meter, struct dgm_env *env);

/* limit: of the process, in bytes; 0: none. */
void dgm_meter_limit(struct dgm_meter *meter, size_t limit);
/* Bytes in use now, and beside them. */
size_t dgm_meter_used(struct dgm_meter *meter);

/* ---- work that knows how much it will need --------------------------------------------------- */

/* Times what is computed: what the allocator wastes between blocks that come, grow and go. */
#define DGM_WASTE 1.08

/* Whether anybody wants to know: there is a limit, or the log has lines of level debug. */
int dgm_room_is_asked(const struct dgm_env *env);
/* Whether `bytes` more are allowed. */
int dgm_room_for(const struct dgm_env *env, double bytes);
/* At level debug: "memory: all in all, at most 43.4 MiB". */
void dgm_room_report(struct dgm_env *env, double bytes);
/* DGM_MEMORY: "WHO needs 50 MiB in all, --memory allows 30: HINT NUMBER"; without a number if it is
 * 0. */
dgm_status dgm_room_refuse(struct dgm_env *env, const char *who, double bytes, const char *hint,
                           int64_t number);

#endif
