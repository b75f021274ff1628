/*
 * test_recurrent.c: what must hold of every recurrent model (specification, recurrent models,
 * 10.2): neighbours in a batch, sentences of one word and of many, step-by-step decoding, dropout,
 * and gradients that are zero by arithmetic.
 */
#include "recurrent_output.h"
#include "tiny_steps.h"

static void each_case(void (*check)(const struct recurrent_case *))
{
    for (int v = 0; v < RECURRENT_CASES; v++)
        check(&recurrent_cases[v]);
}

/* ---- 1, 2: neighbours ------------------------------------------------------------------------ */

static void check_neighbours(const struct recurrent_case *one)
{
    struct recurrent_output all, other;
    struct dgm_batch batch, changed;
    struct tiny tiny;

    CHECK_STATUS(recurrent_open(&tiny, one->options), DGM_OK);
    CHECK_STATUS(recurrent_batch(&batch, 1), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &all), DGM_OK);
    for (int32_t s = 0; s < RECURRENT_PAIRS; s++) {
        CHECK_STATUS(tiny_single(&changed, &batch, s), DGM_OK);
        CHECK_STATUS(recurrent_run(&tiny, &changed, &other), DGM_OK);
        RECURRENT_CHECK(one, recurrent_same(&batch, &all, s, &changed, &other, 0));
        recurrent_forget(&other);
        dgm_batch_clear(test_env(), &changed);
    }
    memset(&changed, 0, sizeof changed);
    for (int32_t s = 0; s < RECURRENT_PAIRS; s++)
        CHECK_STATUS(dgm_batch_add(test_env(), &changed, &batch.source, &batch.target,
                                   (3 * s + 2) % RECURRENT_PAIRS, s),
                     DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &changed, &other), DGM_OK);
    for (int32_t s = 0; s < RECURRENT_PAIRS; s++)
        RECURRENT_CHECK(one, recurrent_same(&batch, &all, (3 * s + 2) % RECURRENT_PAIRS, &changed,
                                            &other, s));
    recurrent_forget(&other);
    recurrent_forget(&all);
    dgm_batch_clear(test_env(), &changed);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_models_read_a_sentence_alone_as_in_any_batch)
{
    each_case(check_neighbours);
}

/* Gradients of a batch are the sum of those of its sentences, and its losses are theirs, bit by
 * bit, with dropout too. */
static void check_sums(const struct recurrent_case *one)
{
    struct dgm_model_config config;
    struct dgm_batch batch, single;
    dgm_real together[512], alone[512], *whole, *sum;
    struct tiny tiny;
    double loss, largest = 0, worst = 0;

    CHECK_STATUS(recurrent_config(&config, one->options), DGM_OK);
    recurrent_widths(&config, RECURRENT_E, RECURRENT_D, RECURRENT_K);
    config.dropout = 0.3;
    CHECK_STATUS(recurrent_start(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(recurrent_batch(&batch, 2), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 5, &loss), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&tiny.graph, tiny.loss, together), DGM_OK);
    whole = tiny_grads(&tiny);
    CHECK(whole != NULL);
    CHECK_STATUS(tiny_forget_grads(&tiny), DGM_OK);
    for (int32_t s = RECURRENT_PAIRS - 1; s >= 0; s--) {
        CHECK_STATUS(tiny_single(&single, &batch, s), DGM_OK);
        CHECK_STATUS(tiny_build(&tiny, &single, 1, 5), DGM_OK);
        CHECK_STATUS(tiny_run(&tiny, &loss), DGM_OK);
        CHECK_STATUS(dgm_graph_backward(&tiny.graph), DGM_OK);
        CHECK_STATUS(dgm_graph_read(&tiny.graph, tiny.loss, alone), DGM_OK);
        RECURRENT_CHECK(one, memcmp(alone, together + 2 * batch.target.offsets[s],
                                    (size_t)(2 * dgm_packed_length(&batch.target, s)) *
                                        sizeof *alone) == 0);
        dgm_batch_clear(test_env(), &single);
    }
    sum = tiny_grads(&tiny);
    CHECK(sum != NULL);
    for (int64_t i = 0; i < tiny.model.params.total; i++) {
        largest = fmax(largest, fabs((double)whole[i]));
        worst = fmax(worst, fabs((double)whole[i] - (double)sum[i]));
    }
    CHECK(largest > 0.1);
    RECURRENT_CHECK(one, worst < 3e-6 * largest);
    dgm_release(test_env(), whole);
    dgm_release(test_env(), sum);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_models_have_the_gradients_of_a_batch_from_its_sentences)
{
    each_case(check_sums);
}

