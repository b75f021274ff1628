/*
 * probe.h: the sentences on which the health of a translation model is measured.
 */
#ifndef DGM_TRAIN_TRANSLATION_PROBE_H
#define DGM_TRAIN_TRANSLATION_PROBE_H

#include "model/probe/health.h"
#include "train/translation/learner.h"

/* The first short pairs of the validation text or, without one, of the training text
 * (train/learner.h). */
dgm_status dgm_translation_probe(const struct dgm_run *run, struct dgm_trainee *trainee,
                                 struct dgm_replica *first, struct dgm_health *health, int *done);

#endif
