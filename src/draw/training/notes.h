/*
 * notes.h: what is said of a panel beside its name.
 */
#ifndef DGM_DRAW_TRAINING_NOTES_H
#define DGM_DRAW_TRAINING_NOTES_H

#include "draw/training/training.h"

/* Appends "best 41.46 at 5400; 3 beyond the axis; 2 not finite". Short ones do not name the
 * best. */
dgm_status dgm_training_notes(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_training *training,
                              const struct dgm_training_panel *panel, long beyond, int is_short);

/* Appends each run's first, last and best value of every panel. */
dgm_status dgm_training_describe(struct dgm_env *env, struct dgm_buf *out,
                                 const struct dgm_training *training);

#endif
