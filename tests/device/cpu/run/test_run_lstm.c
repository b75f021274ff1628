/*
 * test_run_lstm.c: the LSTM over packed sequences against a loop over single sequences in double,
 * and what it promises: the same bits whatever the neighbours and the threads, one dropout mask
 * for all steps, no memory asked for by a warm step.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "device/precision.h"
#include "nn/schedule/sequences.h"
#include "open_device.h"
#include "test.h"

enum { MOST = 100, STREAM = 9 };

static const uint32_t key[2] = { 3, 14 };

/* Sequences with inputs and a gradient from above; and what the device made of them. */
struct problem {
    int32_t count, offsets[MOST + 1];
    int64_t rows, dim;
    dgm_real rate;
    int forgets;           /* no backward pass follows */
    enum dgm_weights held; /* how the weight is */
    int32_t *places;
    dgm_real *gates, *weight, *dy;
    dgm_real *y, *dgates, *dweight;
};

static dgm_real *reals(struct dgm_arena *arena, int64_t count, struct dgm_random *random)
{
    dgm_real *x = dgm_arena_alloc(test_env(), arena, (size_t)count + 1, sizeof *x);

    for (int64_t i = 0; x != NULL && random != NULL && i < count; i++)
        x[i] = (dgm_real)dgm_random_normal(random);
    return x;
}

