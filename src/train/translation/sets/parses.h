/*
 * parses.h: the second task of a multi-task model: from a line to its linearised parse.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_PARSES_H
#define DGM_TRAIN_TRANSLATION_SETS_PARSES_H

#include "train/translation/sets/sets.h"

/* Reads the options of the second task. */
void dgm_sets_parses_read(const struct dgm_run *run, struct dgm_order_options *order);
/* Into sets->parses: the parses of all lines of the training text; nothing if they are there. The
 * words of the text are those of `pipeline`. */
dgm_status dgm_sets_parses_take(const struct dgm_run *run, struct dgm_sets *sets,
                                struct dgm_pipeline *pipeline);
/* Adds the parse pairs to the training corpus. */
dgm_status dgm_sets_parses_add(const struct dgm_run *run, struct dgm_sets *sets);

#endif
