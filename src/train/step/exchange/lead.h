/*
 * lead.h: rank 0 of a training run decides, and the others follow.
 *
 * All ranks take part in every update. Whatever else there is to do, validations, checkpoints, log
 * lines, the final model, is rank 0's: it orders the others to do their part of it. Between two
 * orders they wait, however long that takes.
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_LEAD_H
#define DGM_TRAIN_STEP_EXCHANGE_LEAD_H

#include "base/env.h"
#include "base/real.h"

struct dgm_session;

/* Rank 0's orders; in a run of one process they do nothing. */

/* All ranks make an update now: dgm_update_run follows. */
dgm_status dgm_lead_update(struct dgm_session *session);
/* The latest update's gradient, for the parameters' own. */
dgm_status dgm_lead_gradient(struct dgm_session *session);
/* Both moments, whole, which the caller releases; NULL in a run of one process. */
dgm_status dgm_lead_moments(struct dgm_session *session, dgm_real *moments[2]);
/* The mean of the values (train/step/ema.h), whole, which the caller releases. Only in a run of
 * several ranks. */
dgm_status dgm_lead_mean(struct dgm_session *session, dgm_real **mean);
/* The timeline ends, if it has not ended: all send their events, and its file is written. */
dgm_status dgm_lead_timeline(struct dgm_session *session);
/* How long ranks have waited since the last report. */
dgm_status dgm_lead_waits(struct dgm_session *session);
/* The run has ended by its own rules. */
dgm_status dgm_lead_end(struct dgm_session *session);

/* What another rank does: obeys until the end. */
dgm_status dgm_lead_follow(struct dgm_session *session);

#endif