/* Lengths 0..longest at random. */
static dgm_status make_problem(struct dgm_arena *arena, struct problem *p, int32_t count,
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
    p->gates = reals(arena, p->rows * 8 * dim, &random);
    p->weight = reals(arena, 8 * dim * dim, &random);
    p->dy = reals(arena, p->rows * 2 * dim, &random);
    p->y = reals(arena, p->rows * 2 * dim, NULL);
    p->dgates = reals(arena, p->rows * 8 * dim, NULL);
    p->dweight = reals(arena, 8 * dim * dim, NULL);
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

/* ---- the device ------------------------------------------------------------------------------ */

struct rig {
    struct dgm_device *device;
    struct dgm_feed feed;
    struct dgm_sequence_slots slots;
    struct dgm_buffer *buffers[8];
    int buffer_count;
};

/* On a device of the caller, who closes it after end_rig. */
static void begin_rig(struct rig *rig, struct dgm_device *device)
{
    memset(rig, 0, sizeof *rig);
    rig->device = device;
    dgm_feed_init(&rig->feed, device);
}

static void end_rig(struct rig *rig)
{
    while (rig->buffer_count > 0)
        dgm_device_release(test_env(), rig->device, rig->buffers[--rig->buffer_count]);
    dgm_sequence_slots_clear(test_env(), &rig->slots);
    dgm_feed_clear(test_env(), &rig->feed);
}

static dgm_status open_rig(struct rig *rig, int threads)
{
    struct dgm_device *device;

    DGM_TRY(open_device(test_env(), &device, threads));
    begin_rig(rig, device);
    return DGM_OK;
}

static void close_rig(struct rig *rig)
{
    end_rig(rig);
    dgm_device_close(test_env(), rig->device);
}

static dgm_status put_nan(struct rig *rig, struct dgm_ref ref, int64_t count)
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

/* A buffer with `count` reals: those of x, or all NaN. */
static dgm_status put(struct rig *rig, struct dgm_ref *ref, const dgm_real *x, int64_t count)
{
    ref->offset = 0;
    DGM_TRY(dgm_device_alloc(test_env(), rig->device, &ref->buffer, (size_t)count * sizeof *x));
    rig->buffers[rig->buffer_count++] = ref->buffer;
    if (x == NULL)
        return put_nan(rig, *ref, count);
    return dgm_device_write(test_env(), rig->device, *ref, x, (size_t)count * sizeof *x);
}

/* The recurrent matrix, in reals or in fewer bits. */
static dgm_status put_weight(struct rig *rig, const struct problem *p, struct dgm_ref *ref)
{
    const struct dgm_ref alone = { NULL, 0 };

    if (p->held == DGM_WEIGHTS_REAL)
        return put(rig, ref, p->weight, 8 * p->dim * p->dim);
    ref->offset = 0;
    DGM_TRY(rig->device->ops->alloc_weights(test_env(), rig->device, &ref->buffer, alone, p->held,
                                            8 * p->dim, p->dim));
    rig->buffers[rig->buffer_count++] = ref->buffer;
    rig->device->ops->write_weights(rig->device, ref->buffer, 0, 8 * p->dim, p->weight);
    return DGM_OK;
}

static dgm_status stage(struct rig *rig, const struct problem *p, dgm_slot *places)
{
    dgm_feed_reset(&rig->feed);
    DGM_TRY(dgm_sequences_stage(test_env(), &rig->feed, &rig->slots, p->offsets, p->count));
    DGM_TRY(dgm_feed_copy(test_env(), &rig->feed, places, p->places,
                          2 * (size_t)p->rows * sizeof *p->places));
    return dgm_feed_send(test_env(), &rig->feed);
}

static struct dgm_lstm core_of(const struct problem *p, const struct dgm_sequences *sequences)
{
    struct dgm_lstm core;

    core.sequences = sequences->count;
    core.rows = sequences->rows;
    core.steps = sequences->steps;
    core.dim = p->dim;
    core.active = sequences->active;
    core.drop.rate = p->rate;
    core.drop.stream = STREAM;
    memcpy(core.drop.key, key, sizeof key);
    return core;
}

static dgm_status run_forward(struct rig *rig, const struct problem *p,
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
    DGM_TRY(put(rig, &args->y, NULL, p->rows * 2 * p->dim));
    DGM_TRY(put(rig, &args->saved, NULL, dgm_lstm_saved(p->rows, p->count, p->dim)));
    DGM_TRY(put(rig, &args->gates, p->gates, p->rows * 8 * p->dim));
    DGM_TRY(put_weight(rig, p, &args->weight));
    args->forgets = p->forgets;
    return dgm_device_run(test_env(), rig->device, DGM_TASK_lstm_forward, args);
}

static dgm_status run_backward(struct rig *rig, const struct problem *p,
                               const struct dgm_lstm_forward_args *forward,
                               struct dgm_lstm_backward_args *args)
{
    memset(args, 0, sizeof *args);
    args->core = forward->core;
    args->offsets = forward->offsets;
    args->order = forward->order;
    args->saved = forward->saved;
    args->weight = forward->weight;
    DGM_TRY(put(rig, &args->dgates, NULL, p->rows * 8 * p->dim));
    DGM_TRY(put(rig, &args->dweight, NULL, 8 * p->dim * p->dim));
    DGM_TRY(put(rig, &args->dy, p->dy, p->rows * 2 * p->dim));
    return dgm_device_run(test_env(), rig->device, DGM_TASK_lstm_backward, args);
}

static dgm_status get(const struct rig *rig, dgm_real *x, struct dgm_ref ref, int64_t count)
{
    return dgm_device_read(test_env(), rig->device, x, ref, (size_t)count * sizeof *x);
}

/* Fills in y, dgates and dweight. */
static dgm_status solve_on(struct dgm_device *device, struct problem *p)
{
    struct dgm_lstm_forward_args forward;
    struct dgm_lstm_backward_args backward;
    struct rig rig;
    dgm_status status;

    begin_rig(&rig, device);
    DGM_TRY_OUT(run_forward(&rig, p, &forward));
    DGM_TRY_OUT(get(&rig, p->y, forward.y, p->rows * 2 * p->dim));
    if (p->forgets)
        goto out;
    DGM_TRY_OUT(run_backward(&rig, p, &forward, &backward));
    DGM_TRY_OUT(get(&rig, p->dgates, backward.dgates, p->rows * 8 * p->dim));
    DGM_TRY_OUT(get(&rig, p->dweight, backward.dweight, 8 * p->dim * p->dim));
out:
    end_rig(&rig);
    return status;
}

static dgm_status solve(struct problem *p, int threads)
{
    struct dgm_device *device;
    dgm_status status;

    DGM_TRY(open_device(test_env(), &device, threads));
    status = solve_on(device, p);
    dgm_device_close(test_env(), device);
    return status;
}

/* ---- a plain loop ---------------------------------------------------------------------------- */

enum { WIDEST = 128, LONGEST = 12 };

/* One sequence in one direction, all in double. */
struct plain {
    double keep[WIDEST];
    double gate[LONGEST][4][WIDEST], c[LONGEST + 1][WIDEST], h[LONGEST + 1][WIDEST];
    double dgate[LONGEST][4][WIDEST];
};

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* The factor of a column for a sentence, by the definition in kernel/task/numbers.h. */
static double keep_of(const struct problem *p, int32_t sentence, int64_t column)
{
    const uint32_t counter[4] = { (uint32_t)(column / 4), 0, (uint32_t)sentence, STREAM };
    uint32_t words[4];

    dgm_philox(words, counter, key);
    return words[column % 4] >= (uint32_t)((double)p->rate * 4294967296.0)
               ? 1 / (1 - (double)p->rate)
               : 0;
}

static int64_t row_at(const struct problem *p, int32_t s, int direction, int64_t t)
{
    return direction ? p->offsets[s + 1] - 1 - t : p->offsets[s] + t;
}

static double weight_at(const struct problem *p, int direction, int gate, int64_t j, int64_t k)
{
    return (double)p->weight[((direction * 4 + gate) * p->dim + j) * p->dim + k];
}

/* c[t + 1], h[t + 1] are the states after step t. */
static void plain_forward(const struct problem *p, struct plain *x, int32_t s, int direction)
{
    const int64_t dim = p->dim, length = p->offsets[s + 1] - p->offsets[s];

    memset(x, 0, sizeof *x);
    for (int64_t j = 0; j < dim && length > 0; j++)
        x->keep[j] = keep_of(p, p->places[2 * p->offsets[s]], direction * dim + j);
    for (int64_t t = 0; t < length; t++)
        for (int64_t j = 0; j < dim; j++) {
            for (int gate = 0; gate < 4; gate++) {
                double sum =
                    (double)
                        p->gates[(row_at(p, s, direction, t) * 8 + direction * 4 + gate) * dim + j];
                for (int64_t k = 0; k < dim; k++)
                    sum += weight_at(p, direction, gate, j, k) * x->keep[k] * x->h[t][k];
                x->gate[t][gate][j] = gate == 2 ? tanh(sum) : logistic(sum);
            }
            x->c[t + 1][j] = x->gate[t][1][j] * x->c[t][j] + x->gate[t][0][j] * x->gate[t][2][j];
            x->h[t + 1][j] = x->gate[t][3][j] * tanh(x->c[t + 1][j]);
        }
}

/* Gradient of h[t + 1][k]: from above, and from the step after. */
static double plain_dh(const struct problem *p, const struct plain *x, int32_t s, int direction,
                       int64_t t, int64_t k)
{
    double dh = (double)p->dy[(row_at(p, s, direction, t) * 2 + direction) * p->dim + k];

    for (int64_t j = 0; t + 1 < p->offsets[s + 1] - p->offsets[s] && j < p->dim; j++)
        for (int gate = 0; gate < 4; gate++)
            dh += x->dgate[t + 1][gate][j] * weight_at(p, direction, gate, j, k) * x->keep[k];
    return dh;
}

static void plain_backward(const struct problem *p, struct plain *x, int32_t s, int direction)
{
    double later[WIDEST] = { 0 }; /* dc by way of the step after */

    for (int64_t t = p->offsets[s + 1] - p->offsets[s]; t-- > 0;)
        for (int64_t j = 0; j < p->dim; j++) {
            double i = x->gate[t][0][j], f = x->gate[t][1][j];
            double g = x->gate[t][2][j], o = x->gate[t][3][j], th = tanh(x->c[t + 1][j]);
            double dh = plain_dh(p, x, s, direction, t, j);
            double dc = later[j] + dh * o * (1 - th * th);
            x->dgate[t][0][j] = dc * g * i * (1 - i);
            x->dgate[t][1][j] = dc * x->c[t][j] * f * (1 - f);
            x->dgate[t][2][j] = dc * i * (1 - g * g);
            x->dgate[t][3][j] = dh * th * o * (1 - o);
            later[j] = dc * f;
        }
}

static void add_weight_grad(const struct problem *p, const struct plain *x, int32_t s,
                            int direction, double *dweight)
{
    for (int64_t t = 0; t < p->offsets[s + 1] - p->offsets[s]; t++)
        for (int64_t j = 0; j < 4 * p->dim; j++)
            for (int64_t k = 0; k < p->dim; k++)
                dweight[(direction * 4 * p->dim + j) * p->dim + k] +=
                    x->dgate[t][j / p->dim][j % p->dim] * x->keep[k] * x->h[t][k];
}

static void check_sequence(const struct problem *p, const struct plain *x, int32_t s, int direction)
{
    const int64_t dim = p->dim;

    for (int64_t t = 0; t < p->offsets[s + 1] - p->offsets[s]; t++) {
        const int64_t row = row_at(p, s, direction, t);
        for (int64_t j = 0; j < dim; j++)
            CHECK_NEAR(p->y[(row * 2 + direction) * dim + j], x->h[t + 1][j], 1e-5);
        for (int64_t j = 0; j < 4 * dim; j++)
            CHECK_NEAR(p->dgates[(row * 8 + direction * 4) * dim + j],
                       x->dgate[t][j / dim][j % dim], 1e-4);
    }
}

static void check_plain(int32_t count, int64_t longest, int64_t dim, double rate)
{
    static struct plain x;
    static double dweight[8 * WIDEST * WIDEST];
    struct dgm_arena arena = { 0 };
    struct problem p;

    CHECK_STATUS(make_problem(&arena, &p, count, longest, dim, rate), DGM_OK);
    CHECK_STATUS(solve(&p, 2), DGM_OK);
    memset(dweight, 0, sizeof dweight);
    for (int32_t s = 0; s < count; s++)
        for (int direction = 0; direction < 2; direction++) {
            plain_forward(&p, &x, s, direction);
            plain_backward(&p, &x, s, direction);
            check_sequence(&p, &x, s, direction);
            add_weight_grad(&p, &x, s, direction, dweight);
        }
    for (int64_t i = 0; i < 8 * dim * dim; i++)
        CHECK_NEAR(p.dweight[i], dweight[i], 1e-4 * (1 + fabs(dweight[i])));
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_agrees_with_a_plain_loop)
{
    check_plain(1, 1, 1, 0);
    check_plain(7, 4, 3, 0);
    check_plain(20, 12, 16, 0);
    check_plain(90, 5, 33, 0);
    check_plain(9, 4, 128, 0); /* rows of gates lie 4096 bytes apart */
}

TEST(lstm_with_dropout_agrees_with_a_plain_loop)
{
    check_plain(7, 4, 5, 0.4);
    check_plain(20, 12, 16, 0.25);
    check_plain(60, 5, 39, 0.3);
}

TEST(lstm_of_empty_sequences_gives_an_empty_result)
{
    struct dgm_arena arena = { 0 };
    struct problem p;

    CHECK_STATUS(make_problem(&arena, &p, 3, 0, 4, 0.3), DGM_OK);
    CHECK_INT(p.rows, 0);
    CHECK_STATUS(solve(&p, 1), DGM_OK);
    for (int64_t i = 0; i < 8 * 16; i++)
        CHECK_NEAR(p.dweight[i], 0, 0);
    dgm_arena_clear(test_env(), &arena);
}

/* ---- promises -------------------------------------------------------------------------------- */

/* Largest difference between the states of two problems of one shape. */
static double largest_difference(const struct problem *a, const struct problem *b)
{
    double most = 0;

    for (int64_t i = 0; i < a->rows * 2 * a->dim; i++)
        if (!(fabs((double)a->y[i] - (double)b->y[i]) <= most))
            most = fabs((double)a->y[i] - (double)b->y[i]);
    return most;
}

/* p without a backward pass, with states of its own. */
static struct problem forgetful(struct dgm_arena *arena, const struct problem *p,
                                enum dgm_weights held)
{
    struct problem other = *p;

    other.forgets = 1;
    other.held = held;
    other.y = reals(arena, p->rows * 2 * p->dim, NULL);
    return other;
}

TEST(lstm_without_a_backward_pass_gives_the_same_states)
{
    static const int32_t counts[] = { 1, 7, 90 };

    for (int i = 0; i < 3; i++) {
        struct dgm_arena arena = { 0 };
        struct problem p, other;

        CHECK_STATUS(make_problem(&arena, &p, counts[i], 9, 21, 0.3), DGM_OK);
        other = forgetful(&arena, &p, DGM_WEIGHTS_REAL);
        CHECK_STATUS(solve(&p, 1), DGM_OK);
        CHECK_STATUS(solve(&other, 3), DGM_OK);
        CHECK_MEM(other.y, p.y, (size_t)(p.rows * 2 * p.dim) * sizeof(dgm_real));
        dgm_arena_clear(test_env(), &arena);
    }
}

/* Sequence s of p as a problem of its own; it shares the inputs and has results of its own. */
static dgm_status cut_out(struct dgm_arena *arena, const struct problem *p, int32_t s,
                          struct problem *one)
{
    const int64_t first = p->offsets[s];

    *one = *p;
    one->count = 1;
    one->offsets[0] = 0;
    one->offsets[1] = p->offsets[s + 1] - p->offsets[s];
    one->rows = one->offsets[1];
    one->places += 2 * first;
    one->gates += first * 8 * p->dim;
    one->dy += first * 2 * p->dim;
    one->y = reals(arena, one->rows * 2 * p->dim, NULL);
    one->dgates = reals(arena, one->rows * 8 * p->dim, NULL);
    one->dweight = reals(arena, 8 * p->dim * p->dim, NULL);
    return one->y && one->dgates && one->dweight ? DGM_OK : DGM_MEMORY;
}

static void check_alone(int32_t count, int64_t longest, int64_t dim)
{
    struct dgm_arena arena = { 0 };
    struct dgm_device *device = NULL;
    struct problem p, one;

    CHECK_STATUS(make_problem(&arena, &p, count, longest, dim, 0.3), DGM_OK);
    CHECK_STATUS(solve(&p, 2), DGM_OK);
    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    for (int32_t s = 0; s < count; s++) {
        const int64_t first = p.offsets[s];
        CHECK_STATUS(cut_out(&arena, &p, s, &one), DGM_OK);
        CHECK_STATUS(solve_on(device, &one), DGM_OK);
        CHECK_MEM(one.y, p.y + first * 2 * dim, (size_t)(one.rows * 2 * dim) * sizeof(dgm_real));
        CHECK_MEM(one.dgates, p.dgates + first * 8 * dim,
                  (size_t)(one.rows * 8 * dim) * sizeof(dgm_real));
    }
    dgm_device_close(test_env(), device);
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_of_a_sequence_has_the_same_bits_whatever_its_neighbours)
{
    check_alone(80, 7, 20);
    check_alone(13, 9, 67);
}

static void check_threads(int32_t count, int64_t longest, int64_t dim)
{
    struct dgm_arena arena = { 0 };
    struct problem one, more;

    CHECK_STATUS(make_problem(&arena, &one, count, longest, dim, 0.3), DGM_OK);
    CHECK_STATUS(solve(&one, 1), DGM_OK);
    for (int threads = 2; threads <= 8; threads += 3) {
        CHECK_STATUS(make_problem(&arena, &more, count, longest, dim, 0.3), DGM_OK);
        CHECK_STATUS(solve(&more, threads), DGM_OK);
        CHECK_MEM(more.y, one.y, (size_t)(one.rows * 2 * dim) * sizeof(dgm_real));
        CHECK_MEM(more.dgates, one.dgates, (size_t)(one.rows * 8 * dim) * sizeof(dgm_real));
        CHECK_MEM(more.dweight, one.dweight, (size_t)(8 * dim * dim) * sizeof(dgm_real));
    }
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_has_the_same_bits_for_any_number_of_threads)
{
    check_threads(5, 9, 13);
    check_threads(90, 12, 70);
    check_threads(100, 7, 64);
}

/* Only the weights' gradient, one product over all steps, has rounded operands. */
TEST(lstm_steps_stay_f32_where_the_device_rounds)
{
    const struct dgm_device_options rounding = { .threads = 1, .precision = "bf16" };
    const struct dgm_device_options plain = { .threads = 1 };
    const size_t weights = 8 * 20 * 20;
    struct dgm_arena arena = { 0 };
    struct dgm_device *device = NULL;
    struct problem rounded, exact;

    CHECK_STATUS(make_problem(&arena, &rounded, 9, 7, 20, 0), DGM_OK);
    CHECK_STATUS(make_problem(&arena, &exact, 9, 7, 20, 0), DGM_OK);
    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &rounding), DGM_OK);
    CHECK_STATUS(solve_on(device, &rounded), DGM_OK);
    dgm_device_close(test_env(), device);
    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &plain), DGM_OK);
    CHECK_STATUS(solve_on(device, &exact), DGM_OK);
    dgm_device_close(test_env(), device);
    CHECK_MEM(rounded.y, exact.y, (size_t)(exact.rows * 2 * 20) * sizeof(dgm_real));
    CHECK_MEM(rounded.dgates, exact.dgates, (size_t)(exact.rows * 8 * 20) * sizeof(dgm_real));
    CHECK(memcmp(rounded.dweight, exact.dweight, weights * sizeof(dgm_real)) != 0);
    for (size_t i = 0; i < weights; i++)
        CHECK_NEAR(rounded.dweight[i], exact.dweight[i], 0.05);
    dgm_arena_clear(test_env(), &arena);
}

