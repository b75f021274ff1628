/*
 * test_optimizer.c: Adam, Adadelta, clipping and weight decay: golden figures, and what happens to
 * gradients that are no numbers.
 */
#include <math.h>

#include "json.h"
#include "open_device.h"
#include "train/step/optimizer.h"

/* Two matrices, as in the golden files: (1,4) and (1,3). */
struct bench {
    struct dgm_device *device;
    struct dgm_params params;
    struct dgm_optimizer optimizer;
};

enum { ELEMENTS = 7 };

static dgm_status bench_open(struct bench *bench, const struct dgm_optimizer_options *options)
{
    dgm_param_id id;

    memset(bench, 0, sizeof *bench);
    DGM_TRY(open_device(test_env(), &bench->device, 1));
    DGM_TRY(dgm_params_matrix(test_env(), &bench->params, &id, "first", 1, 4, DGM_INIT_ZERO, 1));
    DGM_TRY(dgm_params_matrix(test_env(), &bench->params, &id, "second", 1, 3, DGM_INIT_ZERO, 1));
    DGM_TRY(dgm_params_allocate(test_env(), &bench->params, bench->device, 1));
    return dgm_optimizer_init(test_env(), &bench->optimizer, &bench->params, options, 0,
                              bench->params.total);
}

static void bench_close(struct bench *bench)
{
    dgm_optimizer_clear(test_env(), &bench->optimizer);
    dgm_params_clear(test_env(), &bench->params);
    dgm_device_close(test_env(), bench->device);
}

static dgm_status write_params(struct bench *bench, const double *values)
{
    dgm_real reals[ELEMENTS];
    int i;

    for (i = 0; i < ELEMENTS; i++)
        reals[i] = (dgm_real)values[i];
    DGM_TRY(dgm_params_write(test_env(), &bench->params, 0, reals));
    return dgm_params_write(test_env(), &bench->params, 1, reals + 4);
}

static dgm_status read_params(struct bench *bench, double *values)
{
    dgm_real reals[ELEMENTS];
    int i;

    DGM_TRY(dgm_params_read(test_env(), &bench->params, 0, reals));
    DGM_TRY(dgm_params_read(test_env(), &bench->params, 1, reals + 4));
    for (i = 0; i < ELEMENTS; i++)
        values[i] = (double)reals[i];
    return DGM_OK;
}

/* Clears the gradients, then writes these: the second matrix begins at a 64-byte boundary. */
static dgm_status write_grads(struct bench *bench, const double *values)
{
    struct dgm_ref at = { NULL, 0 };
    dgm_real reals[ELEMENTS];
    int i;

    for (i = 0; i < ELEMENTS; i++)
        reals[i] = (dgm_real)values[i];
    DGM_TRY(dgm_params_zero_grads(test_env(), &bench->params));
    at.buffer = bench->params.grads;
    DGM_TRY(dgm_device_write(test_env(), bench->device, at, reals, 4 * sizeof *reals));
    at.offset = (size_t)bench->params.items[1].offset * sizeof *reals;
    return dgm_device_write(test_env(), bench->device, at, reals + 4, 3 * sizeof *reals);
}

/* Behind a key of the run at `at`, or NULL where only a later run has it. */
static const char *find_own(const char *at, const char *key)
{
    const char *found = json_find(at, key), *next = json_find(at, "name");
    return found != NULL && (next == NULL || found < next) ? found : NULL;
}

