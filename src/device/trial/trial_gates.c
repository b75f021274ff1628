/*
 * trial_gates.c: instances of context gates, highways and simple recurrent units.
 */
#include <math.h>

#include "device/trial/trial.h"

/* ---- context gates ----------------------------------------------------------------------- */

static void draw_core(struct dgm_trial *trial, struct dgm_gated_mix *core)
{
    core->rows = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 80 : 20);
    core->heads = dgm_trial_between(trial, 1, 4);
    core->width = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 150 : 40);
    core->c_step = core->width + dgm_trial_between(trial, 0, 5);
    core->ldx = core->heads * core->width + dgm_trial_between(trial, 0, 5);
    core->ldc = core->heads * core->c_step + dgm_trial_between(trial, 0, 5);
    core->scale = (dgm_real)(dgm_trial_once_in(trial, 2) ? 1 : 0.3);
}

static int64_t reals_of_x(const struct dgm_gated_mix *core)
{
    return (core->rows - 1) * core->ldx + core->heads * core->width;
}

static int64_t reals_of_c(const struct dgm_gated_mix *core)
{
    return (core->rows - 1) * core->ldc + (core->heads - 1) * core->c_step + core->width;
}

void dgm_trial_gated_mix_forward(struct dgm_trial *trial, struct dgm_gated_mix_forward_args *args)
{
    struct dgm_gated_mix *core = &args->core;
    int64_t places;

    draw_core(trial, core);
    places = core->rows * core->heads;
    dgm_trial_reals(trial, &args->y, places * core->width, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->l, places, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->x, reals_of_x(core), 1);
    dgm_trial_reals(trial, &args->c, reals_of_c(core), 1);
    dgm_trial_reals(trial, &args->x_gate, core->width, 1);
    dgm_trial_reals(trial, &args->x_bias, 1, 1);
    dgm_trial_reals(trial, &args->c_gate, core->width, 1);
    dgm_trial_reals(trial, &args->c_bias, 1, 1);
}

static void draw_outputs(struct dgm_trial *trial, struct dgm_gated_mix_backward_args *args)
{
    const struct dgm_gated_mix *core = &args->core;
    dgm_real *dx = dgm_trial_maybe(trial, &args->dx, reals_of_x(core));
    dgm_real *dc = dgm_trial_maybe(trial, &args->dc, reals_of_c(core));

    if (dx != NULL && !args->accumulate_x)
        dx[0] = (dgm_real)NAN;
    if (dc != NULL && !args->accumulate_c)
        dc[0] = (dgm_real)NAN;
    dgm_trial_maybe(trial, &args->dx_gate, core->width);
    dgm_trial_maybe(trial, &args->dc_gate, core->width);
    dgm_trial_maybe(trial, &args->dx_bias, 1);
    dgm_trial_maybe(trial, &args->dc_bias, 1);
}

/* dx and dc are the same columns in some instances. */
void dgm_trial_gated_mix_backward(struct dgm_trial *trial, struct dgm_gated_mix_backward_args *args)
{
    struct dgm_gated_mix *core = &args->core;
    int64_t places;
    dgm_real *l;

    draw_core(trial, core);
    args->accumulate_x = dgm_trial_once_in(trial, 2);
    args->accumulate_c = dgm_trial_once_in(trial, 2);
    places = core->rows * core->heads;
    draw_outputs(trial, args);
    if (args->accumulate_x && args->accumulate_c && dgm_trial_once_in(trial, 2)) {
        core->ldx = core->ldc;
        dgm_trial_reals(trial, &args->dc, reals_of_c(core), 1);
        dgm_trial_same(trial, &args->dx, &args->dc);
    }
    dgm_trial_reals(trial, &args->dy, places * core->width, 1);
    l = dgm_trial_reals(trial, &args->l, places, 1);
    for (int64_t i = 0; i < places; i++)
        l[i] = (dgm_real)(1 / (1 + exp((double)l[i])));
    dgm_trial_reals(trial, &args->x, reals_of_x(core), 1);
    dgm_trial_reals(trial, &args->c, reals_of_c(core), 1);
    dgm_trial_reals(trial, &args->x_gate, core->width, 1);
    dgm_trial_reals(trial, &args->c_gate, core->width, 1);
}