/* A column of W whose unit is never passed on gets no gradient; any other does. */
TEST(lstm_dropout_is_the_same_at_every_step)
{
    struct dgm_arena arena = { 0 };
    struct problem p;
    int dropped = 0;

    CHECK_STATUS(make_problem(&arena, &p, 1, 0, 24, 0.4), DGM_OK);
    while (p.rows < 6) /* lengths are random */
        CHECK_STATUS(make_problem(&arena, &p, 1, p.rows + 12, 24, 0.4), DGM_OK);
    CHECK_STATUS(solve(&p, 1), DGM_OK);
    for (int64_t column = 0; column < 2 * p.dim; column++) {
        const dgm_real *dweight = p.dweight + column / p.dim * 4 * p.dim * p.dim;
        double sum = 0;
        for (int64_t row = 0; row < 4 * p.dim; row++)
            sum += fabs((double)dweight[row * p.dim + column % p.dim]);
        CHECK((keep_of(&p, p.places[0], column) > 0) == (sum > 0));
        dropped += sum == 0;
    }
    CHECK(dropped > 5 && dropped < 43);
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_gradients_are_added_where_asked)
{
    struct dgm_arena arena = { 0 };
    struct dgm_lstm_forward_args forward;
    struct dgm_lstm_backward_args backward;
    struct problem p;
    struct rig rig;
    dgm_real *twice;

    CHECK_STATUS(make_problem(&arena, &p, 9, 5, 7, 0), DGM_OK);
    CHECK_STATUS(solve(&p, 1), DGM_OK);
    CHECK_STATUS(open_rig(&rig, 1), DGM_OK);
    CHECK_STATUS(run_forward(&rig, &p, &forward), DGM_OK);
    CHECK_STATUS(run_backward(&rig, &p, &forward, &backward), DGM_OK);
    backward.accumulate_gates = backward.accumulate_weight = 1;
    CHECK_STATUS(dgm_device_run(test_env(), rig.device, DGM_TASK_lstm_forward, &forward), DGM_OK);
    CHECK_STATUS(dgm_device_run(test_env(), rig.device, DGM_TASK_lstm_backward, &backward), DGM_OK);
    twice = reals(&arena, p.rows * 8 * p.dim + 8 * p.dim * p.dim, NULL);
    CHECK(twice != NULL);
    CHECK_STATUS(get(&rig, twice, backward.dgates, p.rows * 8 * p.dim), DGM_OK);
    for (int64_t i = 0; i < p.rows * 8 * p.dim; i++)
        CHECK_NEAR(twice[i], 2 * (double)p.dgates[i], 0);
    CHECK_STATUS(get(&rig, twice, backward.dweight, 8 * p.dim * p.dim), DGM_OK);
    for (int64_t i = 0; i < 8 * p.dim * p.dim; i++)
        CHECK_NEAR(twice[i], 2 * (double)p.dweight[i], 0);
    close_rig(&rig);
    dgm_arena_clear(test_env(), &arena);
}

