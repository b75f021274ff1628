/*
 * requests.h: what a training run does when it is asked to stop, or to save and go on.
 */
#ifndef DGM_TRAIN_REQUESTS_H
#define DGM_TRAIN_REQUESTS_H

#include "train/session.h"

/* After an update: saves, stops, if that is asked for. DGM_INTERRUPTED: saved and stopped. */
dgm_status dgm_requests_obey(struct dgm_session *session);
/* The learner's validation, which may be stopped at any step: the state that is saved then is that
 * from before the validation, and the status is DGM_INTERRUPTED. */
dgm_status dgm_requests_validate(struct dgm_session *session);
/* For env->poll during a run; user: the session. */
dgm_status dgm_requests_poll(struct dgm_env *env, void *user);

#endif
