/*
 * trial_rows_move.c: instances of copies of rows and of blocks of columns.
 */
#include <math.h>

#include "device/trial/trial.h"

void dgm_trial_copy_rows(struct dgm_trial *trial, struct dgm_copy_rows_args *args)
{
    const int64_t from = dgm_trial_between(trial, 1, 20);

    args->rows = dgm_trial_between(trial, 1, 40);
    args->dim = dgm_trial_between(trial, 1, 150);
    args->ldy = args->dim + dgm_trial_between(trial, 0, 3);
    args->ldx = args->dim + dgm_trial_between(trial, 0, 3);
    dgm_trial_reals(trial, &args->y, (args->rows - 1) * args->ldy + args->dim, 1);
    dgm_trial_reals(trial, &args->x, (from - 1) * args->ldx + args->dim, 1)[0] = (dgm_real)NAN;
    dgm_trial_ints(trial, &args->index, args->rows, -1, from - 1);
}

/* Blocks may lie apart; those of x may also overlap, or be the same. */
void dgm_trial_copy_columns(struct dgm_trial *trial, struct dgm_copy_columns_args *args)
{
    int64_t last;

    args->rows = dgm_trial_between(trial, 1, 20);
    args->groups = dgm_trial_between(trial, 1, 5);
    args->width = dgm_trial_between(trial, 1, 90);
    args->step_y = args->width + dgm_trial_between(trial, 0, 4);
    args->step_x = dgm_trial_between(trial, 0, args->width + 5);
    args->ldy = args->groups * args->step_y + dgm_trial_between(trial, 0, 4);
    args->ldx = args->groups * args->step_x + args->width;
    args->accumulate = dgm_trial_once_in(trial, 2);
    last = (args->rows - 1) * args->ldy + (args->groups - 1) * args->step_y;
    dgm_trial_reals(trial, &args->y, last + args->width, 1);
    if (!args->accumulate && dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->y, last + args->width, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->x, args->rows * args->ldx, 1);
}
