/*
 * trial_cells.c: instances of gated recurrent units and of dynamic weights.
 */
#include <math.h>

#include "device/trial/trial.h"

/* Rows of `cols` columns that lie a few more apart; returns how far. */
static int64_t draw_ld(struct dgm_trial *trial, int64_t cols)
{
    return cols + dgm_trial_between(trial, 0, 3);
}

/* The states of n rows, one or two for each, with zeros among them. */
static int64_t draw_states(struct dgm_trial *trial, const struct dgm_ref *state,
                           const struct dgm_ref *first, const struct dgm_ref *second, int64_t n,
                           int64_t dim)
{
    const int64_t lds = draw_ld(trial, dim), rows = n + dgm_trial_between(trial, 0, 4);

    dgm_trial_maybe(trial, state, rows * lds);
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_ints(trial, first, n, -1, rows - 1);
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_ints(trial, second, n, -1, rows - 1);
    return lds;
}

void dgm_trial_gated_cell_forward(struct dgm_trial *trial, struct dgm_gated_cell_forward_args *args)
{
    const int64_t n = dgm_trial_between(trial, 1, 20), dim = dgm_trial_between(trial, 1, 70);
    const int kind = (int)dgm_trial_between(trial, 0, 2); /* x and h, x alone, h alone */

    args->n = n;
    args->dim = dim;
    args->ldy = draw_ld(trial, dim);
    args->ld_saved = draw_ld(trial, 4 * dim);
    args->ldx = draw_ld(trial, 3 * dim);
    args->ldh = draw_ld(trial, kind == 2 ? 4 * dim : 3 * dim);
    args->carry = (dgm_real)(dgm_trial_once_in(trial, 2) ? 1 : 0.5);
    dgm_trial_reals(trial, &args->y, n * args->ldy, 1);
    dgm_trial_maybe(trial, &args->saved, n * args->ld_saved);
    if (kind != 2)
        dgm_trial_reals(trial, &args->x, n * args->ldx, 2);
    if (kind != 1)
        dgm_trial_reals(trial, &args->h, n * args->ldh, 2);
    args->lds = draw_states(trial, &args->state, &args->first, &args->second, n, dim);
}

/* Gates as they are: logistic functions, and a hyperbolic tangent; gradients may replace them. */
static void draw_saved(struct dgm_trial *trial, struct dgm_gated_cell_backward_args *args)
{
    const int is_same = dgm_trial_once_in(trial, 2);
    dgm_real *saved =
        dgm_trial_reals(trial, is_same ? &args->dh : &args->saved, args->n * args->ld_saved, 1);

    for (int64_t i = 0; i < args->n * args->ld_saved; i++) {
        const int64_t part = i % args->ld_saved / args->dim;
        if (part < 2)
            saved[i] = (dgm_real)(1 / (1 + exp((double)saved[i])));
        if (part == 3)
            saved[i] = (dgm_real)tanh((double)saved[i]);
    }
    if (is_same)
        dgm_trial_same(trial, &args->saved, &args->dh);
    else
        dgm_trial_maybe(trial, &args->dh, args->n * args->lddh);
    args->accumulate_h = !is_same && dgm_trial_once_in(trial, 2);
}

void dgm_trial_gated_cell_backward(struct dgm_trial *trial,
                                   struct dgm_gated_cell_backward_args *args)
{
    const int64_t n = dgm_trial_between(trial, 1, 20), dim = dgm_trial_between(trial, 1, 70);

    args->n = n;
    args->dim = dim;
    args->lddx = draw_ld(trial, 3 * dim);
    args->lddcarry = draw_ld(trial, dim);
    args->lddy = draw_ld(trial, dim);
    args->ld_saved = args->lddh = draw_ld(trial, 4 * dim);
    args->carry = (dgm_real)(dgm_trial_once_in(trial, 2) ? 1 : 0.5);
    args->joint = dgm_trial_once_in(trial, 2);
    args->accumulate_x = dgm_trial_once_in(trial, 2);
    args->accumulate_carry = dgm_trial_once_in(trial, 2);
    dgm_trial_maybe(trial, &args->dx, n * args->lddx);
    dgm_trial_maybe(trial, &args->dcarry, n * args->lddcarry);
    dgm_trial_reals(trial, &args->dy, n * args->lddy, 1);
    draw_saved(trial, args);
    args->lds = draw_states(trial, &args->state, &args->first, &args->second, n, dim);
}

/* ---- dynamic weights --------------------------------------------------------------------- */

/* Returns how many factors there are, which are still to be drawn. */
static int draw_core(struct dgm_trial *trial, struct dgm_modulate *core)
{
    const int count = (int)dgm_trial_between(trial, 0, 3);

    core->n = dgm_trial_between(trial, 1, 20);
    core->dim = dgm_trial_between(trial, 1, 40);
    core->blocks = dgm_trial_between(trial, 1, 3);
    core->ldz = draw_ld(trial, core->dim);
    core->ldt = draw_ld(trial, core->blocks * (count + 1) * core->dim);
    for (int f = 0; f < 3; f++)
        core->ld_factor[f] = draw_ld(trial, core->blocks * core->dim);
    return count;
}

void dgm_trial_modulate_forward(struct dgm_trial *trial, struct dgm_modulate_forward_args *args)
{
    const struct dgm_modulate *core = &args->core;
    const int count = draw_core(trial, &args->core);

    for (int f = 0; f < count; f++)
        dgm_trial_reals(trial, &args->factor[f], core->n * core->ld_factor[f], 1);
    dgm_trial_reals(trial, &args->t, core->n * core->ldt, 1);
    dgm_trial_reals(trial, &args->z, core->n * core->ldz, 1);
}

/* An operand and its gradient, in half of the instances in one place; returns whether. */
static int draw_pair(struct dgm_trial *trial, const struct dgm_ref *grad,
                     const struct dgm_ref *value, int64_t count, int is_wanted)
{
    if (dgm_trial_once_in(trial, 2)) {
        dgm_trial_reals(trial, grad, count, 1);
        dgm_trial_same(trial, value, grad);
        return 1;
    }
    if (is_wanted || !dgm_trial_once_in(trial, 4))
        dgm_trial_reals(trial, grad, count, 1);
    dgm_trial_reals(trial, value, count, 1);
    return 0;
}

void dgm_trial_modulate_backward(struct dgm_trial *trial, struct dgm_modulate_backward_args *args)
{
    const struct dgm_modulate *core = &args->core;
    const int count = draw_core(trial, &args->core);

    dgm_trial_reals(trial, &args->dt, core->n * core->ldt, 1);
    draw_pair(trial, &args->dz, &args->z, core->n * core->ldz, 1);
    for (int f = 0; f < count; f++) {
        args->lddf[f] = core->ld_factor[f];
        args->accumulate[f] = dgm_trial_once_in(trial, 2);
        if (draw_pair(trial, &args->dfactor[f], &args->factor[f], core->n * args->lddf[f], 0))
            args->accumulate[f] = 0;
    }
}
