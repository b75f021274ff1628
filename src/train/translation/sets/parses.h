/*
 * translation_parses.h: the second task of a multi-task model: from a line to its linearised parse.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_PARSES_H
#define DGM_TRAIN_TRANSLATION_SETS_PARSES_H

#include "train/translation/translation.h"

/* Reads the options of the second task; DGM_USAGE for those that ask for it without --multitask. */
dgm_status dgm_translation_parses_check(struct dgm_run *run);
/* Into self->parses: the parses of all lines of the training text; nothing if they are there. The
 * words of the text are those of `pipeline`. */
dgm_status dgm_translation_parses_take(const struct dgm_run *run, struct dgm_translation *self,
                                       struct dgm_pipeline *pipeline);
/* Adds the parse pairs to the training corpus. */
dgm_status dgm_translation_parses_add(const struct dgm_run *run, struct dgm_translation *self);

#endif
