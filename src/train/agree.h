/*
 * agree.h: whether all ranks of a training run are about to do the same.
 */
#ifndef DGM_TRAIN_AGREE_H
#define DGM_TRAIN_AGREE_H

#include "train/run.h"
#include "train/trainee.h"

/* Both are collective. The first, before anything is read: DGM_USAGE, and the option that differs,
 * on a rank whose program or options are not those of rank 0 (base/ranks/describe.h). */
dgm_status dgm_agree_settings(const struct dgm_run *run);
/* Once model and data are there: the same of its processor, texts, update and values. */
dgm_status dgm_agree(const struct dgm_run *run, const struct dgm_trainee *trainee);

#endif