/* ---- 6: zero by arithmetic ------------------------------------------------------------------- */

static dgm_status read_grad(struct tiny *tiny, const char *name, dgm_real *values)
{
    return dgm_params_read_grad(test_env(), &tiny->model.params,
                                dgm_params_find(&tiny->model.params, name), values);
}

/* A softmax does not see what is added to all scores; rows of the gradient of logits sum to 0, and
 * so does their sum, the gradient of the bias. Row 0 of the target embeddings, which the first step
 * of every sentence would read, has none: the first word before is a vector of zeros. */
static void check_zeros(const struct recurrent_case *one)
{
    dgm_real score[1] = { 1 }, bias[TINY_VOCAB], embed[TINY_VOCAB * RECURRENT_E];
    struct dgm_batch batch;
    struct tiny tiny;
    double loss, sum = 0, largest = 0;

    CHECK_STATUS(recurrent_open(&tiny, one->options), DGM_OK);
    CHECK_STATUS(recurrent_batch(&batch, 3), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 5, &loss), DGM_OK);
    CHECK_STATUS(read_grad(&tiny, "decoder.attention.score.bias", score), DGM_OK);
    CHECK_STATUS(read_grad(&tiny, "decoder.output_projection.bias", bias), DGM_OK);
    CHECK_STATUS(read_grad(&tiny, "decoder.embed_tokens.weight", embed), DGM_OK);
    for (int v = 0; v < TINY_VOCAB; v++) {
        sum += (double)bias[v];
        largest = fmax(largest, fabs((double)bias[v]));
    }
    RECURRENT_CHECK(one, fabs((double)score[0]) < 1e-5);
    RECURRENT_CHECK(one, largest > 0.1 && fabs(sum) < 1e-5 * largest);
    for (int64_t i = 0; i < tiny.model.config.dim; i++)
        RECURRENT_CHECK(one, embed[TINY_EOS * tiny.model.config.dim + i] == 0);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_models_have_the_zero_gradients_of_the_definition)
{
    each_case(check_zeros);
}

static void check_shift(const struct recurrent_case *one)
{
    struct recurrent_output before, after;
    struct dgm_batch batch;
    struct tiny tiny;

    CHECK_STATUS(recurrent_open(&tiny, one->options), DGM_OK);
    CHECK_STATUS(recurrent_batch(&batch, 4), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &before), DGM_OK);
    CHECK_STATUS(recurrent_set(&tiny, "decoder.attention.score.bias", 0, 1, 7.5), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &after), DGM_OK);
    for (int64_t i = 0; i < batch.target.offsets[batch.target.count] * TINY_VOCAB; i++)
        RECURRENT_CHECK(one, fabs((double)after.scores[i] - (double)before.scores[i]) < 1e-5);
    recurrent_forget(&before);
    recurrent_forget(&after);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_models_do_not_see_what_is_added_to_all_scores)
{
    each_case(check_shift);
}

/* ---- 8, 10: one word, and many --------------------------------------------------------------- */

