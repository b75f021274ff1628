/*
 * test_ema.c: the mean of values that a run moves: what it is after updates, and how it changes
 * places with them.
 */
#include "train/step/ema.h"

#include <math.h>
#include <string.h>

#include "open_device.h"
#include "test.h"
#include "train/options.h"

enum { ELEMENTS = 4 };

/* Values that no optimizer moves but the test. */
struct bench {
    struct dgm_run run;
    struct dgm_settings settings;
    struct dgm_params params;
    struct dgm_optimizer optimizer;
    struct dgm_ema ema;
};

static dgm_status write_values(struct bench *bench, double value)
{
    dgm_real values[ELEMENTS];

    for (int i = 0; i < ELEMENTS; i++)
        values[i] = (dgm_real)(value + i);
    return dgm_params_write(test_env(), &bench->params, 0, values);
}

static double first_value(const struct bench *bench)
{
    dgm_real values[ELEMENTS];

    if (dgm_params_read(test_env(), &bench->params, 0, values) != DGM_OK)
        return -1;
    return (double)values[0];
}

static dgm_status bench_open(struct bench *bench, const char *rate)
{
    const struct dgm_optimizer_options options = { .eps = 1 };
    struct dgm_run *run = &bench->run;
    dgm_param_id id;

    memset(bench, 0, sizeof *bench);
    run->env = test_env();
    run->settings = &bench->settings;
    DGM_TRY(open_device(test_env(), &run->device, 1));
    DGM_TRY(dgm_settings_init(test_env(), &bench->settings, dgm_train_tables));
    if (rate != NULL)
        DGM_TRY(dgm_settings_set(test_env(), &bench->settings, "ema", rate, "test"));
    DGM_TRY(dgm_params_matrix(test_env(), &bench->params, &id, "x", 1, ELEMENTS, DGM_INIT_ZERO, 1));
    DGM_TRY(dgm_params_allocate(test_env(), &bench->params, run->device, 1));
    DGM_TRY(write_values(bench, 1));
    DGM_TRY(dgm_optimizer_init(test_env(), &bench->optimizer, &bench->params, &options, 0,
                               bench->params.total));
    return dgm_ema_init(run, &bench->ema, &bench->optimizer);
}

static void bench_close(struct bench *bench)
{
    dgm_ema_clear(test_env(), &bench->ema);
    dgm_optimizer_clear(test_env(), &bench->optimizer);
    dgm_params_clear(test_env(), &bench->params);
    dgm_settings_clear(test_env(), &bench->settings);
    dgm_device_close(test_env(), bench->run.device);
}

/* The share is 9 / (t + 10) at first, and the rate once that is larger. */
TEST(ema_follows_the_values)
{
    struct bench bench;
    double want = 1;

    CHECK_STATUS(bench_open(&bench, "0.25"), DGM_OK);
    CHECK(dgm_ema_bytes(&bench.run, bench.params.total) ==
          (double)bench.params.total * sizeof(dgm_real));
    for (int t = 1; t <= 60; t++) {
        const double share = fmax(0.25, 9 / (t + 10.0));

        CHECK_STATUS(write_values(&bench, t), DGM_OK);
        CHECK_STATUS(dgm_ema_step(test_env(), &bench.ema, t), DGM_OK);
        want += share * (t - want);
        CHECK_INT(dgm_ema_show(&bench.ema), 0);
        CHECK(fabs(first_value(&bench) - want) < 1e-4);
        dgm_ema_hide(&bench.ema, 0);
    }
    bench_close(&bench);
}

/* Who shows what is shown leaves it so. */
TEST(ema_changes_places_once)
{
    struct bench bench;
    int outer, inner;

    CHECK_STATUS(bench_open(&bench, "0.5"), DGM_OK);
    CHECK_STATUS(write_values(&bench, 7), DGM_OK);
    CHECK(dgm_ema_hidden(&bench.ema) == NULL && !dgm_ema_is_scattered(&bench.ema));
    outer = dgm_ema_show(&bench.ema);
    CHECK(first_value(&bench) == 1);
    CHECK(dgm_ema_hidden(&bench.ema) != NULL);
    inner = dgm_ema_show(&bench.ema);
    dgm_ema_hide(&bench.ema, inner);
    CHECK(first_value(&bench) == 1);
    dgm_ema_hide(&bench.ema, outer);
    CHECK(first_value(&bench) == 7);
    bench_close(&bench);
}

TEST(ema_is_nothing_where_nobody_asks_for_it)
{
    struct bench bench;

    CHECK_STATUS(bench_open(&bench, NULL), DGM_OK);
    CHECK(dgm_ema_bytes(&bench.run, bench.params.total) == 0);
    CHECK_STATUS(dgm_ema_step(test_env(), &bench.ema, 1), DGM_OK);
    dgm_ema_hide(&bench.ema, dgm_ema_show(&bench.ema));
    CHECK(first_value(&bench) == 1);
    CHECK(dgm_ema_hidden(&bench.ema) == NULL);
    bench_close(&bench);
}
