/*
 * test_gather.c: an update of several ranks, which are threads, without a model: sums, norm, step
 * and mean are those of one process, bit for bit.
 */
#include "train/step/gather.h"

#include <math.h>

#include "open_device.h"
#include "test.h"
#include "thread_ranks.h"
#include "train/options.h"
#include "train/step/exchange/halves.h"

enum { ELEMENTS = 20000, BATCHES = 5 }; /* three blocks of the CPU's sums */

static struct dgm_settings settings;
static dgm_real sent[ELEMENTS], values[ELEMENTS], mean[ELEMENTS]; /* of one process, or of rank 0 */
static double norm;

/* A rank as an update sees it. */
struct bench {
    struct dgm_run run;
    struct dgm_devices devices;
    struct dgm_params params;
    struct dgm_stepper stepper;
};

static dgm_status bench_open(struct bench *bench, struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_trainee trainee = { .params = &bench->params };
    dgm_param_id id;

    memset(bench, 0, sizeof *bench);
    DGM_TRY(open_device(env, &bench->devices.items[0], 1));
    bench->run = (struct dgm_run){ .env = env, .settings = &settings, .ranks = ranks };
    bench->run.device = bench->devices.items[0];
    bench->run.options.accumulate = BATCHES;
    DGM_TRY(dgm_params_matrix(env, &bench->params, &id, "x", 1, ELEMENTS, DGM_INIT_ZERO, 1));
    DGM_TRY(dgm_params_allocate(env, &bench->params, bench->run.device, 1));
    return dgm_stepper_allocate(&bench->run, &trainee, &bench->stepper);
}

static void bench_close(struct bench *bench)
{
    struct dgm_trainee trainee = { .params = &bench->params };

    dgm_stepper_clear(&bench->run, &trainee, &bench->stepper);
    dgm_params_clear(bench->run.env, &bench->params);
    dgm_device_close(bench->run.env, bench->devices.items[0]);
}

/* The gradient of a batch: numbers whose sum depends on the order. */
static dgm_status compute(struct bench *bench, int batch)
{
    static const double scales[BATCHES] = { 1, -1e7, 3e-5, 1e7, 0.1 };
    const struct dgm_ref grads = { bench->params.grads, 0 };
    dgm_real *made = dgm_alloc(bench->run.env, ELEMENTS, sizeof *made);
    dgm_status status;

    if (made == NULL)
        return DGM_MEMORY;
    for (int i = 0; i < ELEMENTS; i++)
        made[i] = (dgm_real)(scales[batch] * (1 + (i * 7919 % 1000) / 997.0));
    status =
        dgm_device_write(bench->run.env, bench->run.device, grads, made, ELEMENTS * sizeof *made);
    dgm_release(bench->run.env, made);
    return status;
}

static dgm_status read_all(const struct bench *bench, struct dgm_buffer *buffer, dgm_real *to)
{
    const struct dgm_ref from = { buffer, 0 };

    return dgm_device_read(bench->run.env, bench->run.device, to, from, ELEMENTS * sizeof *to);
}

/* What an update leaves: the sum, the values, their mean. */
static dgm_status take(struct bench *bench)
{
    struct dgm_stepper *stepper = &bench->stepper;

    norm = stepper->figures.norm;
    dgm_ema_show(&stepper->ema);
    DGM_TRY(read_all(bench, bench->params.values, mean));
    dgm_ema_hide(&stepper->ema, 0);
    return read_all(bench, bench->params.values, values);
}

static dgm_status update_alone(struct bench *bench)
{
    struct dgm_stepper *stepper = &bench->stepper;

    for (int k = 0; k < BATCHES; k++) {
        DGM_TRY(compute(bench, k));
        if (dgm_halves_are_on(&settings))
            DGM_TRY(dgm_halves_round_gradients(test_env(), &bench->params));
        DGM_TRY(dgm_optimizer_add(test_env(), &stepper->optimizer, k == 0));
    }
    DGM_TRY(dgm_optimizer_update(test_env(), &stepper->optimizer, 1, 0.1, 0.25,
                                 &stepper->figures.norm));
    DGM_TRY(dgm_ema_step(test_env(), &stepper->ema, 1));
    DGM_TRY(read_all(bench, stepper->optimizer.sum, sent));
    return take(bench);
}

