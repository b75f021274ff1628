/*
 * test_recurrent_odd_sentences.c: sentences that trees do not fit as they are: words in pieces,
 * sentences without a parse, and sentences without a word.
 */
#include "recurrent_output.h"

/* ---- words in pieces ------------------------------------------------------------------------- */

/* Five words: 1, 2, 3, 1 and 2 pieces, with a tree that crosses. */
enum { WORDS = 5, PIECES = 9 };

static const int32_t piece_words[PIECES + 1] = { 0, 1, 1, 2, 2, 2, 3, 4, 4, -1 };
static const int32_t word_heads[WORDS] = { 2, 3, 2, 2, 1 };
static const int32_t ids[PIECES + 1] = { 3, 4, 5, 6, 7, 8, 9, 10, 1, TINY_EOS };
static const int32_t single_words[PIECES + 1] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, -1 };
/* The same tree over pieces: a word is its first piece, on which its others depend. */
static const int32_t piece_heads[PIECES] = { 3, 6, 1, 3, 3, 3, 3, 1, 7 };
/* ((0 1) (2 (3 4))), and that over pieces, each word branching to the right: post-order. */
static const int32_t word_left[WORDS - 1] = { 0, 3, 2, 5 }, word_right[WORDS - 1] = { 1, 4, 6, 7 };
static const int32_t piece_left[PIECES - 1] = { 1, 0, 4, 3, 7, 6, 12, 10 };
static const int32_t piece_right[PIECES - 1] = { 2, 9, 5, 11, 8, 13, 14, 15 };

static dgm_status add_sentence(struct dgm_batch *batch, const int32_t *words, const int32_t *heads,
                               int32_t count, const int32_t *left, const int32_t *right)
{
    static const int32_t target_ids[3] = { 4, 9, TINY_EOS };
    struct dgm_packed source, target;
    dgm_status status;

    memset(&source, 0, sizeof source);
    memset(&target, 0, sizeof target);
    status = dgm_packed_add(test_env(), &source, ids, words, PIECES + 1, heads, count);
    if (status == DGM_OK && left != NULL)
        status = dgm_packed_add_binary(test_env(), &source, left, right);
    if (status == DGM_OK)
        status = dgm_packed_add(test_env(), &target, target_ids, single_words, 3, NULL, 2);
    if (status == DGM_OK)
        status = dgm_batch_add(test_env(), batch, &source, &target, 0, 100 + batch->source.count);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
    return status;
}

/* Both sentences of a batch come out alike. `more`: options beside those of the case. */
static void check_alike(const struct recurrent_case *one, const char *more,
                        const struct dgm_batch *batch)
{
    struct recurrent_output out;
    struct tiny tiny;
    char options[200];

    snprintf(options, sizeof options, "%s%s", one->options, more);
    CHECK_STATUS(recurrent_open(&tiny, options), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, batch, &out), DGM_OK);
    RECURRENT_CHECK(one, recurrent_same(batch, &out, 0, batch, &out, 1));
    recurrent_forget(&out);
    tiny_close(&tiny);
}

/* The models whose options begin with `options`. */
static void check_all_alike_with(const char *options, const char *more,
                                 const struct dgm_batch *batch)
{
    int found = 0;

    for (int v = 0; v < RECURRENT_CASES; v++)
        if (strncmp(recurrent_cases[v].options, options, strlen(options)) == 0) {
            found++;
            check_alike(&recurrent_cases[v], more, batch);
        }
    CHECK(found > 0);
}

static void check_all_alike(const char *options, const struct dgm_batch *batch)
{
    check_all_alike_with(options, "", batch);
}

TEST(recurrent_models_read_pieces_as_dependents_of_the_first)
{
    struct dgm_batch batch;

    memset(&batch, 0, sizeof batch);
    CHECK_STATUS(add_sentence(&batch, piece_words, word_heads, WORDS, NULL, NULL), DGM_OK);
    CHECK_STATUS(add_sentence(&batch, single_words, piece_heads, PIECES, NULL, NULL), DGM_OK);
    check_all_alike("encoder = lexicalized", &batch);
    check_all_alike("encoder = sequential-dependency", &batch);
    dgm_batch_clear(test_env(), &batch);
}

