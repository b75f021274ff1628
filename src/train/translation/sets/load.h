/*
 * load.h: training and validation text, from files to corpora.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_LOAD_H
#define DGM_TRAIN_TRANSLATION_SETS_LOAD_H

#include "train/translation/sets/sets.h"

/* Encodes training and validation text, with the trees that the model needs; sets the checksums of
 * run->state and, of a text that is larger than memory, `windows` and run->state.window_bytes. */
dgm_status dgm_sets_load(struct dgm_run *run, struct dgm_sets *sets, struct dgm_windows *windows);

#endif
