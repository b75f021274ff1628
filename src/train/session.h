/*
 * session.h: everything that is alive during a training run, whatever is trained.
 *
 * session.c makes it, ends it, and saves it; trainer.c is the loop over it; update.c makes one
 * update of it. A learner (learner.h) reads it, and writes only the fields that learner.h names.
 */
#ifndef DGM_TRAIN_SESSION_H
#define DGM_TRAIN_SESSION_H

#include "train/course.h"
#include "train/judge.h"
#include "train/learner.h"
#include "train/requests.h"
#include "train/run.h"
#include "train/step/stepper.h"
#include "train/store/checkpoint.h"
#include "train/store/resume.h"
#include "train/trainee.h"
#include "train/trainer.h"
#include "train/watch/health.h"
#include "train/watch/report.h"
#include "train/watch/timeline.h"

struct dgm_session {
    struct dgm_run run;
    struct dgm_trainee trainee;
    struct dgm_course course;
    const struct dgm_train_hooks *hooks;

    /* Machinery. */
    struct dgm_stepper stepper;
    struct dgm_checkpoints checkpoints;
    struct dgm_report report;
    struct dgm_symptoms symptoms; /* that were told */
    struct dgm_timeline timeline;

    /* Where the run stands. */
    struct dgm_resume resume;
    int is_new; /* not resumed: checkpoints that are there are another run's */
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

/* Puts the mean of --ema in the place of the values (train/step/ema.h), from all ranks. */
dgm_status dgm_session_show_mean(struct dgm_session *session, int *before);

/* A checkpoint of the present state; is_regular: one that is kept in rotation. */
dgm_status dgm_session_save(struct dgm_session *session, int is_regular, int is_best);

#endif
