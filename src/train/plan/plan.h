/*
 * plan.h: --dry-run --ranks N: what a run on so many ranks would send, and how long it would take.
 */
#ifndef DGM_TRAIN_PLAN_PLAN_H
#define DGM_TRAIN_PLAN_PLAN_H

#include "nn/param.h"
#include "train/run.h"

/* DGM_USAGE where --ranks, --link, --update-seconds do not fit each other, or the run. */
dgm_status dgm_plan_check(const struct dgm_run *run);

/* Makes updates, which are measured. */
struct dgm_plan_updates {
    dgm_status (*allocate)(void *user); /* before the first */
    dgm_status (*update)(void *user);
    void *user;
};

/*
 * In a dry run with a number of ranks: logs what they would send and, with --link, how long an
 * update would take. Last of all: where --update-seconds is not given, it makes a few updates.
 */
dgm_status dgm_plan_report(const struct dgm_run *run, const struct dgm_params *params,
                           const struct dgm_plan_updates *updates);

#endif
