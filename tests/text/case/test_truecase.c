/* test_truecase.c: words counted, heads lowered and raised, what was shouted. */
#include "text/case/truecase.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

/* A model of lines that are read from a file, as users have them. */
static void learn(struct dgm_truecase_model *model, const char *language, const char *const *lines,
                  const char *want)
{
    struct dgm_truecase_scratch scratch = { 0 };
    struct dgm_tally tally = { 0 };
    struct dgm_buf text = { 0 };
    char path[500];
    FILE *file;

    snprintf(path, sizeof path, "%s/model", test_dir());
    for (; *lines != NULL; lines++)
        CHECK_STATUS(dgm_truecase_count(test_env(), &scratch, &tally, *lines, strlen(*lines)),
                     DGM_OK);
    CHECK_STATUS(dgm_truecase_model_print(test_env(), &text, &tally.counts,
                                          dgm_letters_of(language)),
                 DGM_OK);
    if (want != NULL)
        CHECK_STR(text.data, want);
    file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(text.data, 1, text.size, file) == text.size);
    fclose(file);
    CHECK_STATUS(dgm_truecase_model_load(test_env(), model, path, dgm_letters_of(language)),
                 DGM_OK);
    dgm_buf_clear(test_env(), &text);
    dgm_tally_clear(test_env(), &tally);
    dgm_truecase_scratch_clear(test_env(), &scratch);
}

/* One way, and back. */
static void check(const struct dgm_truecase_model *model, const char *line, const char *want,
                  const char *back)
{
    struct dgm_truecase_scratch scratch = { 0 };
    struct dgm_buf out = { 0 }, undone = { 0 };

    CHECK_STATUS(dgm_truecase_apply(test_env(), &scratch, model, &out, line, strlen(line)), DGM_OK);
    CHECK_STR(out.size > 0 ? out.data : "", want);
    CHECK_STATUS(dgm_truecase_undo(test_env(), &scratch, &undone, out.data, out.size,
                                   model->letters),
                 DGM_OK);
    CHECK_STR(undone.size > 0 ? undone.data : "", back);
    dgm_buf_clear(test_env(), &out);
    dgm_buf_clear(test_env(), &undone);
    dgm_truecase_scratch_clear(test_env(), &scratch);
}

TEST(truecase_lowers_heads_that_are_no_names)
{
    static const char *const lines[] = {
        "Once the man saw Berlin and McDonald .",
        "Once the US told us of the man , the us of us .",
        "SOME MEN SHOUT THE US",
        "He said : The O&apos;Neill e-mail .",
        "See the iPhone in The The .",
        NULL,
    };
    struct dgm_truecase_model model = { 0 };

    learn(&model, "en", lines,
          "the (5/7) The (2)\nus (3/4) US (1)\nman (2/2)\nof (2/2)\nand (1/1)\n"
          "Berlin (1/1)\ne-mail (1/1)\nin (1/1)\niPhone (1/1)\nMcDonald (1/1)\n"
          "O&apos;Neill (1/1)\nsaid (1/1)\nsaw (1/1)\ntold (1/1)\n");
    CHECK(!test_has_failed());
    check(&model, "The man saw him .", "the man saw him .", "The man saw him .");
    check(&model, "Berlin saw The man .", "Berlin saw The man .", "Berlin saw The man .");
    check(&model, "US men . Us .  \" The man . \"", "US men . us .  \" the man . \"",
          "US men . Us .  \" The man . \"");
    check(&model, "IPhone in", "iPhone in", "IPhone in");
    check(&model, "MCDONALD AND O&apos;NEILL E-MAIL THE X-IN",
          "McDonald and O&apos;Neill e-mail the x-in", "McDonald and O&apos;Neill e-mail the x-in");
    check(&model, "Nobody , IN", "Nobody , IN", "Nobody , IN");
    check(&model, "Bad \xFF", "Bad \xEF\xBF\xBD", "Bad \xEF\xBF\xBD");
    check(&model, "", "", "");
    dgm_truecase_model_clear(test_env(), &model);
}

TEST(truecase_knows_words_whose_capitals_lost_something)
{
    static const char *const lines[] = {
        "x die Stra\xC3\x9F"
        "e \xCE\xBF\xCE\xB4\xCF\x8C\xCF\x82 \xC3\xA9t\xC3\xA9 Masse Ma\xC3\x9F"
        "e",
        NULL
    };
    struct dgm_truecase_model model = { 0 };

    learn(&model, "de", lines, NULL);
    check(&model, "DIE STRASSE MASSE",
          "die Stra\xC3\x9F"
          "e Masse",
          "Die Stra\xC3\x9F"
          "e Masse");
    CHECK(!test_has_failed());
    check(&model, "ETE \xCE\x9F\xCE\x94\xCE\x9F\xCE\xA3",
          "\xC3\xA9t\xC3\xA9 \xCE\xBF\xCE\xB4\xCF\x8C\xCF\x82",
          "\xC3\x89t\xC3\xA9 \xCE\xBF\xCE\xB4\xCF\x8C\xCF\x82");
    dgm_truecase_model_clear(test_env(), &model);
}

TEST(truecase_of_turkish_keeps_dots)
{
    static const char *const lines[] = { "x \xC4\xB0stanbul \xC4\xB1l\xC4\xB1k ilk", NULL };
    struct dgm_truecase_model model = { 0 };

    learn(&model, "tr", lines, NULL);
    check(&model, "\xC4\xB0lk \xC4\xB0stanbul", "ilk \xC4\xB0stanbul",
          "\xC4\xB0lk \xC4\xB0stanbul");
    CHECK(!test_has_failed());
    check(&model, "Il\xC4\xB1k ilk", "\xC4\xB1l\xC4\xB1k ilk", "Il\xC4\xB1k ilk");
    check(&model, "ILIK \xC4\xB0STANBUL", "\xC4\xB1l\xC4\xB1k \xC4\xB0stanbul",
          "Il\xC4\xB1k \xC4\xB0stanbul");
    dgm_truecase_model_clear(test_env(), &model);
}