TEST(recurrent_models_read_pieces_as_constituents)
{
    struct dgm_batch batch;

    memset(&batch, 0, sizeof batch);
    CHECK_STATUS(add_sentence(&batch, piece_words, word_heads, WORDS, word_left, word_right),
                 DGM_OK);
    CHECK_STATUS(add_sentence(&batch, single_words, NULL, PIECES, piece_left, piece_right), DGM_OK);
    check_all_alike("encoder = constituency", &batch);
    dgm_batch_clear(test_env(), &batch);
}

/* ---- no parse -------------------------------------------------------------------------------- */

/* All words are roots. A word of one piece is a word. */
TEST(recurrent_models_without_a_parse_read_a_star)
{
    static const int32_t star[WORDS] = { 0, 1, 2, 3, 4 };
    struct dgm_batch batch;

    memset(&batch, 0, sizeof batch);
    CHECK_STATUS(add_sentence(&batch, piece_words, NULL, WORDS, NULL, NULL), DGM_OK);
    CHECK_STATUS(add_sentence(&batch, piece_words, star, WORDS, NULL, NULL), DGM_OK);
    check_all_alike("encoder = lexicalized", &batch);
    check_all_alike("encoder = sequential-dependency", &batch);
    dgm_batch_clear(test_env(), &batch);
}

TEST(recurrent_models_without_a_parse_may_read_a_chain)
{
    static const int32_t chain[PIECES] = { 0, 0, 1, 2, 3, 4, 5, 6, 7 };
    static const int32_t left[PIECES - 1] = { 7, 6, 5, 4, 3, 2, 1, 0 };
    static const int32_t right[PIECES - 1] = { 8, 9, 10, 11, 12, 13, 14, 15 };
    struct dgm_batch batch;

    memset(&batch, 0, sizeof batch);
    CHECK_STATUS(add_sentence(&batch, piece_words, NULL, WORDS, NULL, NULL), DGM_OK);
    CHECK_STATUS(add_sentence(&batch, single_words, chain, PIECES, left, right), DGM_OK);
    check_all_alike_with("encoder = lexicalized", "no-parse = chain\n", &batch);
    check_all_alike_with("encoder = sequential-dependency", "no-parse = chain\n", &batch);
    check_all_alike_with("encoder = constituency", "no-parse = chain\n", &batch);
    check_all_alike("encoder = constituency", &batch);
    dgm_batch_clear(test_env(), &batch);
}

/* ---- long lines without a parse -------------------------------------------------------------- */

enum { LONG = 200 };

static dgm_status add_long_sentence(struct dgm_batch *batch)
{
    static const int32_t target_ids[3] = { 4, 9, TINY_EOS };
    int32_t long_ids[LONG + 1], words[LONG + 1];
    struct dgm_packed source, target;
    dgm_status status;

    memset(&source, 0, sizeof source);
    memset(&target, 0, sizeof target);
    for (int32_t i = 0; i <= LONG; i++) {
        long_ids[i] = i < LONG ? 3 + i * i % 8 : TINY_EOS;
        words[i] = i < LONG ? i : -1;
    }
    status = dgm_packed_add(test_env(), &source, long_ids, words, LONG + 1, NULL, LONG);
    if (status == DGM_OK)
        status = dgm_packed_add(test_env(), &target, target_ids, single_words, 3, NULL, 2);
    if (status == DGM_OK)
        status = dgm_batch_add(test_env(), batch, &source, &target, 0, 100);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
    return status;
}

/* Training makes weights larger: every matrix of the tree, `factor` times. */
static dgm_status scale_tree(struct tiny *tiny, double factor)
{
    struct dgm_params *params = &tiny->model.params;
    dgm_real values[RECURRENT_MOST];

    for (size_t p = 0; p < params->count; p++) {
        const struct dgm_param *param = &params->items[p];

        if (strncmp(param->name, "encoder.tree.", 13) != 0 || strstr(param->name, "bias") != NULL)
            continue;
        DGM_TRY(dgm_params_read(test_env(), params, (dgm_param_id)p, values));
        for (int64_t i = 0; i < param->rows * param->cols; i++)
            values[i] = (dgm_real)(factor * (double)values[i]);
        DGM_TRY(dgm_params_write(test_env(), params, (dgm_param_id)p, values));
    }
    return DGM_OK;
}

/* Of all states of the long sentence: root mean square, and largest absolute value. */
struct extent {
    double rms, most;
};

