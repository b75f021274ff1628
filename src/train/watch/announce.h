/*
 * announce.h: the first lines of a run's log: what computes.
 */
#ifndef DGM_TRAIN_WATCH_ANNOUNCE_H
#define DGM_TRAIN_WATCH_ANNOUNCE_H

#include "train/run.h"

/* Devices, of which the first `used` compute, the seed, ranks; and warnings of what has nothing to
 * do. */
void dgm_announce(const struct dgm_run *run, int used);

#endif
