/*
 * test_health.c: figures of states and attention, where one knows what they must be.
 */
#include "model/probe/health.h"

#include <math.h>

#include "tiny.h"

enum { SENTENCES = 4 };

/* Sentences of 5, 3, 8 and 2 words without trees. */
static dgm_status fill(struct dgm_batch *batch)
{
    static const int32_t words[SENTENCES] = { 5, 3, 8, 2 };
    struct dgm_random random;

    memset(batch, 0, sizeof *batch);
    dgm_random_init(&random, 9, 0, 0, 0);
    for (int s = 0; s < SENTENCES; s++)
        DGM_TRY(tiny_add(batch, &random, words[s], TINY_NO_PARSE));
    return DGM_OK;
}

/* Fills every parameter whose name has `part` with x. */
static dgm_status set_all(struct tiny *tiny, const char *part, double x)
{
    struct dgm_params *params = &tiny->model.params;
    dgm_real values[4096];

    for (size_t p = 0; p < params->count; p++) {
        const int64_t count = params->items[p].rows * params->items[p].cols;

        if (strstr(params->items[p].name, part) == NULL)
            continue;
        for (int64_t i = 0; i < count; i++)
            values[i] = (dgm_real)x;
        DGM_TRY(dgm_params_write(test_env(), params, (dgm_param_id)p, values));
    }
    return DGM_OK;
}

static dgm_status measure(struct tiny *tiny, const struct dgm_batch *batch,
                          struct dgm_health *health)
{
    return dgm_health_measure(test_env(), health, &tiny->model, &tiny->step, &tiny->graph, batch);
}

/* Means over target positions of 1 / n and ln n, n: rows of memory. */
static void uniform(const struct tiny *tiny, const struct dgm_batch *batch, double *peak,
                    double *entropy)
{
    const int32_t *starts = tiny->step.memory.starts;
    double rows = 0;

    *peak = *entropy = 0;
    for (int32_t s = 0; s < batch->target.count; s++) {
        const double n = starts[s + 1] - starts[s], m = dgm_packed_length(&batch->target, s);
        *peak += m / n;
        *entropy += m * log(n);
        rows += m;
    }
    *peak /= rows;
    *entropy /= rows;
}

static int is_near(double got, double want)
{
    return fabs(got - want) < 1e-5;
}

/* Queries of zero see all keys alike; which is the largest the first of equals decides. */
static void check_uniform(const char *encoder, const char *decoder, const char *queries, int layers)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_health health;
    struct dgm_batch batch;
    struct tiny tiny;
    double peak, entropy;

    tiny_kinds(&config, encoder, decoder);
    config.tying = DGM_TIED_NONE;
    CHECK_STATUS(fill(&batch), DGM_OK);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(set_all(&tiny, queries, 0), DGM_OK);
    CHECK_STATUS(measure(&tiny, &batch, &health), DGM_OK);
    uniform(&tiny, &batch, &peak, &entropy);
    CHECK(is_near(health.peak, peak));
    CHECK(is_near(health.entropy, entropy));
    CHECK(is_near(health.same, 1));
    CHECK_INT(health.cross.layers, layers);
    for (int l = 0; l < layers; l++)
        CHECK(is_near(health.cross.entropy[l], entropy));
    CHECK(tiny.step.watch == NULL);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

TEST(health_of_attention_that_sees_all_alike)
{
    check_uniform("transformer", "transformer", "encoder_attn.q_proj", 2);
    check_uniform("lexicalized", "recurrent", "decoder.attention.score.weight", 1);
    check_uniform("sequential", "recurrent", "decoder.attention.score.weight", 1);
    check_uniform("constituency", "recurrent", "decoder.attention.score.weight", 1);
}

/* The same figures from the states themselves. */
TEST(health_of_states_is_that_of_the_numbers)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_health health;
    struct dgm_batch batch;
    struct dgm_encoding encoded;
    struct tiny tiny;
    dgm_real values[1024];
    double all = 0, most = 0, largest = 0;
    int64_t rows, cols;

    tiny_kinds(&config, "lexicalized", "recurrent");
    CHECK_STATUS(fill(&batch), DGM_OK);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(measure(&tiny, &batch, &health), DGM_OK);
    CHECK_STATUS(tiny_stage(&tiny, &batch, 0, 1), DGM_OK);
    encoded = dgm_net_encode(&tiny.graph, &tiny.model, &tiny.step);
    dgm_keep(&tiny.graph, encoded.all);
    CHECK_STATUS(dgm_graph_run(&tiny.graph), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&tiny.graph, encoded.all, values), DGM_OK);
    rows = dgm_node_rows(encoded.all);
    cols = tiny.model.encoder->width(&tiny.model.config);
    for (int64_t r = 0; r < rows; r++) {
        double sum = 0;
        for (int64_t c = 0; c < cols; c++) {
            const double x = (double)values[r * cols + c];
            sum += x * x / (double)cols;
            most = fabs(x) > most ? fabs(x) : most;
        }
        all += sum / (double)rows;
        largest = sum > largest ? sum : largest;
    }
    CHECK(most > 0);
    CHECK(is_near(health.state_rms, sqrt(all)));
    CHECK(is_near(health.state_max, most));
    CHECK(is_near(health.largest_state, sqrt(largest)));
    CHECK_INT(health.source.layers, 0);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

