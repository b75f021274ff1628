/*
 * translation_valid.h: the validation of a translation model: cross-entropy and, if it decides, BLEU.
 */
#ifndef DGM_TRAIN_TRANSLATION_TRANSLATION_VALID_H
#define DGM_TRAIN_TRANSLATION_TRANSLATION_VALID_H

#include "train/translation/translation.h"

/* Both are reported (dgm_session_score). */
dgm_status dgm_translation_valid_run(struct dgm_session *session);
/* Bytes that the search for the translations takes. */
dgm_status dgm_translation_valid_bytes(struct dgm_session *session, double *bytes);

#endif
