/*
 * set_aside.h: the checkpoints of an earlier run make room for those of a new one.
 */
#ifndef DGM_TRAIN_STORE_SET_ASIDE_H
#define DGM_TRAIN_STORE_SET_ASIDE_H

#include "train/store/checkpoint.h"

/* Moves an earlier run's checkpoints and log, if there are any, to FILE.ckpt.old and says so; those
 * that were there before go. On failure all is as it was. */
dgm_status dgm_checkpoints_set_aside(struct dgm_env *env, struct dgm_checkpoints *checkpoints);

#endif
