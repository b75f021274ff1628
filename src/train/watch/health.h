/*
 * health.h: a training run looks at its own health whenever it validates: figures for
 * metrics.jsonl, and a warning where states of the encoder or attention are locked.
 */
#ifndef DGM_TRAIN_WATCH_HEALTH_H
#define DGM_TRAIN_WATCH_HEALTH_H

#include "base/env.h"

struct dgm_session;

/* Bits of the symptoms that have been told, and have not gone since. */
struct dgm_symptoms {
    unsigned told;
};

/* After an update: measures the model and the update's gradient, writes the figures down, and warns
 * of each symptom that was not there before. Changes nothing that is trained. A learner that does
 * not measure its model has no figures. */
dgm_status dgm_train_health(struct dgm_session *session);

#endif
