/*
 * test_gradcheck.c: backward passes against central differences: every operation on random
 * instances, then whole small Transformers. Meaningful in the double-precision build only.
 */
#include <math.h>
#include <stdlib.h>

#include "gradcheck.h"
#include "kind_case.h"

enum { SEEDS = 24, ELEMENTS = 40 };

static int is_double(void)
{
    return sizeof(dgm_real) == sizeof(double);
}

static void check_op(const struct dgm_op *op)
{
    struct dgm_device_options options = { .threads = 1 };
    struct dgm_device *device;
    uint64_t seed;

    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &options), DGM_OK);
    for (seed = 1; seed <= SEEDS; seed++) {
        double worst;
        CHECK_STATUS(gradcheck_op(test_env(), device, op, seed, &worst), DGM_OK);
        if (!(worst <= 1e-6))
            CHECK_STR(op->name, "an operation with the right gradients");
        CHECK_NEAR(worst, 0, 1e-6);
    }
    dgm_device_close(test_env(), device);
}

/* The environment variable OP names one operation; all where it is not set. */
static int is_asked_for(const struct dgm_op *op)
{
    const char *name = getenv("OP");

    return name == NULL || name[0] == '\0' || strcmp(name, op->name) == 0;
}

TEST(gradient_of_every_operation_equals_central_differences)
{
    int i, checked = 0;

    if (!is_double())
        TEST_SKIP("float build");
    for (i = 0; dgm_ops[i] != NULL; i++)
        if (is_asked_for(dgm_ops[i])) {
            check_op(dgm_ops[i]);
            checked++;
        }
    if (checked == 0)
        CHECK_STR(getenv("OP"), "the name of an operation, as its struct dgm_op has it");
}

/* A layer norm whose backward pass halves the gradient it is given. */
static dgm_status halved_backward(struct dgm_graph *g, struct dgm_node *y)
{
    struct dgm_axpby_args half;

    memset(&half, 0, sizeof half);
    half.y = half.x = y->grad;
    half.count = y->rows * y->cols;
    half.a = (dgm_real)0.5;
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_axpby, &half));
    return dgm_op_norm.backward(g, y);
}

static struct dgm_op halved_norm;

static struct dgm_node *halved_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    struct dgm_node *y = dgm_op_norm.sample(g, sample);

    if (y != NULL)
        y->op = &halved_norm;
    return y;
}

TEST(gradient_check_notices_a_gradient_of_half_its_size)
{
    struct dgm_device_options options = { .threads = 1 };
    struct dgm_device *device;
    double worst;

    if (!is_double())
        TEST_SKIP("float build");
    halved_norm = dgm_op_norm;
    halved_norm.backward = halved_backward;
    halved_norm.sample = halved_sample;
    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &options), DGM_OK);
    CHECK_STATUS(gradcheck_op(test_env(), device, &halved_norm, 3, &worst), DGM_OK);
    CHECK(worst > 0.01);
    dgm_device_close(test_env(), device);
}

/* ---- whole models -------------------------------------------------------------------------- */

/* Loss with element i of a parameter moved to x. */
static dgm_status loss_at(struct tiny *tiny, struct dgm_ref at, dgm_real x, double *loss)
{
    DGM_TRY(dgm_device_write(test_env(), tiny->device, at, &x, sizeof x));
    return tiny_run(tiny, loss);
}

/*
 * Relative error of one slope. A step may cross the kink of a ReLU, which spoils the difference
 * and not the gradient: the best of three step sizes counts.
 */
static dgm_status slope_error(struct tiny *tiny, int64_t element, dgm_real slope, double *error)
{
    static const double steps[3] = { 1e-5, 1e-6, 1e-4 };
    struct dgm_ref at = { NULL, 0 };
    double up, down, numeric, now;
    dgm_real x;
    int i;

    at.buffer = tiny->model.params.values;
    at.offset = (size_t)element * sizeof x;
    *error = 1e9;
    DGM_TRY(dgm_device_read(test_env(), tiny->device, &x, at, sizeof x));
    for (i = 0; i < 3 && *error > 1e-6; i++) {
        DGM_TRY(loss_at(tiny, at, (dgm_real)((double)x + steps[i]), &up));
        DGM_TRY(loss_at(tiny, at, (dgm_real)((double)x - steps[i]), &down));
        numeric = (up - down) / (2 * steps[i]);
        now = fabs(numeric - (double)slope) / (0.01 + fabs(numeric) + fabs((double)slope));
        if (now < *error)
            *error = now;
    }
    return dgm_device_write(test_env(), tiny->device, at, &x, sizeof x);
}

/* ELEMENTS random elements of one parameter, or all where it has no more. */
static void check_param(struct tiny *tiny, const struct dgm_param *param, const dgm_real *grads,
                        struct dgm_random *random)
{
    int64_t count = param->rows * param->cols, most = count < ELEMENTS ? count : ELEMENTS, i;

