/*
 * trial_additive.c: instances of additive attention, some with empty spans.
 */
#include <math.h>

#include "device/trial/trial.h"

/* Sizes and spans, which share keys only where `may_share`; returns the rows of keys. */
static int64_t draw_spans(struct dgm_trial *trial, struct dgm_additive *core,
                          const struct dgm_ref *starts_field, const struct dgm_ref *counts_field,
                          int may_share)
{
    int32_t *starts, *counts, next = 0;
    int64_t keys = 0;

    core->rows = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 40 : 9);
    core->dim = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 150 : 40);
    core->width = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 150 : 40);
    core->longest = dgm_trial_between(trial, 1, 12);
    core->ld_ctx = core->width + dgm_trial_between(trial, 0, 5);
    starts = dgm_trial_ints(trial, starts_field, core->rows, 0, 0);
    counts = dgm_trial_ints(trial, counts_field, core->rows, 0, core->longest);
    for (int64_t i = 0; i < core->rows; i++) {
        if (may_share && dgm_trial_once_in(trial, 3))
            next = 0;
        starts[i] = next + (int32_t)dgm_trial_between(trial, 0, 2);
        next = starts[i] + counts[i];
        keys = next > keys ? next : keys;
    }
    return keys > 0 ? keys : 1;
}

static int64_t reals_of_ctx(const struct dgm_additive *core)
{
    return (core->rows - 1) * core->ld_ctx + core->width;
}

void dgm_trial_additive_forward(struct dgm_trial *trial, struct dgm_additive_forward_args *args)
{
    struct dgm_additive *core = &args->core;
    const int64_t keys = draw_spans(trial, core, &args->starts, &args->counts, 1);

    dgm_trial_reals(trial, &args->ctx, reals_of_ctx(core), 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->weights, core->rows * core->longest, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->q, core->rows * core->dim, 1);
    dgm_trial_reals(trial, &args->keys, keys * core->dim, 1);
    dgm_trial_reals(trial, &args->values, keys * core->width, 1);
    dgm_trial_reals(trial, &args->v, core->dim, dgm_trial_once_in(trial, 4) ? 60 : 1);
}

/* Weights of a span that add up to about 1. */
static void draw_weights(struct dgm_trial *trial, struct dgm_additive_backward_args *args)
{
    const struct dgm_additive *core = &args->core;
    const int64_t places = core->rows * core->longest;
    dgm_real *weights = dgm_trial_reals(trial, &args->weights, places, 1);

    for (int64_t i = 0; i < places; i++)
        weights[i] = (dgm_real)fabs((double)weights[i]) / (dgm_real)core->longest;
}

void dgm_trial_additive_backward(struct dgm_trial *trial, struct dgm_additive_backward_args *args)
{
    struct dgm_additive *core = &args->core;
    const int64_t keys = draw_spans(trial, core, &args->starts, &args->counts, 0);

    dgm_trial_reals(trial, &args->dq, core->rows * core->dim, 1)[0] = (dgm_real)NAN;
    dgm_trial_maybe(trial, &args->dkeys, keys * core->dim);
    dgm_trial_maybe(trial, &args->dvalues, keys * core->width);
    dgm_trial_maybe(trial, &args->dv, core->dim);
    dgm_trial_reals(trial, &args->dctx, reals_of_ctx(core), 1);
    draw_weights(trial, args);
    dgm_trial_reals(trial, &args->q, core->rows * core->dim, 1);
    dgm_trial_reals(trial, &args->keys, keys * core->dim, 1);
    dgm_trial_reals(trial, &args->values, keys * core->width, 1);
    dgm_trial_reals(trial, &args->v, core->dim, 1);
}
