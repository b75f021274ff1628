/*
 * test_guided.c: attention that learns links of words: what it adds to the loss, and gradients of
 * whole models against central differences.
 */
#include "model/guided.h"

#include <math.h>

#include "data/batch.h"
#include "recurrent_case.h"

enum { PAIRS = 4, WITHOUT = 1, SAMPLES = 4 };

static const double relative_error = 1e-5;

/* Some links for each pair but one: of target word w to two source words. */
static dgm_status linked_batch(struct dgm_batch *batch, int with_weights)
{
    struct dgm_batch plain;
    dgm_status status = tiny_batch(&plain, 3);

    memset(batch, 0, sizeof *batch);
    for (int32_t s = 0; s < PAIRS && status == DGM_OK; s++) {
        const struct dgm_packed *source = &plain.source, *target = &plain.target;
        const int32_t m = source->word_offsets[s + 1] - source->word_offsets[s];
        const int32_t n = target->word_offsets[s + 1] - target->word_offsets[s];
        int32_t links[4 * TINY_LONGEST], count = 0;

        for (int32_t w = 0; w < n; w += 2)
            for (int32_t k = 0; k < 2 && k < m; k++) {
                links[2 * count] = (w + k) % m;
                links[2 * count++ + 1] = w;
            }
        status = dgm_batch_add(test_env(), batch, source, target, s, plain.numbers[s]);
        if (status == DGM_OK && s != WITHOUT)
            status = dgm_packed_add_links(test_env(), &batch->target, links, count);
        if (status == DGM_OK && with_weights)
            status = dgm_packed_add_weight(test_env(), &batch->target, 0.5F + (float)s);
    }
    dgm_batch_clear(test_env(), &plain);
    return status;
}

/* The sum whose gradient a step computes. */
static dgm_status whole_loss(struct tiny *tiny, double *sum)
{
    const struct dgm_parse_losses *losses = &tiny->parse_losses;
    dgm_real rows[512];

    DGM_TRY(tiny_run(tiny, sum));
    if (losses->guided == NULL)
        return DGM_OK;
    DGM_TRY(dgm_graph_read(&tiny->graph, losses->guided, rows));
    for (int64_t i = 0; i < dgm_node_rows(losses->guided); i++)
        *sum += losses->guide * (double)rows[i];
    return DGM_OK;
}

static dgm_status step(struct tiny *tiny, const struct dgm_batch *batch, double *loss)
{
    DGM_TRY(tiny_forget_grads(tiny));
    DGM_TRY(tiny_build(tiny, batch, 1, 3));
    DGM_TRY(whole_loss(tiny, loss));
    return dgm_graph_backward(&tiny->graph);
}

/* ---- gradients ------------------------------------------------------------------------------- */

static dgm_status loss_at(struct tiny *tiny, const struct dgm_batch *batch, struct dgm_ref at,
                          double x, double *loss)
{
    dgm_real value = (dgm_real)x;

    DGM_TRY(dgm_device_write(test_env(), tiny->device, at, &value, sizeof value));
    DGM_TRY(tiny_build(tiny, batch, 1, 3));
    return whole_loss(tiny, loss);
}

static dgm_status slope_error(struct tiny *tiny, const struct dgm_batch *batch, int64_t element,
                              double slope, double *error)
{
    const double h = 1e-6;
    struct dgm_ref at = { NULL, 0 };
    double up = 0, down = 0, numeric;
    dgm_real x;

    at.buffer = tiny->model.params.values;
    at.offset = (size_t)element * sizeof x;
    DGM_TRY(dgm_device_read(test_env(), tiny->device, &x, at, sizeof x));
    DGM_TRY(loss_at(tiny, batch, at, (double)x + h, &up));
    DGM_TRY(loss_at(tiny, batch, at, (double)x - h, &down));
    numeric = (up - down) / (2 * h);
    *error = fabs(numeric - slope) / (0.01 + fabs(numeric) + fabs(slope));
    return dgm_device_write(test_env(), tiny->device, at, &x, sizeof x);
}

