/*
 * valid.h: the validation of a translation model.
 */
#ifndef DGM_TRAIN_TRANSLATION_VALID_H
#define DGM_TRAIN_TRANSLATION_VALID_H

#include "train/judge.h"
#include "train/translation/learner.h"

/* Reports, of each validation text, cross-entropy and what --valid-metrics names
 * (dgm_judge_score), from one pass over the target and, where a metric needs translations, one
 * search over the source. */
dgm_status dgm_valid_run(const struct dgm_run *run, struct dgm_trainee *trainee,
                         struct dgm_replica *replica, struct dgm_judge *judge);
/* Bytes that the search for the translations takes. */
dgm_status dgm_valid_bytes(const struct dgm_run *run, struct dgm_trainee *trainee, double *bytes);

#endif