/* One golden run of five updates. */
static void check_run(const char *at)
{
    struct dgm_optimizer_options options = { 0, 0, 0, 0, 0, DGM_ADAM, 0 };
    const char *grads = json_find(at, "gradients"), *after = json_find(at, "after");
    double start[ELEMENTS], rates[5], norms[5], values[ELEMENTS], want[ELEMENTS], norm;
    struct bench bench;
    int t, i;

    options.beta1 = json_number(at, "beta1");
    options.beta2 = json_number(at, "beta2");
    options.eps = json_number(at, "eps");
    if (find_own(at, "weight_decay") != NULL)
        options.weight_decay = json_number(at, "weight_decay");
    if (find_own(at, "clip_norm") != NULL) {
        options.clip_norm = json_number(at, "clip_norm");
        CHECK(json_numbers(find_own(at, "norms"), norms, 5) != NULL);
    }
    CHECK(json_numbers(json_find(at, "lr"), rates, 5) != NULL);
    CHECK(json_numbers(json_find(at, "parameters"), start, ELEMENTS) != NULL);
    CHECK_STATUS(bench_open(&bench, &options), DGM_OK);
    CHECK_STATUS(write_params(&bench, start), DGM_OK);
    for (t = 1; t <= 5; t++) {
        grads = json_numbers(grads, values, ELEMENTS);
        after = json_numbers(after, want, ELEMENTS);
        CHECK(grads != NULL && after != NULL);
        CHECK_STATUS(write_grads(&bench, values), DGM_OK);
        CHECK_STATUS(dgm_optimizer_update(test_env(), &bench.optimizer, t, rates[t - 1], 1, &norm),
                     DGM_OK);
        if (options.clip_norm > 0)
            CHECK_NEAR(norm, norms[t - 1], 1e-6);
        CHECK_STATUS(read_params(&bench, values), DGM_OK);
        for (i = 0; i < ELEMENTS; i++)
            CHECK_NEAR(values[i], want[i], 1e-6);
    }
    bench_close(&bench);
}

TEST(optimizer_moves_parameters_as_the_golden_runs_do)
{
    const char *shared = test_shared(), *at;
    struct dgm_buf text = { NULL, 0, 0, 0 };
    int runs = 0;

    if (shared == NULL)
        TEST_SKIP("no shared data");
    CHECK(json_read(&text, shared, "adam.json"));
    for (at = text.data; (at = json_find(at, "name")) != NULL; runs++)
        check_run(at);
    CHECK_INT(runs, 5);
    dgm_buf_clear(test_env(), &text);
}

TEST(optimizer_clips_gradients_as_the_golden_figures_say)
{
    const char *shared = test_shared(), *at;
    struct dgm_buf text = { NULL, 0, 0, 0 };
    int cases = 0, i;

    if (shared == NULL)
        TEST_SKIP("no shared data");
    CHECK(json_read(&text, shared, "clip.json"));
    for (at = text.data; (at = json_find(at, "limit")) != NULL; cases++) {
        /* With beta1 = 0 the first moment is the clipped gradient itself. */
        struct dgm_optimizer_options options = { 0, 0.5, 1, 0, 0, DGM_ADAM, 0 };
        double grads[ELEMENTS], want[ELEMENTS], norm;
        struct dgm_ref m = { NULL, 0 };
        struct bench bench;
        dgm_real moment[ELEMENTS];
        CHECK(json_numbers(at, &options.clip_norm, 1) != NULL);
        CHECK(json_numbers(json_find(at, "gradients"), grads, ELEMENTS) != NULL);
        CHECK(json_numbers(json_find(at, "clipped"), want, ELEMENTS) != NULL);
        CHECK_STATUS(bench_open(&bench, &options), DGM_OK);
        CHECK_STATUS(write_grads(&bench, grads), DGM_OK);
        CHECK_STATUS(dgm_optimizer_update(test_env(), &bench.optimizer, 1, 1e-3, 1, &norm), DGM_OK);
        CHECK_NEAR(norm, json_number(at, "norm"), 1e-6);
        m.buffer = bench.optimizer.m;
        CHECK_STATUS(dgm_device_read(test_env(), bench.device, moment, m, 4 * sizeof *moment),
                     DGM_OK);
        m.offset = (size_t)bench.params.items[1].offset * sizeof *moment;
        CHECK_STATUS(dgm_device_read(test_env(), bench.device, moment + 4, m, 3 * sizeof *moment),
                     DGM_OK);
        for (i = 0; i < ELEMENTS; i++)
            CHECK_NEAR(moment[i], want[i], 1e-6);
        bench_close(&bench);
    }
    CHECK_INT(cases, 3);
    dgm_buf_clear(test_env(), &text);
}

