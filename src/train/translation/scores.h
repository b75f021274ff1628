/*
 * scores.h: the translations that a validation makes, and what metrics say of them.
 */
#ifndef DGM_TRAIN_TRANSLATION_SCORES_H
#define DGM_TRAIN_TRANSLATION_SCORES_H

#include "text/score/metric.h"
#include "train/translation/learner.h"

/* Translates the source of a validation text once, and finds its score by each metric of
 * text/score/metric_list.h that --valid-metrics names. */
dgm_status dgm_scores_find(const struct dgm_run *run, struct dgm_translation *self,
                           const struct dgm_corpus *valid, double scores[DGM_METRICS]);
/* Bytes that the search takes. */
dgm_status dgm_scores_bytes(const struct dgm_run *run, const struct dgm_translation *self,
                            const struct dgm_corpus *valid, double *bytes);

#endif
