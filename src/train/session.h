/*
 * session.h: everything that is alive during a training run, whatever is trained.
 *
 * session.c makes it, ends it, and saves it; trainer.c is the loop over it; update.c makes one
 * update of it. A learner (learner.h) reads it, and writes only the fields that learner.h names.
 */
#ifndef DGM_TRAIN_SESSION_H
#define DGM_TRAIN_SESSION_H

#include "data/windows.h"
#include "train/checkpoint/checkpoint.h"
#include "train/health.h"
#include "train/learner.h"
#include "train/ranks/crew.h"
#include "train/report.h"
#include "train/timeline.h"
#include "train/trainer.h"
#include "train/update/batch_costs.h"
#include "train/update/device_check.h"
#include "train/update/ema.h"
#include "train/update/optimizer.h"
#include "train/update/replicas.h"
#include "train/update/schedule.h"

/* Intervals and stop rules: a number with a unit (base/option/option.h). */
struct dgm_length {
    double value;
    char unit;
};

/* What the settings say about the loop; it stays as it is. */
struct dgm_session_options {
    struct dgm_length after, display, save, validate;
    struct dgm_order_options order; /* how an epoch is cut into batches */
    int fits_memory;                /* --batch-tokens auto: its tokens are chosen, or those that
                                       were (train/plan/batch_size.h) */
    uint32_t seed;
    int64_t accumulate;  /* batches of an update */
    int64_t patience;    /* validations without a new best; 0: for ever */
    int by_sentence;     /* the cost is a mean over sentences, not over labels */
    size_t keep;         /* regular checkpoints in rotation */
    const char *decides; /* the metric that decides the best: the first of --valid-metrics */
};

struct dgm_session {
    struct dgm_env *env;
    const struct dgm_devices *devices;
    struct dgm_device *device; /* the first of them: validation, parsers, updates */
    const struct dgm_settings *settings;
    const struct dgm_train_hooks *hooks;
    const struct dgm_learner *learner;
    struct dgm_session_options options;

    /* What the learner has. */
    void *self;                      /* (learner->size) its own */
    struct dgm_params *params;       /* NULL until it has a model */
    const struct dgm_corpus *corpus; /* what batches are made of, all of the text or a window of
                                        it; NULL until there is data */
    int has_valid;                   /* there is something to validate on */

    /* Machinery. */
    struct dgm_windows windows;   /* of a text that is larger than memory; zeroed where it is not */
    struct dgm_order order;       /* of the batches of this epoch, or of its present window */
    struct dgm_batch batch;       /* that was packed last */
    struct dgm_replicas replicas; /* of the model on the devices that compute */
    struct dgm_crew crew;         /* what ranks send each other */
    struct dgm_batch_costs costs; /* of the update under way */
    struct dgm_optimizer optimizer;
    struct dgm_ema ema; /* of the values that the optimizer moves */
    struct dgm_schedule schedule;
    struct dgm_checkpoints checkpoints;
    struct dgm_report report;
    struct dgm_symptoms symptoms; /* that were told */
    struct dgm_device_check check;
    struct dgm_timeline timeline;

    /* Where the run stands. */
    struct dgm_train_state state;
    struct dgm_buf settings_text; /* values that a resumed run must agree with */
    struct dgm_buf texts;         /* the same of several training texts, a line each:
                                     checksum up to its end, pairs, pairs in an epoch, tag */
    struct dgm_buf texts_before;  /* those of the checkpoint */
    int is_new;                   /* not resumed: checkpoints that are there are another run's */
    int has_new_valid;            /* resumed with another validation text */
    int is_best;                  /* the latest validation found a new best */
    int64_t saved_updates;        /* updates of the newest checkpoint that is complete, or of the
                              beginning: nothing is lost up to there */
    int is_updating;              /* an update is under way: requests wait for its end */
    int is_saving;                /* so is a checkpoint, which a stop is to leave behind */
    const struct dgm_train_state *before; /* in a validation: the state from before it; else NULL */
    double started;                       /* clock when state.elapsed was `elapsed_before` */
    double elapsed_before;
};

/* From settings to a session that is ready for its first, or next, update. Everything is read and
 * checked, and nothing is changed on disk. */
dgm_status dgm_session_init(struct dgm_session *session);
/* Takes possession of the folder of checkpoints: those of another run are set aside. */
dgm_status dgm_session_begin(struct dgm_session *session);
/* After dgm_session_init of a dry run that builds batches: memory and values, for updates. */
dgm_status dgm_session_allocate(struct dgm_session *session);
void dgm_session_clear(struct dgm_session *session);

/* Batches of the present order that were used. */
int64_t dgm_session_place(const struct dgm_session *session);
/* Whether all batches of the epoch were used. */
int dgm_session_epoch_is_over(const struct dgm_session *session);
/* Makes the order of the window, or the epoch, that follows. */
dgm_status dgm_session_next_order(struct dgm_session *session);

/* Seconds of training so far, those before a resume included. */
double dgm_session_elapsed(const struct dgm_session *session);

/* A checkpoint of the present state; is_regular: one that is kept in rotation. */
dgm_status dgm_session_save(struct dgm_session *session, int is_regular, int is_best);

/* For a learner's `validate`: whether --valid-metrics names the metric. */
int dgm_session_wants(const struct dgm_session *session, const char *metric);
/* Which of several validation texts a score is of. */
struct dgm_score_set {
    const char *name; /* NULL: it has none */
    int decides;      /* the best, by the first of --valid-metrics */
};
/* Reports the value of a metric, better the higher it is (`upwards`) or the lower; where it
 * decides, notes whether it is the best. set: NULL where there is one text. */
dgm_status dgm_session_score(struct dgm_session *session, const struct dgm_score_set *set,
                             const char *metric, double value, int upwards);

#endif
