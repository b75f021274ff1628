/*
 * resume.h: what a resumed run must have in common with the run that it continues.
 */
#ifndef DGM_TRAIN_STORE_RESUME_H
#define DGM_TRAIN_STORE_RESUME_H

#include "train/session.h"

/* session->settings_text: the values that a resumed run must agree with. */
dgm_status dgm_resume_describe(struct dgm_session *session);
/* DGM_USAGE unless the settings agree with those of a checkpoint. */
dgm_status dgm_resume_compare(struct dgm_session *session, const struct dgm_gguf *file);
/* Takes the state from a checkpoint; DGM_MODEL unless this run could have come to it. */
dgm_status dgm_resume_load_state(struct dgm_session *session, const struct dgm_gguf *file);
/* Reads the data, of a new run or a resumed one, holds a resumed run against them, and begins the
 * epoch. */
dgm_status dgm_resume_take_data(struct dgm_session *session);

#endif
