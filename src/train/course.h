/*
 * course.h: the way of a run through its text: windows, the order of their batches, the batch that
 * is learned from.
 */
#ifndef DGM_TRAIN_COURSE_H
#define DGM_TRAIN_COURSE_H

#include "data/windows.h"
#include "train/run.h"

struct dgm_course {
    struct dgm_windows windows; /* of a text that is larger than memory; zeroed where it is not */
    struct dgm_order order;     /* of the batches of this epoch, or of its present window */
    struct dgm_batch batch;     /* that was packed last */
};

void dgm_course_clear(struct dgm_env *env, struct dgm_course *course);

/* Batches of the present order that were used. */
int64_t dgm_course_place(const struct dgm_course *course, const struct dgm_train_state *state);
/* Epochs of which all batches were used. */
int64_t dgm_course_epochs(const struct dgm_course *course, const struct dgm_train_state *state);
/* The share of the epoch that is done; windows are about equal. */
double dgm_course_share(const struct dgm_course *course, const struct dgm_train_state *state);

/* Batches of the epoch; 0: that is not known before its last window. */
int64_t dgm_course_batches(const struct dgm_course *course);
/* The same, where windows to come are supposed to have as many as the present one. */
int64_t dgm_course_guess_batches(const struct dgm_course *course);

/* Makes the order of the window, or the epoch, that follows. */
dgm_status dgm_course_next_order(struct dgm_run *run, struct dgm_course *course,
                                 const struct dgm_corpus *corpus);

#endif
