/*
 * ema.h: an exponential moving average of the values, --ema RATE: a second model, smoother than the
 * one that takes the steps (Polyak and Juditsky 1992; in training of translators, Junczys-Dowmunt
 * et al. 2018).
 *
 * After update t: mean += r (value - mean), r = max(RATE, 9 / (t + 10)), so that the first updates,
 * which are far from where the run goes, are soon forgotten. What --freeze names has no mean but
 * itself.
 *
 * The mean is what the run is judged by and what it gives away: while it is shown, it stands where
 * the parameters have their values. So validations, checkpoints and the final model see it, without
 * knowing of it; a checkpoint keeps the values of the training beside it.
 */
#ifndef DGM_TRAIN_STEP_EMA_H
#define DGM_TRAIN_STEP_EMA_H

#include "train/run.h"
#include "train/step/optimizer.h"

/* All zero in a run without --ema. */
struct dgm_ema {
    const struct dgm_optimizer *optimizer; /* that moves the values */
    double rate;                           /* 0: there is no mean */
    struct dgm_buffer *mean;               /* (slice) of the values that this rank steps */
    struct dgm_buffer *whole; /* rank 0 of several: (total) room for the means of all; else NULL */
    int is_shown;             /* the values of the parameters are the mean; theirs are here */
};

/* Once the parameters have values, which are the first mean. */
dgm_status dgm_ema_init(const struct dgm_run *run, struct dgm_ema *ema,
                        const struct dgm_optimizer *optimizer);
void dgm_ema_clear(struct dgm_env *env, struct dgm_ema *ema);
/* Bytes that it takes on the device, of so many elements. */
double dgm_ema_bytes(const struct dgm_run *run, int64_t total);

/* After the step of update t, on every rank. */
dgm_status dgm_ema_step(struct dgm_env *env, const struct dgm_ema *ema, int64_t t);

/* On rank 0: puts the mean in the place of the values; nothing happens where there is none, or it
 * is there. Returns whether it was. dgm_ema_hide takes that, and undoes it. */
int dgm_ema_show(struct dgm_ema *ema);
void dgm_ema_hide(struct dgm_ema *ema, int before);
/* Whether slices of the mean are to be collected before it is shown; takes them. */
int dgm_ema_is_scattered(const struct dgm_ema *ema);
dgm_status dgm_ema_fill(struct dgm_env *env, const struct dgm_ema *ema, const dgm_real *whole);
/* Where the values of the training are while the mean is shown; NULL: it is not. */
struct dgm_buffer *dgm_ema_hidden(const struct dgm_ema *ema);

#endif