/* ---- as a node ------------------------------------------------------------------------------- */

static dgm_status graph_step(struct rig *rig, struct dgm_graph *g, const struct problem *p,
                             const struct dgm_ref *refs)
{
    struct dgm_sequences sequences;
    struct dgm_node *gates, *weight, *y;
    dgm_slot places, targets;
    int32_t *classes;

    dgm_feed_reset(&rig->feed);
    DGM_TRY(dgm_sequences_stage(test_env(), &rig->feed, &rig->slots, p->offsets, p->count));
    DGM_TRY(dgm_feed_copy(test_env(), &rig->feed, &places, p->places,
                          2 * (size_t)p->rows * sizeof *p->places));
    DGM_TRY(dgm_feed_take(test_env(), &rig->feed, &targets, &classes,
                          (size_t)p->rows * sizeof *classes));
    DGM_TRY(dgm_feed_send(test_env(), &rig->feed));
    sequences = dgm_sequences_sent(&rig->feed, &rig->slots);
    dgm_graph_begin(g, 1, key[0], key[1]);
    gates = dgm_constant(g, refs[0], p->rows, 8 * p->dim);
    weight = dgm_leaf(g, refs[1], refs[2], 8 * p->dim, p->dim);
    y = dgm_lstm(g, gates, weight, &sequences, dgm_feed_ref(&rig->feed, places), p->rate, STREAM);
    dgm_cross_entropy(g, y, dgm_feed_ref(&rig->feed, targets), 0, DGM_SMOOTHING_OLD, 1);
    DGM_TRY(dgm_graph_run(g));
    return dgm_graph_backward(g);
}

