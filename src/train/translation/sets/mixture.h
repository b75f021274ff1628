/*
 * translation_mixture.h: the shares that the training texts of a translation model have of an
 * epoch.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_MIXTURE_H
#define DGM_TRAIN_TRANSLATION_SETS_MIXTURE_H

#include "train/translation/translation.h"

/* What --train-weights and --train-temperature say, into self->texts; DGM_USAGE where they do not
 * fit together, or to the texts. */
dgm_status dgm_translation_mixture_read(struct dgm_session *session);
/* When the training text was read: self->mixture, if texts have shares, and
 * session->trainee.texts, which says what was mixed, and how. */
dgm_status dgm_translation_mixture_make(struct dgm_session *session);
/* self->mixture, or NULL where every pair comes once. */
const struct dgm_mixture *dgm_translation_mixture(const struct dgm_translation *self);

#endif