/* States that are no numbers do not pass for small ones. */
TEST(health_of_states_that_are_no_numbers)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_health health;
    struct dgm_batch batch;
    struct tiny tiny;

    tiny_kinds(&config, "sequential", "recurrent");
    CHECK_STATUS(fill(&batch), DGM_OK);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(set_all(&tiny, "encoder.embed_tokens", (double)NAN), DGM_OK);
    CHECK_STATUS(measure(&tiny, &batch, &health), DGM_OK);
    CHECK(!isfinite(health.largest_state));
    CHECK(!isfinite(health.state_rms));
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

/* One of several sentences is enough, wherever it stands: tokens of the others are numbers. */
TEST(health_of_one_sentence_whose_states_are_no_numbers)
{
    enum { BAD = 3, GOOD = 4 };

    for (int32_t bad = 0; bad < SENTENCES; bad++) {
        struct dgm_model_config config = tiny_config();
        struct dgm_health health;
        struct dgm_batch batch;
        struct tiny tiny;
        dgm_real values[TINY_VOCAB * 8];
        dgm_param_id table;

        tiny_kinds(&config, "sequential", "recurrent");
        CHECK_STATUS(fill(&batch), DGM_OK);
        for (int32_t i = 0; i < batch.source.offsets[SENTENCES]; i++)
            if (batch.source.words[i] >= 0)
                batch.source.ids[i] = i == batch.source.offsets[bad] ? BAD : GOOD;
        CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
        table = dgm_params_find(&tiny.model.params, "encoder.embed_tokens.weight");
        CHECK_INT(tiny.model.params.items[table].cols, config.dim);
        for (int i = 0; i < TINY_VOCAB * 8; i++)
            values[i] = i / 8 == BAD ? (dgm_real)NAN : 1;
        CHECK_STATUS(dgm_params_write(test_env(), &tiny.model.params, table, values), DGM_OK);
        CHECK_STATUS(measure(&tiny, &batch, &health), DGM_OK);
        CHECK(isnan(health.largest_state));
        CHECK(isnan(health.state_max));
        tiny_close(&tiny);
        dgm_batch_clear(test_env(), &batch);
    }
}

/* ---- gates ----------------------------------------------------------------------------------- */

/* All gates are 1/2, but for those whose bias is 30: `shares` of encoder and decoder. */
static void check_gates(const char *encoder, int64_t dynamic, const char *shut, double source,
                        double target)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_health health;
    struct dgm_batch batch;
    struct tiny tiny;

    tiny_kinds(&config, encoder, "recurrent");
    config.recurrent.dynamic = dynamic;
    config.tying = DGM_TIED_NONE;
    CHECK_STATUS(fill(&batch), DGM_OK);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(set_all(&tiny, "", 0), DGM_OK);
    CHECK_STATUS(set_all(&tiny, shut, 30), DGM_OK);
    CHECK_STATUS(measure(&tiny, &batch, &health), DGM_OK);
    CHECK(is_near(health.saturated[DGM_SOURCE], source));
    CHECK(is_near(health.saturated[DGM_TARGET], target));
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

/* Two units in the decoder, two in the layer beneath a tree, one in a tree (words are roots: its
 * right side), and with dynamic parameters a small one of half the width. */
TEST(health_of_gates_counts_those_that_are_open)
{
    check_gates("sequential", 0, "no such parameter", 0, 0);
    check_gates("sequential", 0, "encoder.birnn.forward.input.bias", 0.5, 0);
    check_gates("sequential", 0, "decoder.gru1.input.bias", 0, 0.5);
    check_gates("sequential", 0, "decoder.gru2.recurrent.bias", 0, 0.5);
    check_gates("sequential", 0, "input.bias", 1, 0.5);
    check_gates("lexicalized", 0, "tree.right.word.bias", 1.0 / 3, 0);
    check_gates("lexicalized", 0, "tree.left.word.bias", 0, 0);
    check_gates("lexicalized", 3, "tree.right.meta.word.bias", 0.5 / 3.5, 0);
    check_gates("sequential-dependency", 0, "encoder.preorder.input.bias", 0.25, 0);
}

TEST(health_of_a_transformer_has_no_gates)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_health health;
    struct dgm_batch batch;
    struct tiny tiny;

    CHECK_STATUS(fill(&batch), DGM_OK);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(measure(&tiny, &batch, &health), DGM_OK);
    CHECK(health.saturated[DGM_SOURCE] < 0 && health.saturated[DGM_TARGET] < 0);
    CHECK_INT(health.source.layers, 2);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}
