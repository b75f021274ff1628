/*
 * need.h: how much memory a training run needs, by what is trained: model, options, data, device.
 *
 * Nothing here asks the process, so that the same run has the same needs whatever its threads, and
 * in a dry run. What the process holds besides is memory.h's to add.
 */
#ifndef DGM_TRAIN_PLAN_NEED_H
#define DGM_TRAIN_PLAN_NEED_H

#include "train/course.h"
#include "train/run.h"
#include "train/step/replicas.h"
#include "train/trainee.h"

/* Bytes. Double: sums of them cannot wrap. */
struct dgm_need {
    double weights; /* and gradients, and their sum over batches */
    double moments;
    double mean;       /* of --ema */
    double step;       /* the largest */
    double other_step; /* with --recompute where it is not, and without it where it is */
    double copies;     /* of weights and gradients, on other devices in the memory of the process */
    double copy_steps; /* what steps take there */
    double beside;     /* of the step, on a device that takes room of its own */
    double later;      /* the most that saving, validating and averaging take at a time */
    double batch;      /* of all that, what grows with the size of batches */
};

/* Whether the first device computes in the memory of the process. */
int dgm_need_is_on_host(const struct dgm_run *run);
/* The sum over batches, in `weights`, of so many elements. */
double dgm_need_sum_bytes(const struct dgm_run *run, int64_t total);

/* Of the batches that the order of the course has. Before there are replicas, which build the step:
 * of what no batch decides about. */
dgm_status dgm_need_find(const struct dgm_run *run, struct dgm_trainee *trainee,
                         struct dgm_course *course, const struct dgm_replicas *replicas,
                         struct dgm_need *need);
/* All of it, but for other_step and batch. */
double dgm_need_total(const struct dgm_need *need);

/* What --recompute would save of it; 0 where it is on. */
double dgm_need_saved_by_recompute(const struct dgm_settings *settings,
                                   const struct dgm_need *need);

/* What program, text and vocabularies take at most. */
double dgm_need_program(const struct dgm_trainee *trainee, const struct dgm_windows *windows);

#endif
