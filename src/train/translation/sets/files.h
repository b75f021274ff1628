/*
 * files.h: codes, SentencePiece models and vocabularies that a run names when it goes
 * on: those that its checkpoint has.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_FILES_H
#define DGM_TRAIN_TRANSLATION_SETS_FILES_H

#include "train/translation/sets/sets.h"

/* Once the model has been loaded from a checkpoint. DGM_USAGE for a file that holds anything else
 * than the model does, which the rest of the run would not read. */
dgm_status dgm_sets_files_compare(const struct dgm_run *run, const struct dgm_sets *sets);

#endif
