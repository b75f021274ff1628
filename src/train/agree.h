/*
 * agree.h: whether all ranks of a training run are about to do the same.
 */
#ifndef DGM_TRAIN_AGREE_H
#define DGM_TRAIN_AGREE_H

#include "train/run.h"
#include "train/trainee.h"

/* Collective, once model and data are there: DGM_USAGE, and what differs, on a rank whose program,
 * processor, settings, texts, update or values are not those of rank 0. `settings`: of the run, as
 * text (train/store/resume_settings.h). */
dgm_status dgm_agree(const struct dgm_run *run, const struct dgm_trainee *trainee,
                     const char *settings);

#endif
