/*
 * vectors.h: the pretrained vectors that train-parser is given: --vectors, --vectors-limit.
 */
#ifndef DGM_TRAIN_PARSING_VECTORS_H
#define DGM_TRAIN_PARSING_VECTORS_H

#include "data/tree/treebank.h"
#include "train/run.h"

/* Those that --vectors names; none without it. */
dgm_status dgm_parsing_vectors_read(const struct dgm_run *run, struct dgm_word_vectors *vectors);
/* A checkpoint has its vectors, `saved`. DGM_USAGE unless the run that goes on names the same. */
dgm_status dgm_parsing_vectors_compare(const struct dgm_run *run, const char *folder,
                                       const struct dgm_word_vectors *saved);
/* Logs how many words of the training sentences have a vector. */
void dgm_parsing_vectors_tell(const struct dgm_run *run, const struct dgm_word_vectors *vectors,
                              const struct dgm_treebank *bank);

#endif
