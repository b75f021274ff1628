/*
 * session.h: everything that is alive during a training run, whatever is trained; shared by
 * trainer.c (the loop), update.c, requests.c, setup.c, resume.c and announce.c (its beginning) and
 * learners.
 */
#ifndef DGM_TRAIN_SESSION_H
#define DGM_TRAIN_SESSION_H

#include "train/check_device.h"
#include "train/checkpoint/checkpoint.h"
#include "train/learner.h"
#include "train/optimizer.h"
#include "train/replicas.h"
#include "train/schedule.h"
#include "train/trainer.h"

/* Intervals and stop rules: a number with a unit (base/option/option.h). */
struct dgm_length {
    double value;
    char unit;
};

struct dgm_session {
    struct dgm_env *env;
    const struct dgm_devices *devices;
    struct dgm_device *device; /* the first of them: validation, parsers, updates */
    const struct dgm_settings *settings;
    const struct dgm_train_hooks *hooks;
    const struct dgm_learner *learner;
    void *self;                   /* (learner->size) the learner's own */
    struct dgm_params *params;    /* the learner's; NULL until it has a model */
    int has_valid;                /* the learner's: there is something to validate on */
    struct dgm_replicas replicas; /* of the model on the devices that compute */
    struct dgm_optimizer optimizer;
    struct dgm_schedule schedule;
    struct dgm_checkpoints checkpoints;
    struct dgm_report report;
    struct dgm_device_check check;
    struct dgm_train_state state;
    struct dgm_buf settings_text; /* what a resumed run must agree with */
    struct dgm_length after, display, save, validate;
    uint32_t seed;
    int64_t accumulate, patience;
    int by_sentence; /* the cost is a mean over sentences, not over labels */
    size_t keep;
    const char *decides;   /* the metric that decides the best */
    int is_best;           /* the latest validation found a new best */
    int is_new;            /* not resumed: checkpoints that are there are another run's */
    int has_new_valid;     /* resumed with another validation text */
    int64_t saved_updates; /* updates of the newest checkpoint that is complete, or of
                                     * the beginning: nothing is lost up to there */
    const struct dgm_train_state *before; /* a validation: the state from before it; else NULL */
    int64_t batches;                      /* of this epoch */
    int64_t part;          /* of the update, from 0: the batch that is built, or read */
    int64_t epochs_before; /* completed before the latest update */
    double started;        /* clock when state.elapsed was `elapsed_before` */
    double elapsed_before;
    double share_before; /* of the run that was done then */
};

/* setup.c: from settings to a session ready for its first, or next, update. Everything is read and
 * checked, and nothing is changed. */
dgm_status dgm_session_init(struct dgm_session *session);
/* Takes possession of the folder of checkpoints: what is another run's is set aside. */
dgm_status dgm_session_begin(struct dgm_session *session);
void dgm_session_clear(struct dgm_session *session);

/* resume.c: reads the data, holds a resumed run against them, and begins the epoch. */
dgm_status dgm_session_take_data(struct dgm_session *session);

/* announce.c: the log's first lines; DGM_MEMORY if the largest step does not fit. */
dgm_status dgm_session_announce(struct dgm_session *session);

/* memory.c: logs what the run needs; DGM_MEMORY if that is more than is allowed, or than there is
 * for the largest step. In a dry run nothing is allocated for it. */
dgm_status dgm_session_plan_memory(struct dgm_session *session);

/* update.c: one update: `accumulate` batches, their gradients summed, divided once by their
 * labels. */
dgm_status dgm_session_update(struct dgm_session *session);

/* trainer.c: a checkpoint of the present state; is_regular: one that is kept in rotation. */
dgm_status dgm_session_save(struct dgm_session *session, int is_regular, int is_best);

/* requests.c: after an update: saves, stops, if that is asked for. DGM_INTERRUPTED: saved. */
dgm_status dgm_session_obey(struct dgm_session *session);
/* The learner's validation, which may be stopped at any step: then what is saved is the state
 * before it, as it was handed in, and the status is DGM_INTERRUPTED. */
dgm_status dgm_session_validate(struct dgm_session *session);
/* For env->poll during a run; user: the session. */
dgm_status dgm_session_poll(struct dgm_env *env, void *user);

/* trainer.c, for a learner's `validate`: reports the value of a metric, better the higher it is
 * (`upwards`) or the lower; where --valid-metrics names it, notes whether it is the best. */
dgm_status dgm_session_score(struct dgm_session *session, const char *metric, double value,
                             int upwards);

#endif