static void check_lengths(const struct recurrent_case *one)
{
    static const struct recurrent_sentence ends[3] = {
        { TINY_LONGEST, 1, TINY_TREE, 0 },
        { 1, 1, TINY_TREE, 0 },
        { TINY_LONGEST, 1, TINY_NO_PARSE, 0 },
    };
    struct recurrent_output out;
    struct dgm_random random;
    struct dgm_batch batch;
    struct tiny tiny;
    double loss = HUGE_VAL, largest = 0;
    dgm_real *grads;

    memset(&batch, 0, sizeof batch);
    dgm_random_init(&random, 5, 78, 0, 0);
    for (int s = 0; s < 3; s++)
        CHECK_STATUS(recurrent_add(&batch, &random, &ends[s]), DGM_OK);
    CHECK_STATUS(recurrent_open(&tiny, one->options), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
    for (int64_t i = 0; i < out.rows * out.columns; i++)
        largest = fmax(largest, fabs((double)out.encoded[i]));
    RECURRENT_CHECK(one, largest > 0.05 && isfinite(largest)); /* sums may add up */
    if (strncmp(one->options, "encoder = sequential", 20) == 0)
        RECURRENT_CHECK(one, largest < 1);
    recurrent_forget(&out);
    CHECK_STATUS(tiny_step(&tiny, &batch, 1, &loss), DGM_OK);
    grads = tiny_grads(&tiny);
    CHECK(grads != NULL);
    RECURRENT_CHECK(one, isfinite(loss));
    for (int64_t i = 0; i < tiny.model.params.total; i++)
        RECURRENT_CHECK(one, isfinite((double)grads[i]));
    dgm_release(test_env(), grads);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_models_read_one_word_and_fifty)
{
    each_case(check_lengths);
}

/* ---- the decoder, token by token ------------------------------------------------------------- */

static void check_incremental(const struct recurrent_case *one)
{
    struct recurrent_output out;
    struct dgm_batch batch;
    struct tiny tiny;
    dgm_real *scores;
    size_t count;

    CHECK_STATUS(recurrent_open(&tiny, one->options), DGM_OK);
    CHECK_STATUS(recurrent_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
    count = (size_t)batch.target.offsets[batch.target.count] * TINY_VOCAB;
    scores = dgm_alloc(test_env(), count, sizeof *scores);
    CHECK(scores != NULL);
    CHECK_STATUS(tiny_steps(&tiny, &batch, scores), DGM_OK);
    RECURRENT_CHECK(one, memcmp(scores, out.scores, count * sizeof *scores) == 0);
    dgm_release(test_env(), scores);
    recurrent_forget(&out);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_models_decode_step_by_step_as_at_once)
{
    each_case(check_incremental);
}

/* Another target word moves what comes after it in its sentence, and nothing else. */
static void check_causal(const struct recurrent_case *one)
{
    struct recurrent_output before, after;
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t s = 5, first, m;

    CHECK_STATUS(recurrent_open(&tiny, one->options), DGM_OK);
    CHECK_STATUS(recurrent_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &before), DGM_OK);
    first = batch.target.offsets[s];
    m = dgm_packed_length(&batch.target, s);
    CHECK(m > 2);
    for (int32_t t = 0; t < m - 1; t++) {
        int32_t id = batch.target.ids[first + t], next = first + t + 1;
        size_t row = TINY_VOCAB * sizeof *before.scores;
        batch.target.ids[first + t] = id == 9 ? 8 : 9;
        CHECK_STATUS(recurrent_run(&tiny, &batch, &after), DGM_OK);
        RECURRENT_CHECK(one, memcmp(after.scores, before.scores, (size_t)next * row) == 0);
        RECURRENT_CHECK(one, memcmp(after.scores + next * TINY_VOCAB,
                                    before.scores + next * TINY_VOCAB, row) != 0);
        RECURRENT_CHECK(one, memcmp(after.scores + (first + m) * TINY_VOCAB,
                                    before.scores + (first + m) * TINY_VOCAB, row) == 0);
        recurrent_forget(&after);
        batch.target.ids[first + t] = id;
    }
    recurrent_forget(&before);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_models_do_not_look_at_later_target_words)
{
    each_case(check_causal);
}
