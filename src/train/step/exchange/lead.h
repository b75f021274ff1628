/*
 * lead.h: rank 0 of a training run decides, and the others follow.
 *
 * All ranks take part in every update. Whatever else there is to do, validations, checkpoints, log
 * lines, the final model, is rank 0's: it orders the others to do their part of it. Between two
 * orders they wait, however long that takes.
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_LEAD_H
#define DGM_TRAIN_STEP_EXCHANGE_LEAD_H

#include "train/run.h"

/* What all ranks do together when rank 0 says so. */
enum dgm_lead_order {
    DGM_LEAD_UPDATE,   /* make an update */
    DGM_LEAD_GRADIENT, /* share the latest update's gradient */
    DGM_LEAD_MOMENTS,  /* collect both moments on rank 0 */
    DGM_LEAD_MEAN,     /* collect the mean of the values (train/step/ema.h) there */
    DGM_LEAD_TIMELINE, /* end the timeline */
    DGM_LEAD_FIGURES,  /* tell rank 0 what a log line says of them */
    DGM_LEAD_END       /* the run has ended by its own rules */
};

/* Rank 0's; in a run of one process it does nothing. */
dgm_status dgm_lead_give(const struct dgm_run *run, enum dgm_lead_order order);
/* What another rank waits for. */
dgm_status dgm_lead_hear(const struct dgm_run *run, enum dgm_lead_order *order);

/* Rank 0 goes ahead: it calls this when it has done what the others are to do after it, and they
 * before that. */
dgm_status dgm_lead_pass(const struct dgm_run *run);

#endif