TEST(lstm_allocates_nothing_in_warm_steps)
{
    struct dgm_arena arena = { 0 };
    struct problem problems[3];
    struct dgm_graph g;
    struct dgm_ref refs[3];
    struct rig rig;
    long before = 0;
    int64_t grown = 0;

    CHECK_STATUS(open_rig(&rig, 2), DGM_OK);
    CHECK_STATUS(dgm_graph_init(test_env(), &g, rig.device), DGM_OK);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(make_problem(&arena, &problems[i], 20 + 30 * i, 9 - 2 * i, 12, 0.3), DGM_OK);
    CHECK_STATUS(put(&rig, &refs[0], NULL, MOST * LONGEST * 8 * 12), DGM_OK);
    CHECK_STATUS(put(&rig, &refs[1], problems[0].weight, 8 * 12 * 12), DGM_OK);
    CHECK_STATUS(put(&rig, &refs[2], problems[0].weight, 8 * 12 * 12), DGM_OK);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++)
            CHECK_STATUS(graph_step(&rig, &g, &problems[i], refs), DGM_OK);
        if (round == 0) {
            before = test_allocations();
            grown = g.allocations;
        }
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK_INT(g.allocations, grown);
    dgm_graph_clear(&g);
    close_rig(&rig);
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_refuses_operands_of_other_shapes)
{
    struct dgm_sequences sequences;
    struct dgm_ref none = { NULL, 0 };
    struct dgm_graph g;
    struct rig rig;

    memset(&sequences, 0, sizeof sequences);
    sequences.rows = 3;
    CHECK_STATUS(open_rig(&rig, 1), DGM_OK);
    CHECK_STATUS(dgm_graph_init(test_env(), &g, rig.device), DGM_OK);
    for (int i = 0; i < 3; i++) {
        struct dgm_node *gates, *weight;
        dgm_env_clear_error(test_env());
        dgm_graph_begin(&g, 1, 1, 1);
        gates = dgm_constant(&g, none, i == 0 ? 2 : 3, i == 1 ? 8 : 16);
        weight = dgm_constant(&g, none, 16, i == 2 ? 3 : 2);
        CHECK(dgm_lstm(&g, gates, weight, &sequences, none, 0, 0) == NULL);
        CHECK_STATUS(dgm_graph_run(&g), DGM_FAILURE);
    }
    CHECK(strstr(test_env()->error.message, "lstm: operands 3 x 16 and 16 x 3") != NULL);
    dgm_env_clear_error(test_env());
    dgm_graph_clear(&g);
    close_rig(&rig);
}

