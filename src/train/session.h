/*
 * session.h: everything that is alive during a training run, whatever is trained.
 *
 * session.c makes it, ends it, and saves it; trainer.c is the loop over it; update.c makes one
 * update of it. A learner (learner.h) reads it, and writes only the fields that learner.h names.
 */
#ifndef DGM_TRAIN_SESSION_H
#define DGM_TRAIN_SESSION_H

#include "train/store/checkpoint.h"
#include "train/store/resume.h"
#include "train/watch/health.h"
#include "train/course.h"
#include "train/learner.h"
#include "train/requests.h"
#include "train/run.h"
#include "train/trainee.h"
#include "train/step/exchange/crew.h"
#include "train/watch/report.h"
#include "train/watch/timeline.h"
#include "train/trainer.h"
#include "train/step/batch_costs.h"
#include "train/step/device_check.h"
#include "train/step/ema.h"
#include "train/step/optimizer.h"
#include "train/step/replicas.h"
#include "train/step/schedule.h"

struct dgm_session {
    struct dgm_run run;
    struct dgm_trainee trainee;
    struct dgm_course course;
    const struct dgm_train_hooks *hooks;

    /* Machinery. */
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
    struct dgm_resume resume;
    int is_new;  /* not resumed: checkpoints that are there are another run's */
    int is_best; /* the latest validation found a new best */
    struct dgm_requests requests;
    double started; /* clock when state.elapsed was `elapsed_before` */
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
