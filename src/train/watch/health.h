/*
 * health.h: a training run looks at its own health whenever it validates: figures for
 * metrics.jsonl, and a warning where states of the encoder or attention are locked.
 */
#ifndef DGM_TRAIN_WATCH_HEALTH_H
#define DGM_TRAIN_WATCH_HEALTH_H

#include "train/run.h"
#include "train/watch/report.h"

/* Those that have been told, and have not gone since. */
struct dgm_symptoms {
    unsigned bits;
};

/* After an update: writes down the figures of the model and of the update's gradient, and warns of
 * each symptom that was not there before. */
dgm_status dgm_train_health(struct dgm_run *run, struct dgm_symptoms *told,
                            struct dgm_report *report, const struct dgm_health *health,
                            const struct dgm_gradient_norms *norms);

#endif