/* ---- sequences ------------------------------------------------------------------------------- */

TEST(sequences_are_ordered_by_falling_length)
{
    static const int32_t offsets[7] = { 0, 2, 2, 5, 7, 7, 10 };
    static const int32_t order[6] = { 2, 5, 0, 3, 1, 4 }, active[3] = { 4, 4, 2 };
    struct dgm_sequences sequences;
    int32_t got[6];
    struct rig rig;

    CHECK_STATUS(open_rig(&rig, 1), DGM_OK);
    for (int round = 0; round < 2; round++) { /* the second time in memory of the first */
        dgm_feed_reset(&rig.feed);
        CHECK_STATUS(dgm_sequences_stage(test_env(), &rig.feed, &rig.slots, offsets, 6), DGM_OK);
        CHECK_STATUS(dgm_feed_send(test_env(), &rig.feed), DGM_OK);
        sequences = dgm_sequences_sent(&rig.feed, &rig.slots);
        CHECK_INT(sequences.count, 6);
        CHECK_INT(sequences.rows, 10);
        CHECK_INT(sequences.steps, 3);
        CHECK_MEM(sequences.active, active, sizeof active);
        CHECK_STATUS(dgm_device_read(test_env(), rig.device, got, sequences.order, sizeof got),
                     DGM_OK);
        CHECK_MEM(got, order, sizeof order);
        CHECK_STATUS(dgm_sequences_stage(test_env(), &rig.feed, &rig.slots, offsets, 0), DGM_OK);
        CHECK_INT(rig.slots.steps, 0);
    }
    close_rig(&rig);
}