static dgm_status update_together(struct bench *bench, const struct dgm_ranks *ranks)
{
    struct dgm_env *env = bench->run.env;
    struct dgm_stepper *stepper = &bench->stepper;

    for (int first = 0; first < BATCHES; first += ranks->count) {
        const int left = BATCHES - first, count = left < ranks->count ? left : ranks->count;
        const struct dgm_crew_round round = { count, first == 0, left <= ranks->count };

        if (ranks->rank < count)
            DGM_TRY(compute(bench, first + ranks->rank));
        DGM_TRY(dgm_gather_add(env, stepper, ranks->rank < count ? &bench->params : NULL, &round));
    }
    DGM_TRY(dgm_gather_update(env, stepper, 1, 0.1, 0.25));
    DGM_TRY(dgm_ema_step(env, &stepper->ema, 1));
    DGM_TRY(dgm_gather_mean(env, stepper));
    return dgm_gather_gradient(env, stepper);
}

static int makes_update(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct bench bench;
    dgm_status status = bench_open(&bench, env, ranks);

    if (status == DGM_OK)
        status = update_together(&bench, ranks);
    if (status == DGM_OK && ranks->rank == 0)
        status = read_all(&bench, bench.params.grads, sent);
    if (status == DGM_OK && ranks->rank == 0)
        status = take(&bench);
    bench_close(&bench);
    return status == DGM_OK;
}

static void read_settings(const char *name, const char *value)
{
    CHECK_STATUS(dgm_settings_init(test_env(), &settings, dgm_train_tables), DGM_OK);
    CHECK_STATUS(dgm_settings_set(test_env(), &settings, "ema", "0.5", "test"), DGM_OK);
    CHECK_STATUS(dgm_settings_set(test_env(), &settings, "bucket", "10K", "test"), DGM_OK);
    CHECK_STATUS(dgm_settings_set(test_env(), &settings, name, value, "test"), DGM_OK);
}

static void check_counts(const char *name, const char *value)
{
    static dgm_real one[3][ELEMENTS];
    struct bench bench;
    double alone;

    read_settings(name, value);
    CHECK_STATUS(bench_open(&bench, test_env(), NULL), DGM_OK);
    CHECK(bench.stepper.crew == NULL);
    CHECK_STATUS(update_alone(&bench), DGM_OK);
    bench_close(&bench);
    alone = norm;
    memcpy(one[0], sent, sizeof sent);
    memcpy(one[1], values, sizeof values);
    memcpy(one[2], mean, sizeof mean);
    for (int ranks = 2; ranks <= 4; ranks++) {
        CHECK(run_ranks(ranks, makes_update));
        CHECK(norm == alone);
        CHECK(memcmp(one[0], sent, sizeof sent) == 0);
        CHECK(memcmp(one[1], values, sizeof values) == 0);
        CHECK(memcmp(one[2], mean, sizeof mean) == 0);
    }
    dgm_settings_clear(test_env(), &settings);
}

TEST(gather_makes_the_update_of_one_process)
{
    check_counts("reduce-type", "f32");
}

TEST(gather_makes_the_update_of_one_process_from_halves)
{
    check_counts("reduce-type", "bf16");
}

/* The order is another: 1e7 - 1e7 swallows what stands between them. */
TEST(gather_lets_the_link_add_up)
{
    double largest = 0;

    read_settings("reduce", "fast");
    CHECK(run_ranks(2, makes_update));
    CHECK_INT(wire.unlike, 0);
    for (int i = 0; i < ELEMENTS; i++)
        largest = fmax((double)sent[i], largest);
    CHECK(largest > 1 && largest < 6);
    dgm_settings_clear(test_env(), &settings);
}
