/*
 * memory.h: how much memory a training run needs.
 */
#ifndef DGM_TRAIN_PLAN_MEMORY_H
#define DGM_TRAIN_PLAN_MEMORY_H

#include "train/course.h"
#include "train/run.h"
#include "train/step/replicas.h"
#include "train/trainee.h"

/* Logs what the run needs; DGM_MEMORY if that is more than is allowed, or more than there is for
 * the largest step. In a dry run nothing is allocated for it. */
dgm_status dgm_memory_plan(const struct dgm_run *run, struct dgm_trainee *trainee,
                           struct dgm_course *course, const struct dgm_replicas *replicas);

#endif
