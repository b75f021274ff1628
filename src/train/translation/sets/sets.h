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
dgm_status dgm_translation_sets_read(struct dgm_session *session);
/* DGM_DATA for a file that is missing, DGM_USAGE for a text that is named twice. */
dgm_status dgm_translation_sets_check(struct dgm_session *session);
void dgm_translation_sets_clear(struct dgm_session *session);

#endif