static void check_gradients(const struct dgm_model_config *config, int with_weights)
{
    struct dgm_random random;
    struct dgm_batch batch;
    struct tiny tiny;
    dgm_real *grads;
    double loss;

    if (sizeof(dgm_real) != sizeof(double))
        TEST_SKIP("float build");
    CHECK_STATUS(tiny_open(&tiny, config, 1), DGM_OK);
    tiny.parse_losses.guide = 0.7;
    CHECK_STATUS(linked_batch(&batch, with_weights), DGM_OK);
    CHECK_STATUS(step(&tiny, &batch, &loss), DGM_OK);
    CHECK(tiny.parse_losses.guided != NULL);
    grads = tiny_grads(&tiny);
    CHECK(grads != NULL);
    dgm_random_init(&random, 9, 75, 0, 0);
    for (size_t p = 0; p < tiny.model.params.count; p++) {
        const struct dgm_param *param = &tiny.model.params.items[p];

        for (int i = 0; i < SAMPLES; i++) {
            const uint32_t count = (uint32_t)(param->rows * param->cols);
            const int64_t element = param->offset + (int64_t)dgm_random_below(&random, count);
            double error = 1;

            CHECK_STATUS(slope_error(&tiny, &batch, element, (double)grads[element], &error),
                         DGM_OK);
            if (!(error < relative_error)) {
                CHECK_STR(param->name, "a parameter with the right gradient");
                CHECK_NEAR(error, 0, relative_error);
            }
        }
    }
    dgm_release(test_env(), grads);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(gradient_of_a_guided_transformer)
{
    struct dgm_model_config config = tiny_config();

    config.dropout = 0.2;
    config.attention_dropout = 0.2;
    check_gradients(&config, 1);
}

TEST(gradient_of_a_transformer_guided_in_its_first_layer)
{
    struct dgm_model_config config = tiny_config();

    config.pre_norm = 1;
    config.guided_layer = 1;
    check_gradients(&config, 0);
}

TEST(gradient_of_a_guided_recurrent_model)
{
    struct dgm_model_config config = tiny_config();

    config.dropout = 0.2;
    tiny_kinds(&config, "sequential", "recurrent");
    config.tying = DGM_TIED_NONE;
    check_gradients(&config, 1);
}

TEST(gradient_of_guided_simple_recurrent_units)
{
    struct dgm_model_config config = tiny_config();

    tiny_kinds(&config, "transformer", "ssru");
    check_gradients(&config, 1);
}

/* ---- what it adds ---------------------------------------------------------------------------- */

/* Losses of links, row by row, and all gradients. */
struct result {
    dgm_real links[512];
    int64_t rows;
    dgm_real *grads;
    size_t count;
};

static void run(struct result *result, const struct dgm_model_config *config,
                const struct dgm_batch *batch, int threads, int recomputes, double guide)
{
    struct tiny tiny;
    double loss;

    memset(result, 0, sizeof *result);
    CHECK_STATUS(tiny_open(&tiny, config, threads), DGM_OK);
    tiny.parse_losses.guide = guide;
    tiny.graph.recomputes = recomputes;
    CHECK_STATUS(step(&tiny, batch, &loss), DGM_OK);
    CHECK((tiny.parse_losses.guided != NULL) == (guide > 0));
    if (guide > 0) {
        result->rows = dgm_node_rows(tiny.parse_losses.guided);
        CHECK_STATUS(dgm_graph_read(&tiny.graph, tiny.parse_losses.guided, result->links), DGM_OK);
    }
    result->count = (size_t)tiny.model.params.total;
    result->grads = tiny_grads(&tiny);
    tiny_close(&tiny);
}

static void check_bits(const struct dgm_model_config *config)
{
    struct result one, other;
    struct dgm_batch batch, plain;

    CHECK_STATUS(linked_batch(&batch, 0), DGM_OK);
    run(&one, config, &batch, 1, 0, 0.5);
    for (int recomputes = 0; recomputes < 2; recomputes++) {
        run(&other, config, &batch, 3, recomputes, 0.5);
        CHECK_MEM(other.links, one.links, sizeof one.links);
        CHECK_MEM(other.grads, one.grads, one.count * sizeof *one.grads);
        dgm_release(test_env(), other.grads);
    }
    dgm_release(test_env(), one.grads);
    /* Without a weight, links are as good as none. */
    CHECK_STATUS(tiny_batch(&plain, 3), DGM_OK);
    run(&one, config, &batch, 1, 0, 0);
    run(&other, config, &plain, 1, 0, 0);
    CHECK_MEM(other.grads, one.grads, one.count * sizeof *one.grads);
    dgm_release(test_env(), one.grads);
    dgm_release(test_env(), other.grads);
    dgm_batch_clear(test_env(), &batch);
    dgm_batch_clear(test_env(), &plain);
}

TEST(guided_alignment_has_the_same_bits_on_threads_and_when_made_again)
{
    struct dgm_model_config config = tiny_config();

    config.dropout = 0.2;
    check_bits(&config);
    tiny_kinds(&config, "sequential", "recurrent");
    config.tying = DGM_TIED_NONE;
    check_bits(&config);
}

/* A row's loss does not depend on its neighbours; rows of words without links, and ends, have
 * none; a weight of the pair is one of its losses. */
TEST(guided_loss_is_that_of_each_pair)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_batch batch, weighed, single;
    struct result all, heavy, own;

    CHECK_STATUS(linked_batch(&batch, 0), DGM_OK);
    CHECK_STATUS(linked_batch(&weighed, 1), DGM_OK);
    run(&all, &config, &batch, 1, 0, 1);
    run(&heavy, &config, &weighed, 1, 0, 1);
    for (int32_t s = 0; s < PAIRS; s++) {
        const int32_t start = batch.target.offsets[s], end = batch.target.offsets[s + 1];

        for (int32_t i = start; i < end; i++) {
            const int32_t word = batch.target.words[i];

            CHECK((all.links[i] > 0) == (s != WITHOUT && word >= 0 && word % 2 == 0));
            CHECK_NEAR(heavy.links[i], (0.5 + s) * (double)all.links[i],
                       1e-5 * (double)all.links[i]);
        }
        if (s == WITHOUT)
            continue;
        CHECK_STATUS(tiny_single(&single, &batch, s), DGM_OK);
        run(&own, &config, &single, 1, 0, 1);
        CHECK_MEM(own.links, all.links + start, (size_t)(end - start) * sizeof(dgm_real));
        dgm_release(test_env(), own.grads);
        dgm_batch_clear(test_env(), &single);
    }
    dgm_release(test_env(), all.grads);
    dgm_release(test_env(), heavy.grads);
    dgm_batch_clear(test_env(), &batch);
    dgm_batch_clear(test_env(), &weighed);
}

TEST(guided_layers_that_are_not_there_are_refused)
{
    struct dgm_model_config config = tiny_config();
    struct tiny tiny;

    config.guided_layer = 3;
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(dgm_guided_check(test_env(), &tiny.model), DGM_USAGE);
    dgm_env_clear_error(test_env());
    tiny_close(&tiny);
    config.guided_layer = 0;
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(dgm_guided_check(test_env(), &tiny.model), DGM_OK);
    CHECK_INT(dgm_guided_layer(&tiny.model), 2);
    tiny_close(&tiny);
}
