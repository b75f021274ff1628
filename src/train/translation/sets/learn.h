/*
 * learn.h: the codes and vocabularies of a run: learned from its training text, or read from files.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_LEARN_H
#define DGM_TRAIN_TRANSLATION_SETS_LEARN_H

#include "train/translation/sets/sets.h"

/* Options that say what they are learned from, or read from; ended by NULL. */
extern const char *const dgm_sets_learn_options[];
/* Whether a run that starts from a model (--init) makes them anew all the same, as --init-partial
 * allows. */
int dgm_sets_learns_anew(const struct dgm_settings *settings);
/* File number i of an option, or NULL. */
const char *dgm_sets_file(const struct dgm_settings *settings, const char *name, size_t i);
/* Completes an empty pipeline. */
dgm_status dgm_sets_learn(const struct dgm_run *run, struct dgm_sets *sets,
                          struct dgm_pipeline *pipeline);

#endif
