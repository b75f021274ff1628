/*
 * trial_residual.c: instances of residual connections and dropout.
 */
#include "device/trial/trial.h"

void dgm_trial_residual_forward(struct dgm_trial *trial, struct dgm_residual_forward_args *args)
{
    const int64_t same = dgm_trial_between(trial, 0, 3);
    int64_t count;

    args->rows = dgm_trial_between(trial, 1, 30);
    args->dim = dgm_trial_between(trial, 1, 200);
    count = args->rows * args->dim;
    dgm_trial_reals(trial, &args->y, count, 1);
    if (same == 0)
        dgm_trial_same(trial, &args->x, &args->y);
    else if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->x, count, 1);
    if (same == 1)
        dgm_trial_same(trial, &args->r, &args->y);
    else
        dgm_trial_reals(trial, &args->r, count, 1);
    dgm_trial_drop(trial, &args->drop, &args->places, args->rows);
}

void dgm_trial_residual_backward(struct dgm_trial *trial, struct dgm_residual_backward_args *args)
{
    int64_t count;

    args->rows = dgm_trial_between(trial, 1, 30);
    args->dim = dgm_trial_between(trial, 1, 200);
    args->accumulate = dgm_trial_once_in(trial, 2);
    count = args->rows * args->dim;
    dgm_trial_reals(trial, &args->dr, count, 1);
    if (!args->accumulate && dgm_trial_once_in(trial, 2))
        dgm_trial_same(trial, &args->dy, &args->dr);
    else
        dgm_trial_reals(trial, &args->dy, count, 1);
    dgm_trial_drop(trial, &args->drop, &args->places, args->rows);
}
