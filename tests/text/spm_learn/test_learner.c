/* test_learner.c: models that are learned from a few lines. */
#include "test.h"
#include "text/spm/spm_encode.h"
#include "text/spm_learn/learn.h"

#include <string.h>

static const char *const lines[] = {
    "the cat sees the dog", "the dog sees the cat", "a cat and a dog", "the cats and the dogs",
    "dogs see cats",        "cats see dogs",        "the end",         "",
};
enum { LINES = sizeof lines / sizeof lines[0] };

/* Learns from the lines, forwards or backwards, and appends the model. */
static dgm_status learn(const struct dgm_spm_learn_options *options, int backwards,
                        struct dgm_buf *out)
{
    struct dgm_spm_learner learner;
    dgm_status status;

    memset(&learner, 0, sizeof learner);
    status = dgm_spm_learner_init(test_env(), &learner, options);
    for (int i = 0; i < LINES && status == DGM_OK; i++) {
        const char *line = lines[backwards ? LINES - 1 - i : i];

        status = dgm_spm_learner_line(test_env(), &learner, line, strlen(line));
    }
    if (status == DGM_OK)
        status = dgm_spm_learner_finish(test_env(), &learner, out);
    dgm_spm_learner_clear(test_env(), &learner);
    return status;
}

static void check_kind(enum dgm_spm_kind kind, size_t pieces)
{
    struct dgm_buf model = { .data = NULL }, again = { .data = NULL };
    struct dgm_spm_learn_options options;
    struct dgm_spm spm;

    dgm_spm_learn_defaults(&options);
    options.kind = kind;
    options.pieces = pieces;
    options.coverage = 1.0;
    CHECK_STATUS(learn(&options, 0, &model), DGM_OK);
    CHECK_STATUS(learn(&options, 1, &again), DGM_OK);
    CHECK(model.size == again.size && memcmp(model.data, again.data, model.size) == 0);
    memset(&spm, 0, sizeof spm);
    CHECK_STATUS(dgm_spm_parse(test_env(), &spm, model.data, model.size, "m"), DGM_OK);
    CHECK_INT(spm.kind, kind);
    CHECK_INT(dgm_spm_size(&spm), pieces);
    CHECK(dgm_spm_find(&spm,
                       "\xE2\x96\x81"
                       "dog",
                       6) != spm.unk ||
          kind == DGM_SPM_CHAR);
    dgm_spm_clear(test_env(), &spm);
    dgm_buf_clear(test_env(), &model);
    dgm_buf_clear(test_env(), &again);
}

TEST(spm_learner_makes_models_of_all_kinds_whatever_the_order_of_lines)
{
    check_kind(DGM_SPM_UNIGRAM, 24);
    check_kind(DGM_SPM_BPE, 24);
    check_kind(DGM_SPM_WORD, 9);
    check_kind(DGM_SPM_CHAR, 14);
}

TEST(spm_learner_keeps_symbols_and_bytes)
{
    static const char *const symbols[] = { "the", "<sep>" };
    struct dgm_buf model = { .data = NULL };
    struct dgm_spm_learn_options options;
    struct dgm_spm_line line;
    struct dgm_spm spm;

    dgm_spm_learn_defaults(&options);
    options.pieces = 290;
    options.byte_fallback = 1;
    options.symbols = symbols;
    options.symbol_count = 2;
    CHECK_STATUS(learn(&options, 0, &model), DGM_OK);
    memset(&spm, 0, sizeof spm);
    memset(&line, 0, sizeof line);
    CHECK_STATUS(dgm_spm_parse(test_env(), &spm, model.data, model.size, "m"), DGM_OK);
    CHECK_STATUS(dgm_spm_encode(test_env(), &spm, &line, "the<sep>\xC3\xA9", 10), DGM_OK);
    CHECK_INT(line.count, 5); /* a blank, both symbols, two bytes */
    CHECK_INT(dgm_spm_type(&spm, line.pieces[1].id), DGM_SPM_USER_DEFINED);
    CHECK_INT(dgm_spm_type(&spm, line.pieces[4].id), DGM_SPM_BYTE);
    dgm_spm_line_clear(test_env(), &line);
    dgm_spm_clear(test_env(), &spm);
    dgm_buf_clear(test_env(), &model);
}

/* The first of ten Han characters, and `count` that a number's digits stand for. */
static void write_han_word(char *out, int number, int count)
{
    for (int i = 0, rest = 10 * number; i <= count; i++, rest /= 10) {
        *out++ = '\xE4';
        *out++ = '\xB8';
        *out++ = (char)(0x80 + rest % 10);
    }
    *out = '\0';
}

