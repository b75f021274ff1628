/*
 * test_skip_gram.c: vectors from text: words of like use come to be alike, the first step is that
 * of the loss, threads change no bit, and draws have the shares that they should.
 */
#include "train/vectors/skip_gram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "train/vectors/skip_gram_draws.h"

static const struct dgm_skip_gram_reading once = { 1, 0, 0 };

static const char *put(char path[1200], const char *text)
{
    FILE *file;

    snprintf(path, 1200, "%s/text", test_dir());
    file = fopen(path, "wb");
    if (file != NULL) {
        (void)fputs(text, file);
        (void)fclose(file);
    }
    return path;
}

static dgm_status read_text(struct dgm_skip_gram_text *out, const char *text,
                            const struct dgm_skip_gram_reading *reading)
{
    char path[1200];
    const char *paths[1];

    paths[0] = put(path, text);
    return dgm_skip_gram_text_read(test_env(), out, paths, 1, reading);
}

static int64_t number_of(const struct dgm_skip_gram_text *text, const char *word)
{
    return (int64_t)dgm_vocab_find(&text->words, word, strlen(word)) - DGM_VOCAB_SPECIALS;
}

/* ---- text ------------------------------------------------------------------------------------ */

TEST(skip_gram_text_has_frequent_words_first_and_ends_of_lines)
{
    static const int32_t want[] = { 0, 1, 0, -1, -1, 1, 0, -1 };
    const struct dgm_skip_gram_reading lowered = { 2, 0, 1 };
    struct dgm_skip_gram_text text;

    CHECK_STATUS(read_text(&text, " b\ta  B c\n\nA b d", &lowered), DGM_OK);
    CHECK_INT(dgm_skip_gram_text_words(&text), 2);
    CHECK_INT(number_of(&text, "b"), 0);
    CHECK_INT(text.count, 8);
    CHECK_INT(text.tokens, 5);
    CHECK_MEM(text.ids, want, sizeof want);
    dgm_skip_gram_text_clear(test_env(), &text);
}

