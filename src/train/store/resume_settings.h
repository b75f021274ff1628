/*
 * resume_settings.h: the settings that a resumed run must have in common with the run that it
 * continues.
 */
#ifndef DGM_TRAIN_STORE_RESUME_SETTINGS_H
#define DGM_TRAIN_STORE_RESUME_SETTINGS_H

#include "train/learner.h"
#include "train/run.h"

/* Adds the values that a resumed run must agree with, as text that ends. */
dgm_status dgm_resume_settings_describe(struct dgm_env *env, const struct dgm_settings *settings,
                                        const struct dgm_learner *learner, struct dgm_buf *text);
/* DGM_USAGE unless the settings, of the run as that text and of its model, agree with those of a
 * checkpoint. folder: that of the checkpoints. */
dgm_status dgm_resume_settings_compare(const struct dgm_run *run, const struct dgm_learner *learner,
                                       const char *text, const char *folder,
                                       const struct dgm_gguf *file);

#endif
