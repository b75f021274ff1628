/*
 * plan.h: --dry-run --ranks N: what a run on so many ranks would send, and how long it would take.
 */
#ifndef DGM_TRAIN_PLAN_PLAN_H
#define DGM_TRAIN_PLAN_PLAN_H

#include "base/env.h"

struct dgm_session;

/* DGM_USAGE where --ranks, --link, --update-seconds do not fit each other, or the run. */
dgm_status dgm_plan_check(const struct dgm_session *session);
/*
 * In a dry run with a number of ranks: logs what they would send and, with --link, how long an
 * update would take. Last of all: where --update-seconds is not given, it makes a few updates.
 */
dgm_status dgm_plan_report(struct dgm_session *session);

#endif
