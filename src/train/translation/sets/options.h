/*
 * options.h: what the options say of texts, codes and vocabularies, before anything is read.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_OPTIONS_H
#define DGM_TRAIN_TRANSLATION_SETS_OPTIONS_H

#include "train/translation/sets/sets.h"

/* Fills `sets` with the texts that the options name, and run->options.order with what they say of a
 * second task. DGM_USAGE where they do not go together. */
dgm_status dgm_sets_options_read(struct dgm_run *run, struct dgm_sets *sets);

#endif
