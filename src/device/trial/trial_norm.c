/*
 * trial_norm.c: instances of layer norm and of sums of columns.
 */
#include <math.h>

#include "device/trial/trial.h"

static int64_t draw_rows(struct dgm_trial *trial)
{
    return dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 4) ? 700 : 40);
}

static int64_t draw_dim(struct dgm_trial *trial)
{
    return dgm_trial_between(trial, 2, dgm_trial_once_in(trial, 4) ? 140 : 40);
}

void dgm_trial_norm_forward(struct dgm_trial *trial, struct dgm_norm_forward_args *args)
{
    const int64_t rows = args->rows = draw_rows(trial), dim = args->dim = draw_dim(trial);
    dgm_real *x = dgm_trial_reals(trial, &args->x, rows * dim, 2);

    args->eps = (dgm_real)1e-6;
    for (int64_t i = 0; i < rows * dim; i++)
        x[i] += 3;
    *dgm_trial_reals(trial, &args->y, rows * dim, 1) = (dgm_real)NAN;
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->stats, 2 * rows, 1);
    dgm_trial_reals(trial, &args->gain, dim, 1);
    dgm_trial_reals(trial, &args->bias, dim, 1);
}

void dgm_trial_norm_backward(struct dgm_trial *trial, struct dgm_norm_backward_args *args)
{
    const int64_t rows = args->rows = draw_rows(trial), dim = args->dim = draw_dim(trial);
    dgm_real *dx = dgm_trial_reals(trial, &args->dx, rows * dim, 1);
    dgm_real *stats = dgm_trial_reals(trial, &args->stats, 2 * rows, 1);

    args->accumulate = dgm_trial_once_in(trial, 2);
    if (!args->accumulate)
        dx[rows * dim / 2] = (dgm_real)NAN;
    for (int64_t i = 0; i < rows; i++)
        stats[2 * i + 1] = (dgm_real)(0.5 + fabs((double)stats[2 * i + 1]));
    dgm_trial_reals(trial, &args->dgain, dim, 1);
    dgm_trial_reals(trial, &args->dbias, dim, 1);
    dgm_trial_reals(trial, &args->dy, rows * dim, 1);
    dgm_trial_reals(trial, &args->x, rows * dim, 1);
    dgm_trial_reals(trial, &args->gain, dim, 1);
}

/* What lies between the rows of x is not read. */
void dgm_trial_column_sums(struct dgm_trial *trial, struct dgm_column_sums_args *args)
{
    dgm_real *x;

    args->m = draw_rows(trial);
    args->n = draw_dim(trial);
    args->ldx = args->n + dgm_trial_between(trial, 0, 3);
    x = dgm_trial_reals(trial, &args->x, args->m * args->ldx, 1);
    for (int64_t i = 0; i < args->m; i++)
        for (int64_t c = args->n; c < args->ldx; c++)
            x[i * args->ldx + c] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->y, args->n, 1);
}