static void measure_long(const char *options, double factor, struct extent *extent)
{
    struct recurrent_output out;
    struct dgm_model_config config;
    struct dgm_batch batch;
    struct tiny tiny;
    double sum = 0, count;

    memset(&batch, 0, sizeof batch);
    CHECK_STATUS(recurrent_config(&config, options), DGM_OK);
    recurrent_widths(&config, RECURRENT_E, RECURRENT_D, RECURRENT_K);
    config.max_length = LONG + 1;
    CHECK_STATUS(recurrent_start(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(scale_tree(&tiny, factor), DGM_OK);
    CHECK_STATUS(add_long_sentence(&batch), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
    count = (double)(out.rows * out.columns);
    extent->most = 0;
    for (int64_t i = 0; i < out.rows * out.columns; i++) {
        sum += (double)out.encoded[i] * (double)out.encoded[i];
        if (!(fabs((double)out.encoded[i]) <= extent->most))
            extent->most = fabs((double)out.encoded[i]);
    }
    recurrent_forget(&out);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
    extent->rms = sqrt(sum / count);
}

/* The default keeps states small; what a chain does with a sum for its carry shows that the weights
 * are large enough to matter. Where they hold update gates open, states grow by 1 a word at
 * most. */
TEST(recurrent_states_of_a_long_line_without_a_parse_are_bounded)
{
    static const char *const chain = "encoder = lexicalized\nbirnn = 0\nno-parse = chain\n";
    struct extent extent = { 0, 0 };

    for (int v = 0; v < RECURRENT_CASES; v++) {
        const struct recurrent_case *one = &recurrent_cases[v];

        if (strstr(one->options, "tg12") != NULL) /* its gates add up to more than 1 */
            continue;
        for (int factor = 1; factor <= 2; factor++) {
            extent.rms = (double)NAN;
            measure_long(one->options, factor, &extent);
            RECURRENT_CHECK(one, extent.rms < 1);
        }
        extent.most = (double)NAN;
        measure_long(one->options, 100, &extent);
        RECURRENT_CHECK(one, extent.most < LONG + 1);
    }
    extent.rms = 0;
    measure_long(chain, 2, &extent);
    CHECK(!(extent.rms < 1000));
}

TEST(recurrent_models_without_a_parse_may_refuse)
{
    static const char *const options[] = {
        "encoder = lexicalized\nno-parse = reject\n",
        "encoder = sequential-dependency\nno-parse = reject\n",
        "encoder = constituency\nno-parse = reject\n",
    };
    struct dgm_batch batch, good;

    memset(&batch, 0, sizeof batch);
    memset(&good, 0, sizeof good);
    for (int s = 0; s < 2; s++)
        CHECK_STATUS(add_sentence(&batch, piece_words, s ? NULL : word_heads, WORDS, NULL, NULL),
                     DGM_OK);
    CHECK_STATUS(add_sentence(&good, piece_words, word_heads, WORDS, NULL, NULL), DGM_OK);
    for (int i = 0; i < 3; i++) {
        struct recurrent_output out;
        struct tiny tiny;
        CHECK_STATUS(recurrent_open(&tiny, options[i]), DGM_OK);
        CHECK_STATUS(tiny_stage(&tiny, &batch, 0, 1), DGM_DATA);
        CHECK(strstr(test_env()->error.message, "sentence 102 ") != NULL);
        dgm_env_clear_error(test_env());
        CHECK_STATUS(recurrent_run(&tiny, &good, &out), DGM_OK); /* and goes on */
        recurrent_forget(&out);
        tiny_close(&tiny);
    }
    dgm_batch_clear(test_env(), &batch);
    dgm_batch_clear(test_env(), &good);
}

/* A cycle, and a head outside the sentence. */
TEST(recurrent_models_refuse_what_is_no_tree)
{
    static const int32_t wrong[2][WORDS] = { { 1, 0, 2, 2, 2 }, { 2, 2, 2, WORDS, 2 } };
    struct dgm_batch batch;

    for (int i = 0; i < 2; i++) {
        memset(&batch, 0, sizeof batch);
        CHECK_STATUS(add_sentence(&batch, piece_words, wrong[i], WORDS, NULL, NULL), DGM_OK);
        for (int v = 0; v < RECURRENT_CASES; v++) {
            struct tiny tiny;
            if (strncmp(recurrent_cases[v].options, "encoder = sequential\n", 21) == 0)
                continue;
            CHECK_STATUS(recurrent_open(&tiny, recurrent_cases[v].options), DGM_OK);
            CHECK_STATUS(tiny_stage(&tiny, &batch, 1, 1), DGM_DATA);
            dgm_env_clear_error(test_env());
            tiny_close(&tiny);
        }
        dgm_batch_clear(test_env(), &batch);
    }
}

/* ---- no word --------------------------------------------------------------------------------- */

static dgm_status add_empty(struct dgm_batch *batch, int has_label)
{
    static const int32_t end[1] = { TINY_EOS }, mark[1] = { -1 };
    static const int32_t label[2] = { 5, TINY_EOS }, label_words[2] = { 0, -1 };
    struct dgm_packed source, target;
    dgm_status status;

    memset(&source, 0, sizeof source);
    memset(&target, 0, sizeof target);
    status = dgm_packed_add(test_env(), &source, end, mark, 1, NULL, 0);
    if (status == DGM_OK)
        status = has_label ? dgm_packed_add(test_env(), &target, label, label_words, 2, NULL, 1)
                           : dgm_packed_add(test_env(), &target, end, mark, 1, NULL, 0);
    if (status == DGM_OK)
        status = dgm_batch_add(test_env(), batch, &source, &target, 0, 100 + batch->source.count);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
    return status;
}

static void check_finite(const struct recurrent_case *one, struct tiny *tiny,
                         const struct dgm_batch *batch)
{
    double loss = HUGE_VAL;
    dgm_real *grads;

    CHECK_STATUS(tiny_step(tiny, batch, 1, &loss), DGM_OK);
    grads = tiny_grads(tiny);
    CHECK(grads != NULL);
    RECURRENT_CHECK(one, isfinite(loss));
    for (int64_t i = 0; i < tiny->model.params.total; i++)
        RECURRENT_CHECK(one, isfinite((double)grads[i]));
    dgm_release(test_env(), grads);
}

/* Empty lines first, in between and last: neighbours keep their bits, and nothing is undefined. */
static void check_empty(const struct recurrent_case *one)
{
    struct recurrent_output out, want;
    struct dgm_batch batch, plain;
    struct tiny tiny;

    CHECK_STATUS(recurrent_open(&tiny, one->options), DGM_OK);
    CHECK_STATUS(recurrent_batch(&plain, 3), DGM_OK);
    memset(&batch, 0, sizeof batch);
    for (int32_t s = 0; s < RECURRENT_PAIRS; s++) {
        if (s % 3 == 0)
            CHECK_STATUS(add_empty(&batch, s > 0), DGM_OK);
        CHECK_STATUS(dgm_batch_add(test_env(), &batch, &plain.source, &plain.target, s,
                                   plain.numbers[s]),
                     DGM_OK);
    }
    CHECK_STATUS(add_empty(&batch, 1), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &plain, &want), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
    for (int32_t s = 0; s < RECURRENT_PAIRS; s++)
        RECURRENT_CHECK(one, recurrent_same(&plain, &want, s, &batch, &out, s + s / 3 + 1));
    for (int64_t i = 0; i < batch.target.offsets[batch.target.count] * TINY_VOCAB; i++)
        RECURRENT_CHECK(one, isfinite((double)out.scores[i]));
    check_finite(one, &tiny, &batch);
    recurrent_forget(&want);
    recurrent_forget(&out);
    dgm_batch_clear(test_env(), &plain);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_models_read_sentences_without_a_word)
{
    for (int v = 0; v < RECURRENT_CASES; v++)
        check_empty(&recurrent_cases[v]);
}

/* Nothing but empty lines, and lines of one word. */
TEST(recurrent_models_read_batches_without_a_word)
{
    for (int v = 0; v < RECURRENT_CASES; v++) {
        struct dgm_batch batch;
        struct recurrent_output out;
        struct tiny tiny;
        memset(&batch, 0, sizeof batch);
        for (int s = 0; s < 3; s++)
            CHECK_STATUS(add_empty(&batch, s % 2), DGM_OK);
        CHECK_STATUS(recurrent_open(&tiny, recurrent_cases[v].options), DGM_OK);
        CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
        for (int64_t i = 0; i < batch.target.offsets[batch.target.count] * TINY_VOCAB; i++)
            RECURRENT_CHECK(&recurrent_cases[v], isfinite((double)out.scores[i]));
        check_finite(&recurrent_cases[v], &tiny, &batch);
        recurrent_forget(&out);
        dgm_batch_clear(test_env(), &batch);
        tiny_close(&tiny);
    }
}
