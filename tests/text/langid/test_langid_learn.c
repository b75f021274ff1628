/* test_langid_learn.c: models of five languages: what they tell, the same bits for the same text,
 * and text that says nothing. */
#include "text/langid/langid_learn.h"

#include <string.h>

#include "five_languages.h"
#include "test.h"

static dgm_status learn(struct dgm_langid_model *model, size_t grams, int times)
{
    char codes[FIVE][DGM_LANGID_CODE] = { "" };
    struct dgm_langid_learner learner = { .language_count = FIVE };
    dgm_status status = DGM_OK;

    for (int l = 0; l < FIVE; l++)
        strcpy(codes[l], five_codes[l]);
    learner.languages = (const char(*)[DGM_LANGID_CODE])codes;
    for (int i = 0; i < times * FIVE_LINES * FIVE && status == DGM_OK; i++) {
        const char *line = five_lines[i % FIVE][i / FIVE % FIVE_LINES];

        status = dgm_langid_learner_add(test_env(), &learner, i % FIVE, line, strlen(line));
    }
    if (status == DGM_OK)
        status = dgm_langid_learner_make(test_env(), &learner, grams, model);
    dgm_langid_learner_clear(test_env(), &learner);
    return status;
}

/* The most probable language, and its probability. */
static const char *told(const struct dgm_langid_model *model, const char *text, double *probability)
{
    double probabilities[FIVE];
    int32_t sums[FIVE];
    int best = 0;

    (void)dgm_langid_judge(model, probabilities, sums, text, strlen(text));
    for (int l = 1; l < FIVE; l++)
        best = probabilities[l] > probabilities[best] ? l : best;
    *probability = probabilities[best];
    return *probability > 0 ? model->languages[best] : dgm_langid_unknown;
}

TEST(langid_tells_five_languages_apart)
{
    static const char *const texts[][2] = {
        { "en", "The dogs would have been in the house." },
        { "de", "Die Hunde sind nicht im Haus." },
        { "fr", "Les chiens sont dans la maison." },
        { "ru", "\xD0\xA1\xD0\xBE\xD0\xB1\xD0\xB0\xD0\xBA\xD0\xB0" },
        { "ja", "\xE7\x8A\xAC\xE3\x81\xAF\xE5\xBA\xAD\xE3\x81\xAB" },
        { "ja", "Hundehaus \xE7\x8A\xAC\xE3\x81\xAF\xE5\xBA\xAD\xE3\x81\xAB" },
        { "und", "" },
        { "und", "12:30 ..." },
        { "und", "\xE0\xB8\x81\xE0\xB8\xB2\xE0\xB8\xA3" }, /* Thai */
    };
    static const char half[] =
        "\xD1\x81\xD0\xBE\xD0\xB1\xD0\xB0\xD0\xBA\xD0\xB0 "
        "\xE0\xB8\x81\xE0\xB8\xB2\xE0\xB8\xA3\xE0\xB8\x81\xE0\xB8\xB2\xE0\xB8\xA3";
    struct dgm_langid_model model;
    double probability;

    CHECK_STATUS(learn(&model, 4000, 1), DGM_OK);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK_STR(told(&model, texts[i][1], &probability), texts[i][0]);
    /* Half of the letters are those of no language. */
    CHECK_STR(told(&model, half, &probability), "ru");
    CHECK_NEAR(probability, 0.5, 0.01);
    CHECK_INT(dgm_langid_find(&model, "fr"), 2);
    CHECK_INT(dgm_langid_find(&model, "fr-CA"), 2);
    CHECK_INT(dgm_langid_find(&model, "f"), -1);
    dgm_langid_model_clear(test_env(), &model);
}

/* Forty lines of each suffice to hold some back; the model is the same again, and no larger than
 * was asked for. */
TEST(langid_learns_the_same_from_the_same)
{
    struct dgm_langid_model a, b;

    CHECK_STATUS(learn(&a, 300, 12), DGM_OK);
    CHECK_STATUS(learn(&b, 300, 12), DGM_OK);
    CHECK_INT(a.gram_count, 300);
    CHECK_MEM(a.keys, b.keys, a.gram_count * sizeof *a.keys);
    CHECK_MEM(a.weights, b.weights, a.gram_count * FIVE);
    CHECK(a.scale == b.scale && a.scale > 0);
    for (size_t i = 1; i < a.gram_count; i++)
        CHECK(a.keys[i - 1] < a.keys[i]);
    dgm_langid_model_clear(test_env(), &a);
    dgm_langid_model_clear(test_env(), &b);
}

TEST(langid_refuses_a_language_without_a_letter)
{
    const char codes[2][DGM_LANGID_CODE] = { "en", "xx" };
    struct dgm_langid_learner learner = { .language_count = 2, .languages = codes };
    struct dgm_langid_model model;

    CHECK_STATUS(dgm_langid_learner_add(test_env(), &learner, 0, "a dog", 5), DGM_OK);
    CHECK_STATUS(dgm_langid_learner_add(test_env(), &learner, 1, "12 !", 4), DGM_OK);
    CHECK_STATUS(dgm_langid_learner_make(test_env(), &learner, 10, &model), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "xx: no letter") != NULL);
    dgm_langid_learner_clear(test_env(), &learner);
}

TEST(langid_codes_of_languages)
{
    CHECK(dgm_langid_is_code("en", 2) && dgm_langid_is_code("zh-Hans", 7));
    CHECK(!dgm_langid_is_code("", 0) && !dgm_langid_is_code("und", 3));
    CHECK(!dgm_langid_is_code("e n", 3) && !dgm_langid_is_code("e\tn", 3));
    CHECK(!dgm_langid_is_code("e\0n", 3));
    CHECK(!dgm_langid_is_code("abcdefghijklmnopqrstuvwxyzabcdef", 32));
    CHECK(dgm_langid_is_code("abcdefghijklmnopqrstuvwxyzabcde", 31));
}
