/*
 * trial_lstm.c: instances of LSTMs. What the forward pass saves is compared too, and the backward
 * pass begins with random numbers for it: devices lay it out alike (device/lstm.h).
 */
#include <math.h>

#include "device/trial/trial.h"

enum { MOST_LENGTH = 6 };

/* Sequences, some of them empty, and their order by falling length. */
static void draw_sequences(struct dgm_trial *trial, struct dgm_lstm *core,
                           const struct dgm_ref *offsets_field, const struct dgm_ref *order_field)
{
    int32_t *active = dgm_trial_memory(trial, MOST_LENGTH, sizeof *active);
    int32_t *offsets, *order;
    int64_t placed = 0;

    core->sequences = dgm_trial_between(trial, 1, 7);
    core->dim = dgm_trial_between(trial, 1, 40);
    offsets = dgm_trial_ints(trial, offsets_field, core->sequences + 1, 0, 0);
    core->rows = dgm_trial_offsets(trial, offsets, core->sequences, 0, MOST_LENGTH);
    order = dgm_trial_ints(trial, order_field, core->sequences, 0, 0);
    for (int32_t length = MOST_LENGTH; length >= 0; length--) {
        for (int32_t s = 0; s < core->sequences; s++)
            if (offsets[s + 1] - offsets[s] == length)
                order[placed++] = s;
        if (length > 0)
            active[length - 1] = (int32_t)placed;
        if (placed > 0 && core->steps == 0)
            core->steps = length;
    }
    core->active = active;
}

void dgm_trial_lstm_forward(struct dgm_trial *trial, struct dgm_lstm_forward_args *args)
{
    struct dgm_lstm *core = &args->core;
    int64_t dim;

    draw_sequences(trial, core, &args->offsets, &args->order);
    dim = core->dim;
    dgm_trial_reals(trial, &args->y, core->rows * 2 * dim, 1);
    dgm_trial_reals(trial, &args->saved, dgm_lstm_saved(core->rows, core->sequences, dim), 1);
    dgm_trial_reals(trial, &args->gates, core->rows * 8 * dim, 1);
    dgm_trial_reals(trial, &args->weight, 8 * dim * dim, 1 / sqrt((double)dim));
    dgm_trial_drop(trial, &core->drop, &args->places, core->rows);
}

void dgm_trial_lstm_backward(struct dgm_trial *trial, struct dgm_lstm_backward_args *args)
{
    struct dgm_lstm *core = &args->core;
    int64_t dim;

    draw_sequences(trial, core, &args->offsets, &args->order);
    dim = core->dim;
    args->accumulate_gates = dgm_trial_once_in(trial, 2);
    args->accumulate_weight = dgm_trial_once_in(trial, 2);
    core->drop.rate = dgm_trial_once_in(trial, 2) ? (dgm_real)0.3 : 0;
    dgm_trial_maybe(trial, &args->dgates, core->rows * 8 * dim);
    dgm_trial_maybe(trial, &args->dweight, 8 * dim * dim);
    dgm_trial_reals(trial, &args->saved, dgm_lstm_saved(core->rows, core->sequences, dim), 0.5);
    dgm_trial_reals(trial, &args->dy, core->rows * 2 * dim, 1);
    dgm_trial_reals(trial, &args->weight, 8 * dim * dim, 1 / sqrt((double)dim));
}
