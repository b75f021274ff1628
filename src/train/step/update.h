/*
 * update.h: one update of a training run.
 */
#ifndef DGM_TRAIN_STEP_UPDATE_H
#define DGM_TRAIN_STEP_UPDATE_H

#include "train/session.h"

/* `accumulate` batches, their gradients summed, divided once by their labels, and a step of the
 * optimizer. */
dgm_status dgm_update_run(struct dgm_session *session);

#endif