    for (i = 0; i < most; i++) {
        int64_t e = most == count ? i : (int64_t)dgm_random_below(random, (uint32_t)count);
        double error;
        CHECK_STATUS(slope_error(tiny, param->offset + e, grads[param->offset + e], &error),
                     DGM_OK);
        if (!(error < 1e-6))
            CHECK_STR(param->name, "a parameter with the right gradient");
    }
}

/* Gradients of every parameter of a model with all kinds of dropout, over trees of all kinds. */
static void check_model(struct dgm_model_config config, const char *syntax)
{
    struct tiny tiny;
    struct dgm_batch batch;
    struct dgm_random random;
    dgm_real *grads;
    double loss;
    size_t p;

    if (!is_double())
        TEST_SKIP("float build");
    strcpy(config.syntax, syntax);
    config.dropout = 0.2;
    config.attention_dropout = 0.15;
    config.activation_dropout = 0.1;
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_batch(&batch, 8), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 3, &loss), DGM_OK);
    grads = tiny_grads(&tiny);
    CHECK(grads != NULL);
    dgm_random_init(&random, 9, 72, 0, 0);
    for (p = 0; p < tiny.model.params.count; p++)
        check_param(&tiny, &tiny.model.params.items[p], grads, &random);
    dgm_release(test_env(), grads);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(gradient_of_a_plain_post_norm_model_with_one_embedding_matrix)
{
    check_model(tiny_config(), "");
}

TEST(gradient_of_a_plain_pre_norm_model_with_three_embedding_matrices)
{
    struct dgm_model_config config = tiny_config();

    config.pre_norm = 1;
    config.tying = DGM_TIED_NONE;
    config.positions = DGM_POSITIONS_VASWANI;
    config.smoothing_form = DGM_SMOOTHING_T2T;
    config.dec_depth = 1;
    check_model(config, "");
}

TEST(gradient_of_a_model_without_positions_biases_and_smoothing)
{
    struct dgm_model_config config = tiny_config();

    config.tying = DGM_TIED_DECODER;
    config.positions = DGM_POSITIONS_NONE;
    config.attention_bias = 0;
    config.smoothing = 0;
    config.enc_depth = 1;
    check_model(config, "");
}

TEST(gradient_of_a_shaw_model_after_norms)
{
    struct dgm_model_config config = tiny_config();

    config.tying = DGM_TIED_DECODER;
    config.smoothing_form = DGM_SMOOTHING_T2T;
    config.dec_depth = 1;
    check_model(config, "shaw(k=2)");
}

TEST(gradient_of_a_shaw_model_before_norms_with_one_table_for_keys_and_values)
{
    struct dgm_model_config config = tiny_config();

    config.pre_norm = 1;
    config.positions = DGM_POSITIONS_NONE;
    config.enc_depth = 1;
    check_model(config, "shaw(k=2,share_kv=1)");
}

TEST(gradient_of_a_deps_san_model_after_norms)
{
    struct dgm_model_config config = tiny_config();

    config.dec_depth = 1;
    check_model(config, "deps-san(layers=1-2)");
}

TEST(gradient_of_a_sparsened_deps_san_model_before_norms)
{
    struct dgm_model_config config = tiny_config();

    config.pre_norm = 1;
    config.tying = DGM_TIED_NONE;
    config.dec_depth = 1;
    check_model(config, "deps-san(layers=1-2,rs_q=0.2,wink_k=1,wink_mode=neg_inf)");
}

TEST(gradient_of_a_model_with_deps_san_and_shaw)
{
    struct dgm_model_config config = tiny_config();

    config.tying = DGM_TIED_DECODER;
    config.positions = DGM_POSITIONS_VASWANI;
    config.dec_depth = 1;
    check_model(config, "deps-san(layers=1-2)+shaw(k=2)");
}

TEST(gradient_of_a_pre_norm_model_with_added_deps_san_weights_and_shaw)
{
    struct dgm_model_config config = tiny_config();

    config.pre_norm = 1;
    config.smoothing_form = DGM_SMOOTHING_T2T;
    config.dec_depth = 1;
    check_model(config, "shaw(k=1,sides=enc,use_v=0)+deps-san(layers=2,usage=add)");
}

static void check_kinds(const char *decoder)
{
    struct kind_case one;
    int i;

    for (i = 0; kind_case_at(i, &one); i++)
        if (strcmp(one.decoder, decoder) == 0)
            check_model(kind_config(&one), one.syntax);
}

TEST(gradient_of_every_encoder_beneath_a_recurrent_decoder)
{
    check_kinds("recurrent");
}

TEST(gradient_of_recurrent_encoders_beneath_a_transformer)
{
    check_kinds("transformer");
}

TEST(gradient_of_encoders_beneath_simple_recurrent_units)
{
    check_kinds("ssru");
}
