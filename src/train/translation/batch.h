/*
 * batch.h: the loss of a batch of sentence pairs: its graph, and what it says after a run.
 */
#ifndef DGM_TRAIN_TRANSLATION_BATCH_H
#define DGM_TRAIN_TRANSLATION_BATCH_H

#include "train/step/batch_costs.h"
#include "train/translation/learner.h"

/* Stages a batch and builds its graph up to the loss, which is smoothed in training. */
dgm_status dgm_translation_batch_build(const struct dgm_run *run,
                                       const struct dgm_translation *self,
                                       const struct dgm_batch *batch, struct dgm_replica *replica,
                                       int training);
/* After its run: the losses (smoothed, plain) summed over all target rows. */
dgm_status dgm_translation_batch_read(const struct dgm_run *run, struct dgm_translation *self,
                                      struct dgm_replica *replica, double sums[2], int64_t *labels);

/* The same for the learner: share, build and read of an update (train/learner.h). */
dgm_status dgm_translation_batch_share(const struct dgm_run *run, struct dgm_trainee *trainee,
                                       const struct dgm_order *order, int64_t first, int64_t count);
dgm_status dgm_translation_batch_train(const struct dgm_run *run, struct dgm_trainee *trainee,
                                       const struct dgm_batch *batch, struct dgm_replica *replica);
dgm_status dgm_translation_batch_cost(const struct dgm_run *run, struct dgm_trainee *trainee,
                                      struct dgm_replica *replica, struct dgm_batch_cost *cost);

#endif