static int has_narrow_weights(void)
{
    struct dgm_device *device = NULL;
    int has = 0;

    if (open_device(test_env(), &device, 1) == DGM_OK)
        has = device->ops->alloc_weights != NULL;
    dgm_device_close(test_env(), device);
    return has;
}

static void check_narrow(enum dgm_weights held, int64_t dim)
{
    struct dgm_arena arena = { 0 };
    struct problem p, narrow, other, one;

    CHECK_STATUS(make_problem(&arena, &p, 90, 6, dim, 0), DGM_OK);
    narrow = forgetful(&arena, &p, held);
    other = forgetful(&arena, &p, held);
    CHECK_STATUS(solve(&p, 1), DGM_OK);
    CHECK_STATUS(solve(&narrow, 1), DGM_OK);
    CHECK_STATUS(solve(&other, 3), DGM_OK);
    CHECK(largest_difference(&p, &narrow) < 0.05);
    CHECK(largest_difference(&p, &narrow) > 0);
    CHECK_MEM(other.y, narrow.y, (size_t)(p.rows * 2 * p.dim) * sizeof(dgm_real));
    for (int32_t s = 0; s < 90; s += 11) {
        CHECK_STATUS(cut_out(&arena, &narrow, s, &one), DGM_OK);
        CHECK_STATUS(solve(&one, 1), DGM_OK);
        CHECK_MEM(one.y, narrow.y + narrow.offsets[s] * 2 * p.dim,
                  (size_t)(one.rows * 2 * p.dim) * sizeof(dgm_real));
    }
    dgm_arena_clear(test_env(), &arena);
}

/* Rows of the second direction begin within a panel where 4 dim is no multiple of 16. */
TEST(lstm_with_weights_in_fewer_bits_is_near_and_knows_no_neighbours)
{
    static const int64_t dims[] = { 16, 18, 33 };

    if (!has_narrow_weights())
        TEST_SKIP("the device has no weights in fewer bits");
    for (int i = 0; i < 3; i++) {
        check_narrow(DGM_WEIGHTS_INT8, dims[i]);
        check_narrow(DGM_WEIGHTS_BF16, dims[i]);
    }
}
