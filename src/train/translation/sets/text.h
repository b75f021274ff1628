/*
 * translation_text.h: one text that a translation model is trained or validated on.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_TEXT_H
#define DGM_TRAIN_TRANSLATION_SETS_TEXT_H

#include "train/translation/translation.h"

/* Encodes the training text with the trees that the model needs: self->train or, where it is larger
 * than memory, self->cache and `windows`. */
dgm_status dgm_translation_text_train(const struct dgm_run *run, struct dgm_translation *self,
                                      struct dgm_windows *windows);
/* The same of the validation texts, self->valid_sets. */
dgm_status dgm_translation_text_valid(const struct dgm_run *run, struct dgm_translation *self);

#endif
