/*
 * translation_data.h: the texts that a translation model is trained and validated on.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_DATA_H
#define DGM_TRAIN_TRANSLATION_SETS_DATA_H

#include "train/translation/translation.h"

/* The files that the options name; sets self->valid_texts.count > 0. */
dgm_status dgm_translation_data_check(struct dgm_run *run, struct dgm_translation *self);
/* Completes a pipeline from the model of --init, or from the training text. */
dgm_status dgm_translation_data_pipeline(const struct dgm_run *run, struct dgm_translation *self,
                                         struct dgm_pipeline *pipeline);
/* Encodes training and validation text, with the trees that the model needs. */
dgm_status dgm_translation_data_load(struct dgm_run *run, struct dgm_trainee *trainee,
                                     struct dgm_windows *windows);

/* File number i of an option, or NULL; what --on-bad-line says. */
const char *dgm_translation_data_file(const struct dgm_run *run, const char *name, size_t i);
enum dgm_bad_line dgm_translation_data_on_bad(const struct dgm_settings *settings);

#endif
