/*
 * freeze.h: parameters that training leaves as they are (--freeze).
 */
#ifndef DGM_TRAIN_STEP_FREEZE_H
#define DGM_TRAIN_STEP_FREEZE_H

#include "nn/param.h"

/* Gives every parameter whose name is like one of the patterns, which commas separate, the rate 0,
 * with which an optimizer neither steps it nor counts its gradient (optimizer.h). In a pattern *
 * stands for any letters, none included. DGM_USAGE where a pattern fits no name, or nothing would
 * be left to train. patterns NULL: nothing is frozen. */
dgm_status dgm_freeze(struct dgm_env *env, struct dgm_params *params, const char *patterns);

#endif
