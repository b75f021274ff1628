/*
 * update.h: one update of a training run.
 */
#ifndef DGM_TRAIN_STEP_UPDATE_H
#define DGM_TRAIN_STEP_UPDATE_H

#include "train/course.h"
#include "train/step/stepper.h"

/* `accumulate` batches, their gradients summed, divided once by their labels, and a step of the
 * optimizer. Collective. */
dgm_status dgm_update_run(struct dgm_run *run, struct dgm_trainee *trainee,
                          struct dgm_course *course, struct dgm_stepper *stepper);

#endif
