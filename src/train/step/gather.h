/*
 * gather.h: an update of several ranks: the sum of their gradients, its norm, and the step of each
 * in its own slice.
 */
#ifndef DGM_TRAIN_STEP_GATHER_H
#define DGM_TRAIN_STEP_GATHER_H

#include "train/step/stepper.h"

/* All of these are collective. */

/* Adds the gradients of a round to the update's sum, in the order of the batches; `from` has this
 * rank's, or is NULL. With --reduce fast the sum is there after the last round. */
dgm_status dgm_gather_add(struct dgm_env *env, struct dgm_stepper *stepper,
                          const struct dgm_params *from, const struct dgm_crew_round *round);
/* Puts the update's whole gradient into the parameters' own, on all ranks. */
dgm_status dgm_gather_gradient(struct dgm_env *env, struct dgm_stepper *stepper);
/* Both moments, whole, on rank 0, which releases them; NULL on others. */
dgm_status dgm_gather_moments(struct dgm_env *env, const struct dgm_stepper *stepper,
                              dgm_real *moments[2]);
/* On rank 0 the mean of all values, which can be shown then. */
dgm_status dgm_gather_mean(struct dgm_env *env, struct dgm_stepper *stepper);
/* On rank 0 what a log line says of ranks: how long they have waited since the last one, what they
 * send. */
dgm_status dgm_gather_figures(struct dgm_env *env, struct dgm_stepper *stepper);
/* Update t, as dgm_optimizer_update makes it in one process, with the same bits on all ranks. */
dgm_status dgm_gather_update(struct dgm_env *env, struct dgm_stepper *stepper, int64_t t,
                             double rate, double grad_scale);

#endif
