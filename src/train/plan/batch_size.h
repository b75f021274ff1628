/*
 * batch_size.h: --batch-tokens auto: as many tokens of a batch as the memory has room for.
 *
 * They are chosen once, when a training begins, from model, options, data and limit alone
 * (need.h), and stand in its checkpoints: a run that goes on has the same, whatever its limit.
 */
#ifndef DGM_TRAIN_PLAN_BATCH_SIZE_H
#define DGM_TRAIN_PLAN_BATCH_SIZE_H

#include "train/course.h"
#include "train/run.h"
#include "train/step/replicas.h"
#include "train/trainee.h"

/*
 * Once data and replicas are there; nothing without --batch-tokens auto. A new run chooses, the
 * least number of all ranks, and cuts its epoch anew; one that goes on says what was chosen.
 * Collective. DGM_MEMORY where not one sentence at a time fits, DGM_USAGE where no limit is known.
 */
dgm_status dgm_batch_size_take(struct dgm_run *run, struct dgm_trainee *trainee,
                               struct dgm_course *course, struct dgm_replicas *replicas);

#endif
