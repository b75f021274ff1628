/* test_normalize.c: Moses' punctuation normalisation. */
#include <string.h>

#include "test.h"
#include "text/tokenize/normalize.h"

static void check_normal(const char *language, const char *text, const char *want)
{
    struct dgm_normalize_options options = { .punctuation = 1,
                                             .steps = DGM_NORMAL_MOSES | DGM_NORMAL_USUAL };
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    options.language = language;
    CHECK_STATUS(dgm_normalize_line(test_env(), &out, text, strlen(text), &options), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

TEST(normalize_writes_quotes_dashes_and_blanks_plainly)
{
    check_normal("de", "\xE2\x80\x9Ehallo\xE2\x80\x9C", "\"hallo\"");
    check_normal("en",
                 "it\xE2\x80\x99s 5\xE2\x80\x93"
                 "6 \xE2\x80\x94 no\xE2\x80\xA6",
                 "it's 5-6 - no...");
    check_normal("fr", "\xC2\xAB\xC2\xA0oui\xC2\xA0\xC2\xBB\xC2\xA0!", "\"oui\" !");
    check_normal("en", "a(b)c ( d ) .", "a (b) c (d).");
    check_normal("en", "5 % of it : yes", "5% of it: yes");
    check_normal("en", "say \"yes\".", "say \"yes.\"");
    check_normal("de", "sag \"ja.\"", "sag \"ja\".");
    check_normal("de",
                 "10\xC2\xA0"
                 "000",
                 "10,000");
    check_normal("en",
                 "10\xC2\xA0"
                 "000",
                 "10.000");
}

/* Outputs of sacremoses 0.1.1: its options are our steps. */
TEST(normalize_by_steps_is_that_of_sacremoses)
{
    static const struct {
        const char *language;
        unsigned steps;
        const char *text, *want;
    } rows[] = {
        { "en", 7, "\xC2\xAB Oui \xC2\xBB  ( no ) , `so`", "\" Oui \" (no), 'so'" },
        { "en", 7,
          "a''b \xC2\xB4"
          "c\xC2\xB4 \xE2\x80\x9E"
          "d\xE2\x80\x9C \xE2\x80\x9A"
          "e\xE2\x80\x99 it\xE2\x80\x99s f\xE2\x80\x93g\xE2\x80\x94h\xE2\x80\xA6",
          "a \" b 'c' \"d\" 'e' it's f-g - h..." },
        { "en", 7, "say \"yes\", \"no.\"", "say \"yes,\" \"no.\"" },
        { "de", 7, "sag \"ja\", \"nein.\" <b> \"so.\"", "sag \"ja\", \"nein\". <b> \"so.\"" },
        { "de", 7, "\"ja.\" Dann \"nein.\"", "\"ja\". Dann \"nein.\"" },
        { "fr", 7,
          "\xC2\xAB\xC2\xA0oui\xC2\xA0\xC2\xBB 5\xC2\xA0% n\xC2\xBA\xC2\xA0"
          "4 : 3\xC2\xA0"
          "cm\xC2\xA0!",
          "\"oui\" 5% n\xC2\xBA 4: 3 cm!" },
        { "cs", 7,
          "\xC5\x99"
          "ekl \"ano\". 10\xC2\xA0"
          "000 ,\"a",
          "\xC5\x99"
          "ekl \"ano\". 10,000 ,\"a" },
        { "es", 7,
          "10\xC2\xA0"
          "000 \"a\",b",
          "10,000 \"a\",b" },
        { "it", 7,
          "10\xC2\xA0"
          "000 \"a\".",
          "10.000 \"a\"." },
        { "en", 6, "``a'' `b`", "``a\" `b`" },
        { "en", 5, "\"a\",", "\"a\"," },
        { "en", 3,
          "10\xC2\xA0"
          "000",
          "10\xC2\xA0"
          "000" },
        { "en", 7, "\xD9\xA3\xC2\xA0\xD9\xA1 \xD9\xA3 %", "\xD9\xA3.\xD9\xA1 \xD9\xA3%" },
        { "en", 15,
          "\xEF\xBC\x88\xE4\xBD\xA0\xE5\xA5\xBD\xEF\xBC\x89\xEF\xBC\x8C\xE4\xB8\x96\xE7\x95\x8C"
          "\xE3\x80\x82 \xE2\x80\x9C\xE5\xA5\xBD\xE2\x80\x9D\xEF\xBC\x81\xEF\xBC\x95\xEF\xBC\x85",
          "(\xE4\xBD\xA0\xE5\xA5\xBD),\xE4\xB8\x96\xE7\x95\x8C. \"\xE5\xA5\xBD\"!5%" },
        { "en", 23,
          "a\xE2\x80\x8B"
          "b\x09"
          "c\xC2\xAD"
          "d\x07 e\xCC\x81",
          "abcd e\xCC\x81" },
        { "en", 0,
          "  `a'' \"b\", 1\xC2\xA0"
          "2 ( c )\xC2\xA0;  ",
          "`a\" \"b\", 1\xC2\xA0"
          "2 (c) ;" },
        { "de", 7, "\"a.\"\xE3\x80\x80<b> .\".\"x", "\"a\".\xE3\x80\x80<b> \"..\"x" },
        { "en", 7,
          "\xE3\x80\x80"
          "a\xC2\xA0",
          "a" },
    };
    struct dgm_buf out = { 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct dgm_normalize_options options = { .punctuation = 1,
                                                       .steps = rows[i].steps,
                                                       .language = rows[i].language };

        dgm_buf_reset(&out);
        CHECK_STATUS(dgm_normalize_line(test_env(), &out, rows[i].text, strlen(rows[i].text),
                                        &options),
                     DGM_OK);
        CHECK_STR(out.data, rows[i].want);
    }
    dgm_buf_clear(test_env(), &out);
}

TEST(normalize_steps_are_named)
{
    unsigned steps;

    CHECK_STATUS(dgm_normal_steps_read(test_env(), "x", "penn,numbers", &steps), DGM_OK);
    CHECK_INT(steps, DGM_NORMAL_PENN | DGM_NORMAL_NUMBERS);
    CHECK_STATUS(dgm_normal_steps_read(test_env(), "x", "none", &steps), DGM_OK);
    CHECK_INT(steps, 0);
    CHECK_STATUS(dgm_normal_steps_read(test_env(), "x", "moses", &steps), DGM_OK);
    CHECK_INT(steps, DGM_NORMAL_MOSES | DGM_NORMAL_USUAL);
    CHECK_STATUS(dgm_normal_steps_read(test_env(), "x", "penn,", &steps), DGM_USAGE);
    CHECK_STATUS(dgm_normal_steps_read(test_env(), "x", "", &steps), DGM_USAGE);
}
