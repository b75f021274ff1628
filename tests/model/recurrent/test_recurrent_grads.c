/*
 * test_recurrent_grads.c: gradients of whole recurrent models against central differences, dropout
 * on, over sentences of every kind. Meaningful in the double-precision build alone.
 */
#include "recurrent_case.h"

enum { SAMPLES = 3 }; /* elements of a parameter that are tried */

static const double relative_error = 1e-6;

static dgm_status loss_at(struct tiny *tiny, struct dgm_ref at, double x, double *loss)
{
    dgm_real value = (dgm_real)x;

    DGM_TRY(dgm_device_write(test_env(), tiny->device, at, &value, sizeof value));
    return tiny_run(tiny, loss);
}

/* Nothing has a kink: one step size does, the value comes back afterwards. */
static dgm_status slope_error(struct tiny *tiny, int64_t element, double slope, double *error)
{
    const double step = 1e-5;
    struct dgm_ref at = { NULL, 0 };
    double up = 0, down = 0, numeric;
    dgm_real x;

    at.buffer = tiny->model.params.values;
    at.offset = (size_t)element * sizeof x;
    DGM_TRY(dgm_device_read(test_env(), tiny->device, &x, at, sizeof x));
    DGM_TRY(loss_at(tiny, at, (double)x + step, &up));
    DGM_TRY(loss_at(tiny, at, (double)x - step, &down));
    numeric = (up - down) / (2 * step);
    *error = fabs(numeric - slope) / (0.01 + fabs(numeric) + fabs(slope));
    return dgm_device_write(test_env(), tiny->device, at, &x, sizeof x);
}

static void check_param(const struct recurrent_case *one, struct tiny *tiny,
                        const struct dgm_param *param, const dgm_real *grads,
                        struct dgm_random *random)
{
    int64_t count = param->rows * param->cols;
    double largest = 0;

    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)grads[param->offset + i]));
    if (strcmp(param->name, "decoder.attention.score.bias") != 0 && !(largest > 1e-6)) {
        CHECK_STR(one->name, param->name); /* nothing would be checked */
        return;
    }
    for (int i = 0; i < SAMPLES; i++) {
        int64_t element = param->offset + (int64_t)dgm_random_below(random, (uint32_t)count);
        double error = 1;
        CHECK_STATUS(slope_error(tiny, element, (double)grads[element], &error), DGM_OK);
        if (!(error < relative_error)) {
            CHECK_STR(one->name, param->name);
            CHECK_NEAR(error, 0, relative_error);
        }
    }
}

static void check_model(const struct recurrent_case *one)
{
    struct dgm_model_config config;
    struct dgm_random random;
    struct dgm_batch batch;
    struct tiny tiny;
    dgm_real *grads;
    double loss;

    CHECK_STATUS(recurrent_config(&config, one->options), DGM_OK);
    recurrent_widths(&config, 9, 7, 5);
    config.dropout = 0.3;
    CHECK_STATUS(recurrent_start(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(recurrent_batch(&batch, 8), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 3, &loss), DGM_OK);
    grads = tiny_grads(&tiny);
    CHECK(grads != NULL);
    dgm_random_init(&random, 9, 74, 0, 0);
    for (size_t p = 0; p < tiny.model.params.count; p++)
        check_param(one, &tiny, &tiny.model.params.items[p], grads, &random);
    dgm_release(test_env(), grads);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

static void check_models(const char *options)
{
    int found = 0;

    if (sizeof(dgm_real) != sizeof(double))
        TEST_SKIP("float build");
    for (int v = 0; v < RECURRENT_CASES; v++)
        if (strncmp(recurrent_cases[v].options, options, strlen(options)) == 0) {
            found++;
            check_model(&recurrent_cases[v]);
        }
    CHECK(found > 0);
}

TEST(gradient_of_sequential_models)
{
    check_models("encoder = sequential\n");
}

TEST(gradient_of_sequential_dependency_models)
{
    check_models("encoder = sequential-dependency\n");
}

TEST(gradient_of_lexicalized_models)
{
    check_models("encoder = lexicalized\n");
}

TEST(gradient_of_constituency_models)
{
    check_models("encoder = constituency\n");
}
