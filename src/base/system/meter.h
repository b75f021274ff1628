/*
 * meter.h: an allocator that counts what is held, and refuses what would exceed a limit.
 *
 * It stands between an environment and the allocator that is used, which it calls for one thread at
 * a time. Each block has its size before it, 16 bytes. Threads may share it.
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

/* Counts all blocks of env from now on; none may be live. */
void dgm_meter_begin(struct dgm_meter *meter, struct dgm_env *env);
/* Ends it: env is served by the allocator below again. */
void dgm_meter_end(struct dgm_meter *meter, struct dgm_env *env);

/* limit: of the process, in bytes; 0: none. */
void dgm_meter_limit(struct dgm_meter *meter, size_t limit);
/* Bytes in use: held and beside. */
size_t dgm_meter_used(struct dgm_meter *meter);

#endif
