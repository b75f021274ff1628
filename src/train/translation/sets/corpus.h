/*
 * corpus.h: one text that a translation model is trained or validated on.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_CORPUS_H
#define DGM_TRAIN_TRANSLATION_SETS_CORPUS_H

#include "train/translation/sets/sets.h"

/* Encodes the training text with the trees that the model needs: sets->train or, where it is larger
 * than memory, sets->cache and `windows`. */
dgm_status dgm_sets_corpus_train(const struct dgm_run *run, struct dgm_sets *sets,
                                 struct dgm_windows *windows);
/* The same of the validation texts, sets->valid_sets. */
dgm_status dgm_sets_corpus_valid(const struct dgm_run *run, struct dgm_sets *sets);

#endif
