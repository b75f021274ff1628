/*
 * team.h: threads that compute apart from each other, each with a device and an environment of its
 * own, on buffers that they share.
 */
#ifndef DGM_DECODE_TEAM_H
#define DGM_DECODE_TEAM_H

#include "device/device.h"

/* Graphs keep their environment and their device, which therefore have a place of their own. */
struct dgm_team_member {
    struct dgm_env env; /* the caller's but for log, poll and error */
    struct dgm_device *device;
};

/* Zeroed: the caller alone. Member 0 is the caller, with its own device; others[n - 1] is member
 * n. */
struct dgm_team {
    struct dgm_team_member **others; /* (count) */
    int count, capacity;
};

/* Makes members until there are *count, the caller among them; *count becomes what the device has
 * threads for, at least 1. */
dgm_status dgm_team_reserve(struct dgm_env *env, struct dgm_team *team, struct dgm_device *device,
                            int *count);
/* To be called after all that members made was cleared with their environments. */
void dgm_team_clear(struct dgm_env *env, struct dgm_team *team);

/* Takes work from `job`, as member `number`, until none is left. */
typedef dgm_status dgm_team_fn(struct dgm_env *env, int number, void *job);

/*
 * Runs fn on `count` members at once, for whom dgm_team_reserve has seen. env->poll is asked by the
 * calling thread alone, which goes on asking while it waits for others. The first failure, of
 * whichever thread, ends all within a step and is what the caller gets. Others log nothing: their
 * log would be called from their threads.
 */
dgm_status dgm_team_run(struct dgm_env *env, struct dgm_team *team, struct dgm_device *device,
                        int count, dgm_team_fn *fn, void *job);

#endif
