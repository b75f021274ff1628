/*
 * agree.h: whether all ranks of a training run are about to do the same.
 */
#ifndef DGM_TRAIN_AGREE_H
#define DGM_TRAIN_AGREE_H

#include "base/env.h"

struct dgm_session;

/* Collective, once model and data are there: DGM_USAGE, and what differs, on a rank whose program,
 * processor, settings, texts, update or values are not those of rank 0. */
dgm_status dgm_agree(struct dgm_session *session);

#endif