/* ---- highways ---------------------------------------------------------------------------- */

void dgm_trial_highway_forward(struct dgm_trial *trial, struct dgm_highway_forward_args *args)
{
    int64_t count;
    dgm_real *ht;

    args->rows = dgm_trial_between(trial, 1, 20);
    args->width = dgm_trial_between(trial, 1, 90);
    count = args->rows * args->width;
    dgm_trial_reals(trial, &args->y, count, 1)[0] = (dgm_real)NAN;
    ht = dgm_trial_reals(trial, &args->ht, 2 * count, 2);
    ht[0] = (dgm_real)NAN;
    ht[2 * count - 1] = -150;
    dgm_trial_reals(trial, &args->c, count, 1);
}

void dgm_trial_highway_backward(struct dgm_trial *trial, struct dgm_highway_backward_args *args)
{
    int64_t count;

    args->rows = dgm_trial_between(trial, 1, 20);
    args->width = dgm_trial_between(trial, 1, 90);
    args->accumulate_ht = dgm_trial_once_in(trial, 2);
    args->accumulate_c = dgm_trial_once_in(trial, 2);
    count = args->rows * args->width;
    dgm_trial_maybe(trial, &args->dht, 2 * count);
    dgm_trial_maybe(trial, &args->dc, count);
    dgm_trial_reals(trial, &args->dy, count, 1);
    dgm_trial_reals(trial, &args->ht, 2 * count, 2)[0] = 0;
    dgm_trial_reals(trial, &args->c, count, 1);
}

/* ---- simple recurrent units -------------------------------------------------------------- */

/* Sentences of up to 8 rows, some of them empty; the number of rows of them all. */
static int64_t draw_sentences(struct dgm_trial *trial, int64_t *sentences, int64_t *width,
                              const struct dgm_ref *offsets)
{
    *sentences = dgm_trial_between(trial, 1, 12);
    *width = dgm_trial_between(trial, 1, 90);
    return dgm_trial_offsets(trial, dgm_trial_ints(trial, offsets, *sentences + 1, 0, 0),
                             *sentences, 0, 8);
}

void dgm_trial_ssru_forward(struct dgm_trial *trial, struct dgm_ssru_forward_args *args)
{
    const int64_t rows = draw_sentences(trial, &args->sentences, &args->width, &args->offsets);
    const int64_t count = rows * args->width;

    dgm_trial_reals(trial, &args->c, count, 1);
    dgm_trial_reals(trial, &args->x, count, 1);
    dgm_trial_reals(trial, &args->g, count, 2);
    dgm_trial_maybe(trial, &args->start, args->sentences * args->width);
}

void dgm_trial_ssru_backward(struct dgm_trial *trial, struct dgm_ssru_backward_args *args)
{
    const int64_t rows = draw_sentences(trial, &args->sentences, &args->width, &args->offsets);
    const int64_t count = rows * args->width, starts = args->sentences * args->width;

    args->accumulate_x = dgm_trial_once_in(trial, 2);
    args->accumulate_g = dgm_trial_once_in(trial, 2);
    args->accumulate_start = dgm_trial_once_in(trial, 2);
    dgm_trial_maybe(trial, &args->dx, count);
    dgm_trial_maybe(trial, &args->dg, count);
    dgm_trial_maybe(trial, &args->dstart, starts);
    dgm_trial_reals(trial, &args->dc, count, 1);
    dgm_trial_reals(trial, &args->c, count, 1);
    dgm_trial_reals(trial, &args->x, count, 1);
    dgm_trial_reals(trial, &args->g, count, 2);
    dgm_trial_maybe(trial, &args->start, starts);
}
