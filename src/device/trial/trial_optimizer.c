/*
 * trial_optimizer.c: instances of the sum of squares and of the steps of Adam and Adadelta.
 */
#include <math.h>

#include "device/trial/trial.h"

void dgm_trial_sum_squares(struct dgm_trial *trial, struct dgm_sum_squares_args *args)
{
    args->count = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 50000 : 100);
    dgm_trial_double(trial, &args->y);
    dgm_trial_reals(trial, &args->x, args->count, 1);
}

void dgm_trial_adam(struct dgm_trial *trial, struct dgm_adam_args *args)
{
    const int64_t count = args->count =
        dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 5000 : 100);
    dgm_real *v = dgm_trial_reals(trial, &args->v, count, 1);

    for (int64_t i = 0; i < count; i++)
        v[i] *= v[i];
    dgm_trial_reals(trial, &args->param, count, 1);
    dgm_trial_reals(trial, &args->m, count, 1);
    dgm_trial_reals(trial, &args->grad, count, 1);
    args->rate = (dgm_real)0.01;
    args->step_size = (dgm_real)0.02;
    args->beta1 = (dgm_real)0.9;
    args->beta2 = (dgm_real)0.98;
    args->eps = (dgm_real)1e-9;
    args->weight_decay = dgm_trial_once_in(trial, 2) ? (dgm_real)0.1 : 0;
    args->grad_scale = (dgm_real)0.5;
}

void dgm_trial_adadelta(struct dgm_trial *trial, struct dgm_adadelta_args *args)
{
    const int64_t count = args->count =
        dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 5000 : 100);
    dgm_real *squares = dgm_trial_reals(trial, &args->squares, count, 1);
    dgm_real *steps = dgm_trial_reals(trial, &args->steps, count, 1);

    for (int64_t i = 0; i < count; i++) {
        squares[i] *= squares[i];
        steps[i] *= steps[i];
    }
    dgm_trial_reals(trial, &args->param, count, 1);
    dgm_trial_reals(trial, &args->grad, count, 1);
    args->rho = (dgm_real)0.95;
    args->eps = (dgm_real)1e-6;
    args->grad_scale = (dgm_real)0.5;
    args->rate = dgm_trial_once_in(trial, 2) ? (dgm_real)0.01 : 1;
}
