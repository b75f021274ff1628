/*
 * due.h: when something is due in a run: what happens at intervals, and the end.
 *
 * `seconds` are those of training so far, also before a resume. A limit in hours, minutes or
 * seconds is the only thing about a run that depends on the speed of the machine.
 */
#ifndef DGM_TRAIN_DUE_H
#define DGM_TRAIN_DUE_H

#include "train/course.h"

/* Every `length` updates, or with the update that ends every `length`-th epoch; an update of
 * several batches may reach beyond that end. epochs_before: completed before the latest update
 * (dgm_course_epochs). */
int dgm_due_is(const struct dgm_run *run, const struct dgm_course *course, struct dgm_length length,
               int64_t epochs_before);

/* The share of the run that is done, as --after counts it: 1 at its end. */
double dgm_due_share(const struct dgm_run *run, const struct dgm_course *course, double seconds);
/* Whether --after says that the run has ended. */
int dgm_due_end(const struct dgm_run *run, const struct dgm_course *course, double seconds);
/* Whether --early-stopping does. */
int dgm_due_early_end(const struct dgm_run *run);

#endif
