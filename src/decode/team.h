/*
 * team.h: threads that compute apart from each other, each with a device, an environment and what
 * it works with of its own, on buffers that they share.
 */
#ifndef DGM_DECODE_TEAM_H
#define DGM_DECODE_TEAM_H

#include "device/device.h"

/* Graphs keep their environment and their device, which therefore have a place of their own. */
struct dgm_team_member {
    struct dgm_env env; /* the caller's but for log, poll and error */
    struct dgm_device *device;
    void *own; /* what it works with */
};

/* What members work with: `bytes` of memory, zeroed, made like what the caller has. */
struct dgm_team_kind {
    size_t bytes;
    dgm_status (*init)(struct dgm_env *env, void *own, const void *like, struct dgm_device *device);
    void (*clear)(struct dgm_env *env, void *own); /* also after a failure of init */
};

/* Zeroed: the caller alone, with its own device. */
struct dgm_team {
    const struct dgm_team_kind *kind;
    struct dgm_team_member **others; /* (count) */
    size_t count, capacity;
};

/* Makes members until there are *count, the caller among them; *count becomes what the device has
 * threads for, at least 1. */
dgm_status dgm_team_reserve(struct dgm_env *env, struct dgm_team *team,
                            const struct dgm_team_kind *kind, const void *like,
                            struct dgm_device *device, int *count);
void dgm_team_clear(struct dgm_env *env, struct dgm_team *team);

/* Takes work from `job`, with what the member has of its own, NULL for the caller, until none is
 * left. */
typedef dgm_status dgm_team_fn(struct dgm_env *env, void *own, void *job);

/*
 * Runs fn on `count` members at once, for whom dgm_team_reserve has seen. env->poll is asked by the
 * calling thread alone, which goes on asking while it waits for others. The first failure, of
 * whichever thread, ends all within a step and is what the caller gets. Others log nothing: their
 * log would be called from their threads.
 */
dgm_status dgm_team_run(struct dgm_env *env, struct dgm_team *team, struct dgm_device *device,
                        int count, dgm_team_fn *fn, void *job);

#endif
