/*
 * requests.h: what a training run is asked for while it goes on: to stop, or to save and go on.
 *
 * A request comes at any moment, and is obeyed between two updates or two steps of a validation.
 * The loop says what is under way (`phase`), and how to save.
 */
#ifndef DGM_TRAIN_REQUESTS_H
#define DGM_TRAIN_REQUESTS_H

#include "base/flag.h"
#include "train/run.h"

enum dgm_phase {
    DGM_PHASE_READY,  /* between updates, or before the first: nothing is lost by a stop */
    DGM_PHASE_UPDATE, /* requests wait for its end */
    DGM_PHASE_VALIDATION,
    DGM_PHASE_SAVE /* what a stop is to leave behind */
};

struct dgm_requests {
    struct dgm_run *run;
    dgm_flag *save;                   /* as in train/trainer.h; may be NULL */
    dgm_status (*answer)(void *user); /* saves the run's state, if it is not saved, and tells so */
    void *user;
    enum dgm_phase phase;
    int64_t saved_updates; /* of the newest checkpoint that is complete, or of the beginning:
                              nothing is lost up to there */
    struct dgm_train_state before; /* in a validation: the state from before it */
};

/* Between updates: saves, if that is asked for. *stops: the run is to stop. */
dgm_status dgm_requests_obey(struct dgm_requests *requests, int *stops);
/* For env->poll during a run; user: its requests. DGM_INTERRUPTED: it stops here. */
dgm_status dgm_requests_poll(struct dgm_env *env, void *user);

#endif
