/*
 * reduce.h: in which way a run adds up the gradients of an update's batches, and how it tells so.
 *
 * "ordered": in the order of the batches, so that the number of ranks changes no bit. "fast"
 * (--reduce fast): each rank adds up its own batches, and the link's library adds up the ranks, as
 * it likes, once an update. Elements are f32, or in the ordered way halves (halves.h).
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_REDUCE_H
#define DGM_TRAIN_STEP_EXCHANGE_REDUCE_H

#include "train/run.h"

/* Whether the run is told --reduce fast, and whether it does so: one process adds up in order. */
int dgm_reduce_is_wanted_fast(const struct dgm_settings *settings);
int dgm_reduce_is_fast(const struct dgm_run *run);
/* Writes how this run reduces behind what state.reduce says of the calls before, and logs it. A
 * warning tells if it is another way. */
void dgm_reduce_note(struct dgm_run *run);

#endif