TEST(skip_gram_text_that_gives_no_two_words_is_refused)
{
    const struct dgm_skip_gram_reading twice = { 2, 0, 0 }, one = { 1, 1, 0 };
    struct dgm_skip_gram_text text;

    CHECK_STATUS(read_text(&text, "", &once), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(read_text(&text, "a a b c\n", &twice), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(read_text(&text, "a a b c\n", &one), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(read_text(&text, "a b\nc \xff\n", &once), DGM_DATA);
    CHECK_INT(test_env()->error.line, 2);
    dgm_env_clear_error(test_env());
}

/* ---- draws ----------------------------------------------------------------------------------- */

TEST(skip_gram_draws_words_by_their_counts_to_the_power_of_three_quarters)
{
    enum { PLACES = 20000, EACH = 8 };
    struct dgm_skip_gram_draws draws;
    struct dgm_skip_gram_text text;
    const struct dgm_kernels *kernels;
    int32_t drawn[EACH];
    double counts[3] = { 0 }, windows = 0, kept = 0;
    const double shares[3] = { 8, 2.8284271, 1 }; /* 16, 4 and 1 of 21 words */

    CHECK_STATUS(dgm_kernels_choose(test_env(), &kernels, NULL), DGM_OK);
    CHECK_STATUS(read_text(&text, "a a a a a a a a a a a a a a a a b b b b c\n", &once), DGM_OK);
    CHECK_STATUS(dgm_skip_gram_draws_init(test_env(), &draws, &text, 0.1, 7, kernels), DGM_OK);
    for (uint64_t p = 0; p < PLACES; p++) {
        const int window = dgm_skip_gram_window(&draws, 4, drawn, EACH, p, 2);

        CHECK(window >= 1 && window <= 4);
        windows += window;
        kept += dgm_skip_gram_keeps(&draws, 0, p, 2);
        CHECK_INT(dgm_skip_gram_keeps(&draws, 2, p, 2), 1); /* rare enough to be kept */
        for (int k = 0; k < EACH; k++)
            counts[drawn[k]]++;
    }
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(counts[i] / (PLACES * EACH), shares[i] / (9 + 2.8284271), 0.006);
    CHECK_NEAR(windows / PLACES, 2.5, 0.03);
    CHECK_NEAR(kept / PLACES, sqrt(2.1 / 16) + 2.1 / 16, 0.015);
    dgm_skip_gram_draws_clear(test_env(), &draws);
    dgm_skip_gram_text_clear(test_env(), &text);
}

/* ---- learning -------------------------------------------------------------------------------- */

/* vectors (words, dim), released by the caller. */
static dgm_status learn(dgm_real **vectors, const struct dgm_skip_gram_text *text,
                        struct dgm_skip_gram_options *options, int threads)
{
    dgm_status status;

    *vectors = calloc((size_t)(dgm_skip_gram_text_words(text) * options->dim), sizeof **vectors);
    DGM_TRY(dgm_kernels_choose(test_env(), &options->kernels, NULL));
    DGM_TRY(dgm_pool_new(test_env(), &options->pool, threads));
    status = dgm_skip_gram_learn(test_env(), *vectors, text, options);
    dgm_pool_free(test_env(), options->pool);
    return status;
}

static double cosine(const dgm_real *vectors, int64_t dim, int64_t a, int64_t b)
{
    double ab = 0, aa = 0, bb = 0;

    for (int64_t i = 0; i < dim; i++) {
        const double x = (double)vectors[a * dim + i], y = (double)vectors[b * dim + i];

        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return ab / sqrt(aa * bb);
}

/* Sentences of two kinds of subjects, each with its verbs. */
static dgm_status read_zoo(struct dgm_skip_gram_text *text)
{
    static const char *const words[2][2][3] = {
        { { "dog", "cat", "cow" }, { "eats", "sleeps", "runs" } },
        { { "car", "bus", "train" }, { "stops", "breaks", "halts" } }
    };
    static char all[40000];
    size_t at = 0;

    for (int i = 0; i < 900; i++) {
        const int kind = i % 2, subject = i / 2 % 3, verb = i / 6 % 3;

        at += (size_t)snprintf(all + at, sizeof all - at, "the %s %s now\n",
                               words[kind][0][subject], words[kind][1][verb]);
    }
    return read_text(text, all, &once);
}

TEST(skip_gram_makes_words_of_like_use_alike_on_any_number_of_threads)
{
    struct dgm_skip_gram_options options = {
        .dim = 20, .window = 2, .negatives = 5, .rate = 0.1, .epochs = 40, .seed = 3
    };
    struct dgm_skip_gram_text text;
    dgm_real *one, *other;
    int64_t dog, cow, bus;

    CHECK_STATUS(read_zoo(&text), DGM_OK);
    CHECK_STATUS(learn(&one, &text, &options, 1), DGM_OK);
    dog = number_of(&text, "dog");
    cow = number_of(&text, "cow");
    bus = number_of(&text, "bus");
    CHECK(cosine(one, 20, dog, cow) > cosine(one, 20, dog, bus) + 0.3);
    for (int threads = 2; threads <= 5; threads += 3) {
        CHECK_STATUS(learn(&other, &text, &options, threads), DGM_OK);
        CHECK_MEM(other, one, 20 * sizeof *one * (size_t)dgm_skip_gram_text_words(&text));
        free(other);
    }
    options.seed = 4;
    CHECK_STATUS(learn(&other, &text, &options, 1), DGM_OK);
    CHECK(memcmp(other, one, 20 * sizeof *one) != 0);
    free(one);
    free(other);
    dgm_skip_gram_text_clear(test_env(), &text);
}

/*
 * Two lines "a b" of one batch, twice. In the first pass all u are 0: v stay, and each u moves by
 * rate/2 times the v beside it. A pass of rate 0.75 then moves v by slopes that can be written
 * down. A word that is drawn beside itself does not count, so that draws of the other word alone
 * matter; without draws the loss is that of the pair.
 */
TEST(skip_gram_goes_down_the_slope_of_its_loss)
{
    struct dgm_skip_gram_options options = { .dim = 3, .window = 1, .epochs = 1, .rate = 0.5 };
    struct dgm_skip_gram_text text;
    dgm_real *start, *after;

    CHECK_STATUS(read_text(&text, "a b\n", &once), DGM_OK);
    CHECK_STATUS(learn(&start, &text, &options, 1), DGM_OK); /* u were 0: v are as drawn */
    options.epochs = 2;
    CHECK_STATUS(learn(&after, &text, &options, 1), DGM_OK);
    for (int w = 0; w < 2; w++) {
        const dgm_real *v = start + 3 * w; /* u of the other word is v times 0.5 of the rate */
        double u[3], dot = 0, slope;

        for (int i = 0; i < 3; i++) {
            u[i] = 0.5 * 0.5 * (double)v[i];
            dot += u[i] * (double)v[i];
        }
        slope = 0.25 * (1 - 1 / (1 + exp(-dot))); /* the rate has come down by half */
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(after[3 * w + i], (double)v[i] + slope * u[i], 1e-6);
    }
    free(start);
    free(after);
    dgm_skip_gram_text_clear(test_env(), &text);
}

TEST(skip_gram_that_leaves_all_numbers_fails)
{
    struct dgm_skip_gram_options options = {
        .dim = 4, .window = 2, .negatives = 5, .rate = 1e30, .epochs = 9
    };
    struct dgm_skip_gram_text text;
    dgm_real *vectors;

    CHECK_STATUS(read_zoo(&text), DGM_OK);
    if (sizeof(dgm_real) == sizeof(float))
        CHECK_STATUS(learn(&vectors, &text, &options, 1), DGM_FAILURE);
    else
        CHECK_STATUS(learn(&vectors, &text, &options, 1), DGM_OK);
    dgm_env_clear_error(test_env());
    free(vectors);
    dgm_skip_gram_text_clear(test_env(), &text);
}
