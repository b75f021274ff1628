/*
 * test_parser_grads.c: gradients of the biaffine parser as a whole, of every shape.
 */
#include <math.h>
#include <string.h>

#include "base/philox.h"
#include "parser_lab.h"
#include "test.h"

enum { ELEMENTS = 12 };

static dgm_status loss_at(struct parser_lab *lab, struct dgm_ref at, double x, double *loss)
{
    dgm_real value = (dgm_real)x;

    DGM_TRY(dgm_device_write(test_env(), lab->device, at, &value, sizeof value));
    return parser_lab_run(lab, loss);
}

/* The best of three step sizes, for one may cross the kink of a relu. */
static dgm_status slope_error(struct parser_lab *lab, int64_t element, double slope, double *error)
{
    static const double steps[3] = { 1e-5, 1e-6, 1e-4 };
    struct dgm_ref at = { NULL, 0 };
    double up, down, numeric, now;
    dgm_real x;

    at.buffer = lab->parser.net.params.values;
    at.offset = (size_t)element * sizeof x;
    *error = 1e9;
    DGM_TRY(dgm_device_read(test_env(), lab->device, &x, at, sizeof x));
    for (int i = 0; i < 3 && *error > 1e-6; i++) {
        DGM_TRY(loss_at(lab, at, (double)x + steps[i], &up));
        DGM_TRY(loss_at(lab, at, (double)x - steps[i], &down));
        numeric = (up - down) / (2 * steps[i]);
        now = fabs(numeric - slope) / (0.01 + fabs(numeric) + fabs(slope));
        *error = now < *error ? now : *error;
    }
    return dgm_device_write(test_env(), lab->device, at, &x, sizeof x);
}

static void check_param(struct parser_lab *lab, dgm_param_id id, struct dgm_random *random,
                        int *nonzero)
{
    const struct dgm_param *param = &lab->parser.net.params.items[id];
    int64_t count = param->rows * param->cols;
    dgm_real grads[2048];

    CHECK(count <= 2048);
    CHECK_STATUS(dgm_params_read_grad(test_env(), &lab->parser.net.params, id, grads), DGM_OK);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        int64_t e = (int64_t)dgm_random_below(random, (uint32_t)count);
        double error;

        CHECK_STATUS(slope_error(lab, param->offset + e, (double)grads[e], &error), DGM_OK);
        if (!(error < 1e-6))
            CHECK_STR(param->name, "a parameter with the right gradient");
    }
    for (int64_t i = 0; i < count; i++)
        *nonzero |= grads[i] != 0;
}

/* The last norms of a pre-norm Transformer stand in the file of a parser that has no such part. */
static int is_idle(const struct parser_lab *lab, const char *name)
{
    return strncmp(name, "parser.decoder.", 15) == 0 ||
           (lab->parser.config.reader == DGM_READER_LSTM &&
            strncmp(name, "parser.encoder.layer_norm.", 26) == 0);
}

static void check_gradients(const char *shape)
{
    struct parser_lab lab;
    struct dgm_fill_args fill;
    struct dgm_random random;
    double loss;

    if (sizeof(dgm_real) != sizeof(double))
        TEST_SKIP("float build");
    CHECK_STATUS(parser_lab_open(&lab, shape, parser_lab_dropouts, 1), DGM_OK);
    memset(&fill, 0, sizeof fill);
    fill.y.buffer = lab.parser.net.params.grads;
    fill.count = lab.parser.net.params.total;
    CHECK_STATUS(dgm_device_run(test_env(), lab.device, DGM_TASK_fill, &fill), DGM_OK);
    CHECK_STATUS(parser_lab_build(&lab, 3), DGM_OK);
    CHECK_STATUS(parser_lab_run(&lab, &loss), DGM_OK);
    CHECK_STATUS(dgm_graph_backward(&lab.graph), DGM_OK);
    dgm_random_init(&random, 9, 73, 0, 0);
    for (size_t p = 0; p < lab.parser.net.params.count; p++) {
        int nonzero = 0;
        check_param(&lab, (dgm_param_id)p, &random, &nonzero);
        if (!nonzero && !is_idle(&lab, lab.parser.net.params.items[p].name))
            CHECK_STR(lab.parser.net.params.items[p].name, "a parameter that the loss reaches");
    }
    parser_lab_close(&lab);
}

TEST(gradient_of_an_lstm_parser_of_words)
{
    check_gradients(parser_lab_shapes[0]);
}

TEST(gradient_of_an_lstm_parser_of_characters)
{
    check_gradients(parser_lab_shapes[1]);
}

TEST(gradient_of_an_lstm_parser_of_subwords_and_tags)
{
    check_gradients(parser_lab_shapes[2]);
}

TEST(gradient_of_a_pre_norm_transformer_parser_of_subwords)
{
    check_gradients(parser_lab_shapes[3]);
}

TEST(gradient_of_a_post_norm_transformer_parser_of_characters_and_tags)
{
    check_gradients(parser_lab_shapes[4]);
}

TEST(gradient_of_a_parser_that_cuts_text)
{
    check_gradients(parser_lab_shapes[5]);
}

TEST(gradient_of_an_lstm_parser_of_words_with_vectors)
{
    check_gradients(parser_lab_shapes[6]);
}

TEST(gradient_of_a_transformer_parser_of_characters_with_vectors)
{
    check_gradients(parser_lab_shapes[7]);
}

TEST(gradient_of_a_parser_of_characters_with_all_columns)
{
    check_gradients(parser_lab_shapes[8]);
}

TEST(gradient_of_a_parser_of_words_with_features_and_lemmas)
{
    check_gradients(parser_lab_shapes[9]);
}

TEST(gradient_of_a_parser_with_all_columns_and_vectors)
{
    check_gradients(parser_lab_shapes[10]);
}

TEST(gradient_of_a_parser_of_two_treebanks_with_all_columns_and_vectors)
{
    check_gradients(parser_lab_shapes[11]);
}

TEST(gradient_of_a_transformer_parser_of_two_treebanks_with_tags)
{
    check_gradients(parser_lab_shapes[12]);
}
