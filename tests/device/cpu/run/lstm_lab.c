/*
 * lstm_lab.c: packed sequences for an LSTM, and a device that runs it over them.
 */
#include "lstm_lab.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "open_device.h"
#include "test.h"

const uint32_t lstm_lab_key[2] = { 3, 14 };

dgm_real *lstm_lab_reals(struct dgm_arena *arena, int64_t count, struct dgm_random *random)
{
    dgm_real *x = dgm_arena_alloc(test_env(), arena, (size_t)count + 1, sizeof *x);

    for (int64_t i = 0; x != NULL && random != NULL && i < count; i++)
        x[i] = (dgm_real)dgm_random_normal(random);
    return x;
}

dgm_status lstm_lab_problem(struct dgm_arena *arena, struct lstm_problem *p, int32_t count,
                            int64_t longest, int64_t dim, double rate)
{
    struct dgm_random random;

    dgm_random_init(&random, (uint64_t)(count * 1000 + dim), 0, 0, 0);
    memset(p, 0, sizeof *p);
    p->count = count;
    p->dim = dim;
    p->rate = (dgm_real)rate;
    for (int32_t s = 0; s < count; s++)
        p->offsets[s + 1] =
            p->offsets[s] + (int32_t)dgm_random_below(&random, (uint32_t)longest + 1);
    p->rows = p->offsets[count];
    p->places = dgm_arena_alloc(test_env(), arena, 2 * (size_t)p->rows + 1, sizeof *p->places);
    p->gates = lstm_lab_reals(arena, p->rows * 8 * dim, &random);
    p->weight = lstm_lab_reals(arena, 8 * dim * dim, &random);
    p->dy = lstm_lab_reals(arena, p->rows * 2 * dim, &random);
    p->y = lstm_lab_reals(arena, p->rows * 2 * dim, NULL);
    p->dgates = lstm_lab_reals(arena, p->rows * 8 * dim, NULL);
    p->dweight = lstm_lab_reals(arena, 8 * dim * dim, NULL);
    if (!p->places || !p->gates || !p->weight || !p->dy || !p->y || !p->dgates || !p->dweight)
        return DGM_MEMORY;
    for (int64_t i = 0; i < 8 * dim * dim; i++)
        p->weight[i] *= (dgm_real)(1 / sqrt((double)dim));
    for (int32_t s = 0; s < count; s++)
        for (int32_t i = p->offsets[s]; i < p->offsets[s + 1]; i++) {
            p->places[2 * i] = 1000 + 7 * s;
            p->places[2 * i + 1] = i - p->offsets[s];
        }
    return DGM_OK;
}

/* On a device of the caller, who closes it after end_rig. */
static void begin_rig(struct lstm_rig *rig, struct dgm_device *device)
{
    memset(rig, 0, sizeof *rig);
    rig->device = device;
    dgm_feed_init(&rig->feed, device);
}

static void end_rig(struct lstm_rig *rig)
{
    while (rig->buffer_count > 0)
        dgm_device_release(test_env(), rig->device, rig->buffers[--rig->buffer_count]);
    dgm_sequence_slots_clear(test_env(), &rig->slots);
    dgm_feed_clear(test_env(), &rig->feed);
}

dgm_status lstm_rig_open(struct lstm_rig *rig, int threads)
{
    struct dgm_device *device;

    DGM_TRY(open_device(test_env(), &device, threads));
    begin_rig(rig, device);
    return DGM_OK;
}

void lstm_rig_close(struct lstm_rig *rig)
{
    end_rig(rig);
    dgm_device_close(test_env(), rig->device);
}

static dgm_status put_nan(struct lstm_rig *rig, struct dgm_ref ref, int64_t count)
{
    dgm_real *nan = dgm_alloc(test_env(), (size_t)count, sizeof *nan);
    dgm_status status;

    if (nan == NULL)
        return DGM_MEMORY;
    for (int64_t i = 0; i < count; i++)
        nan[i] = (dgm_real)NAN;
    status = dgm_device_write(test_env(), rig->device, ref, nan, (size_t)count * sizeof *nan);
    dgm_release(test_env(), nan);
    return status;
}

dgm_status lstm_rig_put(struct lstm_rig *rig, struct dgm_ref *ref, const dgm_real *x, int64_t count)
{
    ref->offset = 0;
    DGM_TRY(dgm_device_alloc(test_env(), rig->device, &ref->buffer, (size_t)count * sizeof *x));
    rig->buffers[rig->buffer_count++] = ref->buffer;
    if (x == NULL)
        return put_nan(rig, *ref, count);
    return dgm_device_write(test_env(), rig->device, *ref, x, (size_t)count * sizeof *x);
}

/* The recurrent matrix, in reals or in fewer bits. */
static dgm_status put_weight(struct lstm_rig *rig, const struct lstm_problem *p,
                             struct dgm_ref *ref)
{
    const struct dgm_ref alone = { NULL, 0 };

    if (p->held == DGM_WEIGHTS_REAL)
        return lstm_rig_put(rig, ref, p->weight, 8 * p->dim * p->dim);
    ref->offset = 0;
    DGM_TRY(rig->device->ops->alloc_weights(test_env(), rig->device, &ref->buffer, alone, p->held,
                                            8 * p->dim, p->dim));
    rig->buffers[rig->buffer_count++] = ref->buffer;
    rig->device->ops->write_weights(rig->device, ref->buffer, 0, 8 * p->dim, p->weight);
    return DGM_OK;
}