static const double some[ELEMENTS] = { 1, -2, 0.5, 4, -0.25, 3, 0 };

TEST(optimizer_scales_gradients_before_it_measures_them)
{
    struct dgm_optimizer_options options = { 0.9, 0.98, 1e-8, 0, 0, DGM_ADAM, 0 };
    double grads[ELEMENTS], whole[ELEMENTS], scaled[ELEMENTS], norm[2];
    struct bench bench;
    int k, i;

    for (k = 0; k < 2; k++) {
        for (i = 0; i < ELEMENTS; i++)
            grads[i] = (k ? 8 : 1) * some[i];
        CHECK_STATUS(bench_open(&bench, &options), DGM_OK);
        CHECK_STATUS(write_grads(&bench, grads), DGM_OK);
        CHECK_STATUS(dgm_optimizer_update(test_env(), &bench.optimizer, 1, 0.01, k ? 0.125 : 1,
                                          &norm[k]),
                     DGM_OK);
        CHECK_STATUS(read_params(&bench, k ? scaled : whole), DGM_OK);
        bench_close(&bench);
    }
    CHECK_NEAR(norm[1], norm[0], 1e-12);
    CHECK_NEAR(norm[0], sqrt(1 + 4 + .25 + 16 + .0625 + 9), 1e-6);
    CHECK_MEM(scaled, whole, sizeof whole);
}

/* By the rate of each: that of the second matrix is half as large. */
TEST(optimizer_decays_weights_apart_from_adam)
{
    struct dgm_optimizer_options options = { 0.9, 0.98, 1e-8, 0.5, 0, DGM_ADAM, 0 };
    double values[ELEMENTS], zero[ELEMENTS] = { 0 }, norm;
    struct bench bench;
    int i;

    CHECK_STATUS(bench_open(&bench, &options), DGM_OK);
    dgm_params_rate(&bench.params, 1, 0.5);
    CHECK_STATUS(write_params(&bench, some), DGM_OK);
    CHECK_STATUS(write_grads(&bench, zero), DGM_OK);
    CHECK_STATUS(dgm_optimizer_update(test_env(), &bench.optimizer, 1, 0.1, 1, &norm), DGM_OK);
    CHECK_STATUS(read_params(&bench, values), DGM_OK);
    for (i = 0; i < ELEMENTS; i++)
        CHECK_NEAR(values[i], (i < 4 ? 0.95 : 0.975) * some[i], 1e-6);
    bench_close(&bench);
}

TEST(optimizer_first_step_is_the_rate_whatever_the_gradient)
{
    struct dgm_optimizer_options options = { 0.9, 0.98, 0, 0, 0, DGM_ADAM, 0 };
    double values[ELEMENTS], norm;
    struct bench bench;
    int i;

    CHECK_STATUS(bench_open(&bench, &options), DGM_OK);
    CHECK_STATUS(write_grads(&bench, some), DGM_OK);
    CHECK_STATUS(dgm_optimizer_update(test_env(), &bench.optimizer, 1, 0.01, 1, &norm), DGM_OK);
    CHECK_STATUS(read_params(&bench, values), DGM_OK);
    for (i = 0; i + 1 < ELEMENTS; i++)
        CHECK_NEAR(values[i], some[i] > 0 ? -0.01 : 0.01, 1e-7);
    bench_close(&bench);
}

static const struct dgm_optimizer_options adadelta = { 0, 0, 1e-6, 0, 0, DGM_ADADELTA, 0.95 };

