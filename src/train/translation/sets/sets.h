/*
 * translation_sets.h: which texts a translation model is trained and validated on, as the options
 * name them.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_SETS_H
#define DGM_TRAIN_TRANSLATION_SETS_SETS_H

#include "train/translation/translation.h"

/* Whether the options name any training text. */
int dgm_translation_sets_are_named(const struct dgm_settings *settings);
/* Fills self->texts and self->valid_sets, with weights, tags and files of trees; nothing of a text
 * is read. DGM_USAGE where options do not fit together, DGM_DATA for a bad list. */
dgm_status dgm_translation_sets_read(const struct dgm_run *run, struct dgm_translation *self);
/* DGM_DATA for a file that is missing, DGM_USAGE for a text that is named twice. */
dgm_status dgm_translation_sets_check(const struct dgm_run *run,
                                      const struct dgm_translation *self);
void dgm_translation_sets_clear(const struct dgm_run *run, struct dgm_translation *self);

#endif
