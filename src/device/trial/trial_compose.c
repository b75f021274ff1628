/*
 * trial_compose.c: instances of compositions of constituents and of child sums.
 */
#include <math.h>

#include "device/trial/trial.h"

static void draw_core(struct dgm_trial *trial, struct dgm_compose *core)
{
    core->n = dgm_trial_between(trial, 1, 30);
    core->dim = dgm_trial_between(trial, 1, 70);
    core->mixes = (int)dgm_trial_between(trial, 2, 3);
}

/* Numbers between 0 and 1 in `count` places, as gates are. */
static void draw_gates(struct dgm_trial *trial, dgm_real *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        x[i] = (dgm_real)dgm_trial_between(trial, 1, 99) / 100;
}

void dgm_trial_compose_forward(struct dgm_trial *trial, struct dgm_compose_forward_args *args)
{
    int64_t reals, width;

    draw_core(trial, &args->core);
    reals = args->core.n * args->core.dim;
    width = dgm_compose_parts(&args->core) * args->core.dim;
    args->ld_bias = dgm_trial_once_in(trial, 2) ? width : 0;
    dgm_trial_reals(trial, &args->y, reals, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->left, args->core.n * width, 2);
    dgm_trial_reals(trial, &args->right, args->core.n * width, 2);
    dgm_trial_reals(trial, &args->l, reals, 1);
    dgm_trial_reals(trial, &args->r, reals, 1);
    dgm_trial_reals(trial, &args->bias, (args->core.n - 1) * args->ld_bias + width, 1);
}

void dgm_trial_compose_backward(struct dgm_trial *trial, struct dgm_compose_backward_args *args)
{
    int64_t reals, sides;

    draw_core(trial, &args->core);
    reals = args->core.n * args->core.dim;
    sides = dgm_compose_parts(&args->core) * reals;
    dgm_trial_reals(trial, &args->dl, reals, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->dr, reals, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->dy, reals, 1);
    draw_gates(trial, dgm_trial_reals(trial, &args->left, sides, 1), sides);
    draw_gates(trial, dgm_trial_reals(trial, &args->right, sides, 1), sides);
    dgm_trial_reals(trial, &args->l, reals, 1);
    dgm_trial_reals(trial, &args->r, reals, 1);
}

void dgm_trial_child_sum_forward(struct dgm_trial *trial, struct dgm_child_sum_forward_args *args)
{
    int64_t reals;

    args->n = dgm_trial_between(trial, 1, 30);
    args->dim = dgm_trial_between(trial, 1, 70);
    reals = args->n * args->dim;
    dgm_trial_reals(trial, &args->y, reals, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->left, 3 * reals, 2);
    dgm_trial_reals(trial, &args->right, 3 * reals, 2);
    dgm_trial_reals(trial, &args->l, reals, 1);
    dgm_trial_reals(trial, &args->r, reals, 1);
    dgm_trial_reals(trial, &args->bias, 3 * args->dim, 1);
}

void dgm_trial_child_sum_backward(struct dgm_trial *trial, struct dgm_child_sum_backward_args *args)
{
    int64_t reals;

    args->n = dgm_trial_between(trial, 1, 30);
    args->dim = dgm_trial_between(trial, 1, 70);
    reals = args->n * args->dim;
    dgm_trial_reals(trial, &args->dcarry, reals, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->dy, reals, 1);
    draw_gates(trial, dgm_trial_reals(trial, &args->left, 3 * reals, 1), 3 * reals);
    draw_gates(trial, dgm_trial_reals(trial, &args->right, 3 * reals, 1), 3 * reals);
    dgm_trial_reals(trial, &args->l, reals, 1);
    dgm_trial_reals(trial, &args->r, reals, 1);
}
