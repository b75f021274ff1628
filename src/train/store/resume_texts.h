/*
 * resume_texts.h: whether the training texts of a resumed run are those of its checkpoint.
 */
#ifndef DGM_TRAIN_STORE_RESUME_TEXTS_H
#define DGM_TRAIN_STORE_RESUME_TEXTS_H

#include "base/buf.h"
#include "train/state.h"

enum { DGM_RESUME_WHAT = 160 };

/* Whether epochs are made of something else than before, by checksums of all and, of several texts,
 * their lines (train/trainee.h). Several texts without shares or tags are what one text of all
 * their lines is. `what` then says what differs. */
int dgm_resume_is_new_text(const struct dgm_train_state *before, const struct dgm_buf *texts_before,
                           const struct dgm_train_state *now, const struct dgm_buf *texts_now,
                           char what[DGM_RESUME_WHAT]);

#endif