static dgm_status stage(struct lstm_rig *rig, const struct lstm_problem *p, dgm_slot *places)
{
    dgm_feed_reset(&rig->feed);
    DGM_TRY(dgm_sequences_stage(test_env(), &rig->feed, &rig->slots, p->offsets, p->count));
    DGM_TRY(dgm_feed_copy(test_env(), &rig->feed, places, p->places,
                          2 * (size_t)p->rows * sizeof *p->places));
    return dgm_feed_send(test_env(), &rig->feed);
}

static struct dgm_lstm core_of(const struct lstm_problem *p, const struct dgm_sequences *sequences)
{
    struct dgm_lstm core;

    core.sequences = sequences->count;
    core.rows = sequences->rows;
    core.steps = sequences->steps;
    core.dim = p->dim;
    core.active = sequences->active;
    core.drop.rate = p->rate;
    core.drop.stream = LSTM_STREAM;
    memcpy(core.drop.key, lstm_lab_key, sizeof lstm_lab_key);
    return core;
}

dgm_status lstm_rig_forward(struct lstm_rig *rig, const struct lstm_problem *p,
                            struct dgm_lstm_forward_args *args)
{
    struct dgm_sequences sequences;
    dgm_slot places;

    memset(args, 0, sizeof *args);
    DGM_TRY(stage(rig, p, &places));
    sequences = dgm_sequences_sent(&rig->feed, &rig->slots);
    args->core = core_of(p, &sequences);
    args->offsets = sequences.offsets;
    args->order = sequences.order;
    args->places = dgm_feed_ref(&rig->feed, places);
    DGM_TRY(lstm_rig_put(rig, &args->y, NULL, p->rows * 2 * p->dim));
    DGM_TRY(lstm_rig_put(rig, &args->saved, NULL, dgm_lstm_saved(p->rows, p->count, p->dim)));
    DGM_TRY(lstm_rig_put(rig, &args->gates, p->gates, p->rows * 8 * p->dim));
    DGM_TRY(put_weight(rig, p, &args->weight));
    args->forgets = p->forgets;
    return dgm_device_run(test_env(), rig->device, DGM_TASK_lstm_forward, args);
}

dgm_status lstm_rig_backward(struct lstm_rig *rig, const struct lstm_problem *p,
                             const struct dgm_lstm_forward_args *forward,
                             struct dgm_lstm_backward_args *args)
{
    memset(args, 0, sizeof *args);
    args->core = forward->core;
    args->offsets = forward->offsets;
    args->order = forward->order;
    args->saved = forward->saved;
    args->weight = forward->weight;
    DGM_TRY(lstm_rig_put(rig, &args->dgates, NULL, p->rows * 8 * p->dim));
    DGM_TRY(lstm_rig_put(rig, &args->dweight, NULL, 8 * p->dim * p->dim));
    DGM_TRY(lstm_rig_put(rig, &args->dy, p->dy, p->rows * 2 * p->dim));
    return dgm_device_run(test_env(), rig->device, DGM_TASK_lstm_backward, args);
}

dgm_status lstm_rig_get(const struct lstm_rig *rig, dgm_real *x, struct dgm_ref ref, int64_t count)
{
    return dgm_device_read(test_env(), rig->device, x, ref, (size_t)count * sizeof *x);
}

dgm_status lstm_lab_solve_on(struct dgm_device *device, struct lstm_problem *p)
{
    struct dgm_lstm_forward_args forward;
    struct dgm_lstm_backward_args backward;
    struct lstm_rig rig;
    dgm_status status;

    begin_rig(&rig, device);
    DGM_TRY_OUT(lstm_rig_forward(&rig, p, &forward));
    DGM_TRY_OUT(lstm_rig_get(&rig, p->y, forward.y, p->rows * 2 * p->dim));
    if (p->forgets)
        goto out;
    DGM_TRY_OUT(lstm_rig_backward(&rig, p, &forward, &backward));
    DGM_TRY_OUT(lstm_rig_get(&rig, p->dgates, backward.dgates, p->rows * 8 * p->dim));
    DGM_TRY_OUT(lstm_rig_get(&rig, p->dweight, backward.dweight, 8 * p->dim * p->dim));
out:
    end_rig(&rig);
    return status;
}

dgm_status lstm_lab_solve(struct lstm_problem *p, int threads)
{
    struct dgm_device *device;
    dgm_status status;

    DGM_TRY(open_device(test_env(), &device, threads));
    status = lstm_lab_solve_on(device, p);
    dgm_device_close(test_env(), device);
    return status;
}

double lstm_lab_keep(const struct lstm_problem *p, int32_t sentence, int64_t column)
{
    const uint32_t counter[4] = { (uint32_t)(column / 4), 0, (uint32_t)sentence, LSTM_STREAM };
    uint32_t words[4];

    dgm_philox(words, counter, lstm_lab_key);
    return words[column % 4] >= (uint32_t)((double)p->rate * 4294967296.0)
               ? 1 / (1 - (double)p->rate)
               : 0;
}