/* From nothing, a gradient of 1 moves by sqrt(1e-6) / sqrt(0.05 + 1e-6), whatever the rate. */
TEST(optimizer_first_step_of_adadelta_needs_no_rate)
{
    const double ones[ELEMENTS] = { 1, 1, 1, 1, 1, 1, -1 };
    double values[ELEMENTS], norm;
    struct bench bench;
    int i;

    CHECK_STATUS(bench_open(&bench, &adadelta), DGM_OK);
    CHECK_STATUS(write_grads(&bench, ones), DGM_OK);
    CHECK_STATUS(dgm_optimizer_update(test_env(), &bench.optimizer, 1, 5, 1, &norm), DGM_OK);
    CHECK_STATUS(read_params(&bench, values), DGM_OK);
    for (i = 0; i < ELEMENTS; i++)
        CHECK_NEAR(values[i], i + 1 < ELEMENTS ? -0.0044720912 : 0.0044720912, 2e-9);
    bench_close(&bench);
}

/* The definition, in double. */
TEST(optimizer_steps_of_adadelta_are_those_of_the_definition)
{
    double x[ELEMENTS] = { 0 }, squares[ELEMENTS] = { 0 }, steps[ELEMENTS] = { 0 };
    double values[ELEMENTS], grads[ELEMENTS], norm;
    struct dgm_optimizer_options options = adadelta;
    struct bench bench;
    int i, t;

    options.clip_norm = 3;
    CHECK_STATUS(bench_open(&bench, &options), DGM_OK);
    CHECK_STATUS(write_params(&bench, x), DGM_OK);
    for (t = 1; t <= 20; t++) {
        double length = 0, g, d;

        for (i = 0; i < ELEMENTS; i++) {
            grads[i] = some[i] * sin(t + i) * (t % 3);
            length += grads[i] * grads[i] / 4;
        }
        CHECK_STATUS(write_grads(&bench, grads), DGM_OK);
        CHECK_STATUS(dgm_optimizer_update(test_env(), &bench.optimizer, t, 0, 0.5, &norm), DGM_OK);
        CHECK_NEAR(norm, sqrt(length), 1e-6);
        for (i = 0; i < ELEMENTS; i++) {
            g = 0.5 * grads[i] * (sqrt(length) > 3 ? 3 / sqrt(length) : 1);
            squares[i] = 0.95 * squares[i] + 0.05 * g * g;
            d = sqrt(steps[i] + 1e-6) / sqrt(squares[i] + 1e-6) * g;
            steps[i] = 0.95 * steps[i] + 0.05 * d * d;
            x[i] -= d;
        }
        CHECK_STATUS(read_params(&bench, values), DGM_OK);
        for (i = 0; i < ELEMENTS; i++)
            CHECK_NEAR(values[i], x[i], 1e-6);
    }
    bench_close(&bench);
}

