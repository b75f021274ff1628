/*
 * translation_batch.h: the loss of a batch of sentence pairs: its graph, and what it says after a
 * run.
 */
#ifndef DGM_TRAIN_TRANSLATION_TRANSLATION_BATCH_H
#define DGM_TRAIN_TRANSLATION_TRANSLATION_BATCH_H

#include "train/translation/translation.h"

/* Stages session->course.batch and builds its graph up to the loss. */
dgm_status dgm_translation_batch_build(struct dgm_session *session, struct dgm_replica *replica,
                                       int training, double smoothing);
/* After its run: the losses (smoothed, plain) summed over all target rows. */
dgm_status dgm_translation_batch_read(struct dgm_session *session, struct dgm_replica *replica,
                                      double sums[2], int64_t *labels);

/* The same for the learner: share, build and read of an update (train/learner.h). */
dgm_status dgm_translation_batch_share(struct dgm_session *session, int64_t first, int64_t count);
dgm_status dgm_translation_batch_train(struct dgm_session *session, struct dgm_replica *replica);
dgm_status dgm_translation_batch_cost(struct dgm_session *session, struct dgm_replica *replica,
                                      double *cost, int64_t *labels);

#endif
