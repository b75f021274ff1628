/*
 * memory.h: how much memory a training run needs.
 */
#ifndef DGM_TRAIN_PLAN_MEMORY_H
#define DGM_TRAIN_PLAN_MEMORY_H

#include "train/session.h"

/* Logs what the run needs; DGM_MEMORY if that is more than is allowed, or more than there is for
 * the largest step. In a dry run nothing is allocated for it. */
dgm_status dgm_memory_plan(struct dgm_session *session);

#endif