/* Fifty short words, each six times, and fifty long ones, each five times. */
static dgm_status learn_from_han(const struct dgm_spm_learn_options *options, struct dgm_buf *out)
{
    struct dgm_spm_learner learner;
    dgm_status status;

    memset(&learner, 0, sizeof learner);
    status = dgm_spm_learner_init(test_env(), &learner, options);
    for (int i = 0; i < 11 * 50 && status == DGM_OK; i++) {
        char line[16];

        if (i < 6 * 50)
            write_han_word(line, i % 50, 2);
        else
            write_han_word(line, (7919 * (i % 50) + 1234) % 10000, 4);
        status = dgm_spm_learner_line(test_env(), &learner, line, strlen(line));
    }
    if (status == DGM_OK)
        status = dgm_spm_learner_finish(test_env(), &learner, out);
    dgm_spm_learner_clear(test_env(), &learner);
    return status;
}

/* Characters stay while pieces go: if those went that whole words have taken, no word could be
 * replaced any more, and the most probable words would stay, whatever they save. */
TEST(spm_learner_keeps_words_that_save_much_before_words_that_are_probable)
{
    struct dgm_buf model = { .data = NULL };
    struct dgm_spm_learn_options options;
    struct dgm_spm spm;
    int long_words = 0;

    dgm_spm_learn_defaults(&options);
    options.pieces = 3 + 11 + 5; /* five that are no characters */
    options.coverage = 1.0;
    CHECK_STATUS(learn_from_han(&options, &model), DGM_OK);
    memset(&spm, 0, sizeof spm);
    CHECK_STATUS(dgm_spm_parse(test_env(), &spm, model.data, model.size, "m"), DGM_OK);
    CHECK_INT(dgm_spm_size(&spm), options.pieces);
    for (int number = 0; number < 50; number++) {
        char piece[20] = "\xE2\x96\x81";

        write_han_word(piece + 3, (7919 * number + 1234) % 10000, 4);
        long_words += dgm_spm_find(&spm, piece, 18) != spm.unk;
    }
    CHECK(long_words > 0);
    dgm_spm_clear(test_env(), &spm);
    dgm_buf_clear(test_env(), &model);
}

/* Of 21,000 characters two are rare; the library's share of 0.9995 leaves them out. */
TEST(spm_learner_keeps_rare_characters_where_all_are_few)
{
    static const char common[] = "aaaaaaaaaabbbbbbbbbb", rare[] = "\xC3\x96 7";
    struct dgm_spm_learn_options options;

    dgm_spm_learn_defaults(&options);
    options.kind = DGM_SPM_CHAR;
    options.pieces = 30;
    options.may_be_fewer = 1;
    for (options.few = 4; options.few <= 5; options.few++) { /* 5 with the mark of a word */
        struct dgm_buf model = { .data = NULL };
        struct dgm_spm_learner learner = { 0 };
        struct dgm_spm spm;

        CHECK_STATUS(dgm_spm_learner_init(test_env(), &learner, &options), DGM_OK);
        for (int i = 0; i < 1000; i++)
            CHECK_STATUS(dgm_spm_learner_line(test_env(), &learner, common, strlen(common)),
                         DGM_OK);
        CHECK_STATUS(dgm_spm_learner_line(test_env(), &learner, rare, strlen(rare)), DGM_OK);
        CHECK_STATUS(dgm_spm_learner_finish(test_env(), &learner, &model), DGM_OK);
        memset(&spm, 0, sizeof spm);
        CHECK_STATUS(dgm_spm_parse(test_env(), &spm, model.data, model.size, "m"), DGM_OK);
        CHECK_INT(dgm_spm_find(&spm, "7", 1) != spm.unk, options.few == 5);
        CHECK_INT(dgm_spm_find(&spm, "\xC3\x96", 2) != spm.unk, options.few == 5);
        CHECK(dgm_spm_find(&spm, "b", 1) != spm.unk);
        dgm_spm_clear(test_env(), &spm);
        dgm_buf_clear(test_env(), &model);
        dgm_spm_learner_clear(test_env(), &learner);
    }
}

static void check_refused(const struct dgm_spm_learn_options *options)
{
    struct dgm_buf model = { .data = NULL };

    CHECK_STATUS(learn(options, 0, &model), DGM_USAGE);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &model);
}

TEST(spm_learner_refuses_symbols_and_sizes)
{
    static const char *const bad[] = { "", "a b", "<s>", "<0x0A>", "\xFF", "a\nb" };
    static const char *const twice[] = { "x", "x" };
    struct dgm_spm_learn_options options;

    dgm_spm_learn_defaults(&options);
    options.symbol_count = 1;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        options.symbols = &bad[i];
        check_refused(&options);
    }
    options.symbols = twice;
    options.symbol_count = 2;
    check_refused(&options);
    dgm_spm_learn_defaults(&options);
    options.pieces = 10;
    check_refused(&options);
    CHECK_STATUS(dgm_spm_learn_choose(test_env(), &options, "bpe", "nfc"), DGM_USAGE);
    dgm_env_clear_error(test_env());
}
