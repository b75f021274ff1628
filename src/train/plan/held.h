/*
 * held.h: what the process holds by now besides what is trained: program, libraries, text,
 * vocabularies.
 */
#ifndef DGM_TRAIN_PLAN_HELD_H
#define DGM_TRAIN_PLAN_HELD_H

#include "train/plan/need.h"

/* Bytes. Once weights and moments are there, or, in a dry run, never will be. */
double dgm_held_besides(const struct dgm_settings *settings, const struct dgm_windows *windows,
                        const struct dgm_need *need);

#endif
