/*
 * trial_elements.c: instances of the element-by-element tasks.
 */
#include <math.h>

#include "device/trial/trial.h"

static int64_t draw_count(struct dgm_trial *trial)
{
    return dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 5000 : 70);
}

void dgm_trial_fill(struct dgm_trial *trial, struct dgm_fill_args *args)
{
    args->count = draw_count(trial);
    args->value = (dgm_real)dgm_trial_between(trial, -3, 3);
    dgm_trial_reals(trial, &args->y, args->count, 1);
}

void dgm_trial_axpby(struct dgm_trial *trial, struct dgm_axpby_args *args)
{
    args->count = draw_count(trial);
    args->a = (dgm_real)dgm_trial_between(trial, -2, 2);
    args->b = (dgm_real)dgm_trial_between(trial, -1, 2);
    dgm_trial_reals(trial, &args->y, args->count, 1);
    if (args->b == 0)
        *dgm_trial_reals(trial, &args->y, args->count, 1) = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->x, args->count, 1);
}

void dgm_trial_relu_backward(struct dgm_trial *trial, struct dgm_relu_backward_args *args)
{
    args->count = draw_count(trial);
    args->accumulate = dgm_trial_once_in(trial, 2);
    dgm_trial_reals(trial, &args->dx, args->count, 1);
    dgm_trial_reals(trial, &args->y, args->count, 1)[0] = 0;
    dgm_trial_same_or_reals(trial, !args->accumulate && dgm_trial_once_in(trial, 2), &args->dy,
                            &args->dx, args->count);
}

/* ---- activations ------------------------------------------------------------------------- */

/* Elements that are special: x[0..4] where there are so many. */
static void set_hostile(dgm_real *x, int64_t count)
{
    const dgm_real hostile[] = { 0, (dgm_real)NAN, 50, -50, -(dgm_real)INFINITY };

    for (int64_t i = 0; i < 5 && i < count; i++)
        x[i] = hostile[i];
}

void dgm_trial_activate_forward(struct dgm_trial *trial, struct dgm_activate_forward_args *args)
{
    args->count = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 3000 : 70);
    args->kind = (enum dgm_activation)dgm_trial_between(trial, DGM_TANH, DGM_GELU);
    args->slope = (dgm_real)0.1;
    set_hostile(dgm_trial_reals(trial, &args->y, args->count, 1), args->count);
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_same(trial, &args->x, &args->y);
    else
        set_hostile(dgm_trial_reals(trial, &args->x, args->count, 1), args->count);
}

void dgm_trial_activate_backward(struct dgm_trial *trial, struct dgm_activate_backward_args *args)
{
    dgm_real *v;

    args->count = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 3000 : 70);
    args->kind = (enum dgm_activation)dgm_trial_between(trial, DGM_TANH, DGM_GELU);
    args->slope = (dgm_real)0.1;
    args->accumulate = dgm_trial_once_in(trial, 2);
    dgm_trial_reals(trial, &args->dx, args->count, 1);
    v = dgm_trial_reals(trial, &args->v, args->count, 1);
    for (int64_t i = 0; i < args->count && args->kind == DGM_TANH; i++)
        v[i] = (dgm_real)tanh((double)v[i]);
    if (args->kind == DGM_SWISH || args->kind == DGM_GELU)
        set_hostile(v, args->count);
    dgm_trial_same_or_reals(trial, !args->accumulate && dgm_trial_once_in(trial, 2), &args->dy,
                            &args->dx, args->count);
}

/* ---- sums of probabilities --------------------------------------------------------------- */

/* Logarithms of probabilities, some of them 0. */
static void draw_logs(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count)
{
    dgm_real *x = dgm_trial_reals(trial, field, count, 5);

    for (int64_t i = 0; i < count; i++)
        if (dgm_trial_once_in(trial, 10))
            x[i] = -(dgm_real)INFINITY;
}

void dgm_trial_log_add(struct dgm_trial *trial, struct dgm_log_add_args *args)
{
    args->count = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 5000 : 100);
    draw_logs(trial, &args->y, args->count);
    draw_logs(trial, &args->x, args->count);
}
