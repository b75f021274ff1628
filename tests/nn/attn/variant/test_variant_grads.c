/*
 * test_variant_grads.c: gradients of whole models with every variant of self-attention, parse
 * losses included, against central differences, on sentences of every kind, in models with norms
 * after and before the sub-layers. Meaningful in the double-precision build alone.
 */
#include <math.h>

#include "variant_case.h"

enum { SAMPLES = 2 }; /* elements of a parameter that are tried */

static const double relative_error = 1e-6;

static int is_double(void)
{
    return sizeof(dgm_real) == sizeof(double);
}

/* Loss with one element of the parameters moved to x. */
static dgm_status loss_at(struct tiny *tiny, struct dgm_ref at, double x, double *loss)
{
    dgm_real value = (dgm_real)x;

    DGM_TRY(dgm_device_write(test_env(), tiny->device, at, &value, sizeof value));
    return tiny_run(tiny, loss);
}

/* A step may cross the kink of a ReLU, which spoils the difference and not the slope: the best of
 * several step sizes counts. */
static dgm_status slope_error(struct tiny *tiny, int64_t element, dgm_real slope, double *error)
{
    static const double steps[4] = { 1e-5, 1e-6, 1e-4, 1e-7 };
    struct dgm_ref at = { NULL, 0 };
    double up = 0, down = 0;
    dgm_real x;
    int i;

    at.buffer = tiny->model.params.values;
    at.offset = (size_t)element * sizeof x;
    *error = 1e9;
    DGM_TRY(dgm_device_read(test_env(), tiny->device, &x, at, sizeof x));
    for (i = 0; i < 4 && *error > relative_error; i++) {
        double numeric, now;
        DGM_TRY(loss_at(tiny, at, (double)x + steps[i], &up));
        DGM_TRY(loss_at(tiny, at, (double)x - steps[i], &down));
        numeric = (up - down) / (2 * steps[i]);
        now = fabs(numeric - (double)slope) / (0.01 + fabs(numeric) + fabs((double)slope));
        *error = now < *error ? now : *error;
    }
    return dgm_device_write(test_env(), tiny->device, at, &x, sizeof x);
}

static void check_param(struct tiny *tiny, const struct dgm_param *param, const dgm_real *grads,
                        struct dgm_random *random)
{
    int64_t count = param->rows * param->cols;
    int i;

    for (i = 0; i < SAMPLES; i++) {
        int64_t element = param->offset + (int64_t)dgm_random_below(random, (uint32_t)count);
        double error;
        CHECK_STATUS(slope_error(tiny, element, grads[element], &error), DGM_OK);
        if (!(error < relative_error)) {
            CHECK_STR(tiny->model.config.syntax, param->name);
            CHECK_NEAR(error, 0, relative_error);
        }
    }
}

/* One model with every kind of dropout. */
static void check_model(const char *syntax, int pre_norm)
{
    struct dgm_model_config config = variant_config(syntax, pre_norm);
    struct dgm_random random;
    struct dgm_batch batch;
    struct tiny tiny;
    dgm_real *grads;
    double loss;
    size_t p;

    config.dropout = 0.2;
    config.attention_dropout = 0.15;
    config.activation_dropout = 0.1;
    CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(variant_batch(&batch, 8), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 3, &loss), DGM_OK);
    grads = tiny_grads(&tiny);
    CHECK(grads != NULL);
    dgm_random_init(&random, 9, 74, 0, 0);
    for (p = 0; p < tiny.model.params.count; p++)
        check_param(&tiny, &tiny.model.params.items[p], grads, &random);
    dgm_release(test_env(), grads);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* Variants with a test of their own, so that they run beside one another. */
static const char *const own_tests[] = {
    "shaw", "depth", "dbsa", "lisa", "pascal", "deps-san", "localness", "context", "sgsa", "tags",
};

/* Cases whose text begins with `name`, after norms and before. */
static void check_cases(const char *name)
{
    struct variant_case one;
    int v, found = 0;

    if (!is_double())
        TEST_SKIP("float build");
    for (v = 0; variant_case_at(v, &one); v++) {
        if (strncmp(one.syntax, name, strlen(name)) != 0)
            continue;
        found = 1;
        check_model(one.syntax, 0);
        if (variant_is_defined(one.syntax, 1))
            check_model(one.syntax, 1);
    }
    CHECK(found);
}

TEST(gradient_of_models_with_shaw)
{
    check_cases("shaw");
}

TEST(gradient_of_models_with_depth)
{
    check_cases("depth");
}

TEST(gradient_of_models_with_dbsa)
{
    check_cases("dbsa");
}

TEST(gradient_of_models_with_lisa)
{
    check_cases("lisa");
}

TEST(gradient_of_models_with_pascal)
{
    check_cases("pascal");
}

TEST(gradient_of_models_with_deps_san)
{
    check_cases("deps-san");
}

TEST(gradient_of_models_with_localness)
{
    check_cases("localness");
}

TEST(gradient_of_models_with_context)
{
    check_cases("context");
}

TEST(gradient_of_models_with_sgsa)
{
    check_cases("sgsa");
}

TEST(gradient_of_models_with_tags)
{
    check_cases("tags");
}

/* Every other variant of the list: a new one needs no line here. */
TEST(gradient_of_models_with_any_other_variant)
{
    size_t t;
    int k;

    for (k = 0; dgm_attn_kinds[k] != NULL; k++) {
        for (t = 0; t < sizeof own_tests / sizeof own_tests[0]; t++)
            if (strcmp(own_tests[t], dgm_attn_kinds[k]->name) == 0)
                break;
        if (t == sizeof own_tests / sizeof own_tests[0])
            check_cases(dgm_attn_kinds[k]->name);
    }
}

/* The sum that the differences above are taken of is the loss of each side's parser, too: leaving
 * it out shows, so that they would notice a gradient without it. */
TEST(gradient_checks_count_parse_losses)
{
    struct dgm_batch batch;
    struct tiny tiny;
    double sum = 0, parse = 0;

    CHECK_STATUS(variant_batch(&batch, 8), DGM_OK);
    CHECK_STATUS(variant_open(&tiny, "dbsa(enc-layer=1,dec-layer=2)", 0), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 3, &sum), DGM_OK);
    CHECK_INT(tiny.parse_losses.count, 2);
    CHECK_NEAR(tiny.parse_losses.unit, batch.target.offsets[batch.target.count], 0);
    CHECK_STATUS(tiny_parse_sum(&tiny, &parse), DGM_OK);
    CHECK(parse > 1 && parse < sum);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}
