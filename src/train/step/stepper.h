/*
 * stepper.h: what makes the updates of a run, and what is told of them.
 */
#ifndef DGM_TRAIN_STEP_STEPPER_H
#define DGM_TRAIN_STEP_STEPPER_H

#include "train/run.h"
#include "train/step/batch_costs.h"
#include "train/step/device_check.h"
#include "train/step/ema.h"
#include "train/step/exchange/crew.h"
#include "train/step/figures.h"
#include "train/step/optimizer.h"
#include "train/step/replicas.h"
#include "train/step/schedule.h"
#include "train/trainee.h"

/* In their order of life. */
struct dgm_stepper {
    struct dgm_schedule schedule;
    struct dgm_optimizer optimizer;
    struct dgm_crew *crew;        /* what ranks send each other; NULL: one process */
    struct dgm_ema ema;           /* of the values that the optimizer moves */
    struct dgm_batch_costs costs; /* of the update under way */
    struct dgm_replicas replicas; /* of the model on the devices that compute */
    struct dgm_device_check check;
    struct dgm_figures figures;
};

/* Once the parameters have values: optimizer, crew, mean. */
dgm_status dgm_stepper_allocate(const struct dgm_run *run, const struct dgm_trainee *trainee,
                                struct dgm_stepper *stepper);
/* Once there is data: the learner joins the devices. */
dgm_status dgm_stepper_join(const struct dgm_run *run, struct dgm_trainee *trainee,
                            struct dgm_stepper *stepper);
/* Releases all that the two have made, or a part of it. */
void dgm_stepper_clear(const struct dgm_run *run, const struct dgm_trainee *trainee,
                       struct dgm_stepper *stepper);

#endif
