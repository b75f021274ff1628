/*
 * room.h: whether work that knows how much memory it will need fits under the limit (meter.h).
 */
#ifndef DGM_BASE_SYSTEM_ROOM_H
#define DGM_BASE_SYSTEM_ROOM_H

#include "base/env.h"

/* Factor for a computed size: an allocator wastes some room between blocks that come, grow and
 * go. */
#define DGM_WASTE 1.08

/* Bytes by which the resident size of the same program differs from start to start: 0.3 MiB were
 * seen. */
#define DGM_BETWEEN_STARTS (1 << 20)

/* Whether anybody wants to know: there is a limit, or the log has lines of level debug. */
int dgm_room_is_asked(const struct dgm_env *env);
/* Whether `bytes` more are allowed. */
int dgm_room_for(const struct dgm_env *env, double bytes);
/* Whether they would be after another start, when the program may be some pages larger: what a hint
 * promises has to hold then. */
int dgm_room_for_next(const struct dgm_env *env, double bytes);
/* At level debug: "memory: the work takes 21.4 MiB", the same in each start, then "memory: all in
 * all, at most 43.4 MiB", with what the process holds now. */
void dgm_room_report(struct dgm_env *env, double bytes);
/* DGM_MEMORY: "WHO may need 50 MiB in all, --memory allows 30: HINT NUMBER"; the number is left out
 * if it is 0. */
dgm_status dgm_room_refuse(struct dgm_env *env, const char *who, double bytes, const char *hint,
                           int64_t number);

#endif