/* The update is refused, names the parameter at fault and leaves all of them alone. */
static void check_diverged(double value, int element, const char *name)
{
    struct dgm_optimizer_options options = { 0.9, 0.98, 1e-8, 0, 1, DGM_ADAM, 0 };
    double grads[ELEMENTS], values[ELEMENTS], norm;
    struct bench bench;
    int i;

    memcpy(grads, some, sizeof grads);
    grads[element] = value;
    CHECK_STATUS(bench_open(&bench, &options), DGM_OK);
    CHECK_STATUS(write_params(&bench, some), DGM_OK);
    CHECK_STATUS(write_grads(&bench, grads), DGM_OK);
    CHECK_STATUS(dgm_optimizer_update(test_env(), &bench.optimizer, 3, 0.01, 1, &norm),
                 DGM_DIVERGED);
    CHECK(strstr(test_env()->error.message, "update 3") != NULL);
    CHECK(strstr(test_env()->error.message, name) != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(read_params(&bench, values), DGM_OK);
    for (i = 0; i < ELEMENTS; i++)
        CHECK_NEAR(values[i], (dgm_real)some[i], 0);
    bench_close(&bench);
}

/* Three updates by the same gradients; the second matrix takes steps `rate` times as long. */
static void take_steps(const struct dgm_optimizer_options *options, double rate, double *values)
{
    struct bench bench;
    double norm;

    CHECK_STATUS(bench_open(&bench, options), DGM_OK);
    dgm_params_rate(&bench.params, 1, rate);
    for (int64_t t = 1; t <= 3; t++) {
        CHECK_STATUS(write_grads(&bench, some), DGM_OK);
        CHECK_STATUS(dgm_optimizer_update(test_env(), &bench.optimizer, t, 0.1, 1, &norm), DGM_OK);
    }
    CHECK_STATUS(read_params(&bench, values), DGM_OK);
    bench_close(&bench);
}

TEST(optimizer_multiplies_the_steps_of_a_parameter_with_a_rate_of_its_own)
{
    const struct dgm_optimizer_options adam = { 0.9, 0.98, 1e-8, 0, 0, DGM_ADAM, 0 };
    const struct dgm_optimizer_options *const kinds[] = { &adam, &adadelta };

    for (int k = 0; k < 2; k++) {
        double plain[ELEMENTS], scaled[ELEMENTS];
        take_steps(kinds[k], 1, plain);
        take_steps(kinds[k], 0.25, scaled);
        CHECK_MEM(scaled, plain, 4 * sizeof *plain);
        for (int i = 4; i < ELEMENTS; i++) {
            CHECK(i + 1 == ELEMENTS || fabs(plain[i]) > 1e-4);
            CHECK_NEAR(scaled[i], 0.25 * plain[i], 1e-7);
        }
    }
}

/* The slice: the end of the first matrix, all of the second. */
TEST(optimizer_moves_a_mean_towards_the_values_of_its_slice)
{
    const struct dgm_optimizer_options options = { 0.9, 0.98, 1e-8, 0, 0, DGM_ADAM, 0 };
    const double first[ELEMENTS] = { 1, 2, 3, 4, 5, 6, 7 },
                 then[ELEMENTS] = { 0, 0, 7, 8, 1, 2, 3 };
    struct dgm_buffer *mean = NULL;
    struct dgm_ref at = { NULL, 0 };
    dgm_real got[32];
    struct bench bench;
    int64_t second;

    CHECK_STATUS(bench_open(&bench, &options), DGM_OK);
    dgm_optimizer_clear(test_env(), &bench.optimizer);
    second = bench.params.items[1].offset - 2;
    CHECK(second + 3 <= 32);
    CHECK_STATUS(dgm_optimizer_init(test_env(), &bench.optimizer, &bench.params, &options, 2,
                                    second + 3),
                 DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), bench.device, &mean, sizeof got), DGM_OK);
    at.buffer = mean;
    CHECK_STATUS(write_params(&bench, first), DGM_OK);
    CHECK_STATUS(dgm_optimizer_copy(test_env(), &bench.optimizer, mean), DGM_OK);
    CHECK_STATUS(write_params(&bench, then), DGM_OK);
    dgm_params_rate(&bench.params, 1, 0);
    CHECK_STATUS(dgm_optimizer_blend(test_env(), &bench.optimizer, mean, 0.25), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), bench.device, got, at, sizeof got), DGM_OK);
    CHECK_NEAR(got[0], 4, 0);
    CHECK_NEAR(got[1], 5, 0);
    CHECK_NEAR(got[second], 5, 0); /* a parameter that stays */
    CHECK_NEAR(got[second + 2], 7, 0);
    dgm_device_release(test_env(), bench.device, mean);
    bench_close(&bench);
}

TEST(optimizer_refuses_gradients_that_are_no_numbers)
{
    check_diverged((double)NAN, 5, "\"second\"");
    check_diverged((double)INFINITY, 1, "\"first\"");
    check_diverged(-(double)INFINITY, 6, "\"second\"");
}
