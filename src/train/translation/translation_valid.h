/*
 * translation_valid.h: the validation of a translation model.
 */
#ifndef DGM_TRAIN_TRANSLATION_TRANSLATION_VALID_H
#define DGM_TRAIN_TRANSLATION_TRANSLATION_VALID_H

#include "train/translation/translation.h"

/* Reports, of each validation text, cross-entropy and what --valid-metrics names
 * (dgm_session_score), from one pass over the target and, where a metric needs translations, one
 * search over the source. */
dgm_status dgm_translation_valid_run(struct dgm_session *session);
/* Bytes that the search for the translations takes. */
dgm_status dgm_translation_valid_bytes(struct dgm_session *session, double *bytes);

#endif
