/*
 * trainer_parts.h: all parts of a training run, whatever is trained: for trainer.c, the loop,
 * trainer_start.c, its beginning, and trainer_ranks.c, what ranks do together, alone.
 */
#ifndef DGM_TRAIN_TRAINER_PARTS_H
#define DGM_TRAIN_TRAINER_PARTS_H

#include "train/course.h"
#include "train/requests.h"
#include "train/run.h"
#include "train/step/exchange/lead.h"
#include "train/step/stepper.h"
#include "train/store/checkpoint.h"
#include "train/store/resume.h"
#include "train/trainee.h"
#include "train/watch/health.h"
#include "train/watch/report.h"
#include "train/watch/timeline.h"

struct dgm_train_hooks;

struct dgm_trainer {
    struct dgm_run run;
    const struct dgm_train_hooks *hooks;

    /* In their order of life. */
    struct dgm_trainee trainee;
    struct dgm_checkpoints checkpoints;
    struct dgm_resume resume;
    struct dgm_stepper stepper;
    struct dgm_course course;
    struct dgm_timeline timeline;
    struct dgm_report report;
    struct dgm_symptoms told;
    struct dgm_requests requests;

    int is_new;     /* not resumed: checkpoints that are there are another run's */
    double started; /* clock when state.elapsed was `elapsed_before` */
    double elapsed_before;
    double share_before;    /* of the run that was done when this call began */
    int64_t updates_before; /* the same */
    int64_t epochs_before;  /* completed before the latest update */
    dgm_real *moments[2];   /* those of all ranks, while rank 0 saves; NULL where the optimizer has
                              them whole */
};

/* ---- trainer_start.c ------------------------------------------------------------------------- */

/* From settings to a run that is ready for its first, or next, update, and to the log that says so.
 * Everything is read and checked, and nothing is changed on disk. */
dgm_status dgm_trainer_start(struct dgm_trainer *trainer);
/* --dry-run instead: counts parameters and memory, and predicts what more ranks would do. */
dgm_status dgm_trainer_predict(struct dgm_trainer *trainer);
/* Releases all of it, also when only a part was made. */
void dgm_trainer_clear(struct dgm_trainer *trainer);

/* ---- trainer_ranks.c ------------------------------------------------------------------------- */

/* An update, on all ranks. */
dgm_status dgm_trainer_update(struct dgm_trainer *trainer);
/* What another rank than 0 does: obeys until the end. */
dgm_status dgm_trainer_follow(struct dgm_trainer *trainer);

/* Of rank 0, or of the only process. */

dgm_status dgm_trainer_lead_update(struct dgm_trainer *trainer);
/* What ranks do together between updates; one process has it done already. */
dgm_status dgm_trainer_lead(struct dgm_trainer *trainer, enum dgm_lead_order order);
/* Puts the mean of --ema in the place of the values. dgm_ema_hide takes *before, and undoes it. */
dgm_status dgm_trainer_show_mean(struct dgm_trainer *trainer, int *before);
/* Ends the timeline, if it has not ended. */
dgm_status dgm_trainer_lead_timeline(struct dgm_trainer *trainer);
#endif
