/* test_mteval.c: the tokenisers by which BLEU is defined. */
#include <string.h>

#include "test.h"
#include "text/score/mteval.h"

static void check_13a(const char *line, const char *want)
{
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_mteval_13a(test_env(), &out, line, strlen(line)), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

TEST(mteval_tokenizes_stops_commas_and_escapes)
{
    check_13a("Hello, world. 1,000.5 5-6 a-b", "Hello , world . 1,000.5 5 - 6 a-b");
    check_13a("&quot;a&amp;lt;b&quot;", "\" a < b \"");
    check_13a("it's 3.", "it's 3 .");
    check_13a("a<skipped>b\xC2\xA0"
              "c",
              "ab c");
}

/* By sacreBLEU 2.6.0 with regex 2026.11.19: Unicode 18. Of each line the first are characters of
 * Unicode 14, the last are of 15 to 18: a symbol, punctuation, a digit and a currency sign. */
TEST(mteval_intl_knows_characters_of_unicode_18)
{
    static const struct {
        const char *line, *want;
    } cases[] = {
        { "a\xE2\x82\xAC"
          "b 1,5 x,y",
          "a \xE2\x82\xAC b 1,5 x , y" },
        { "a\xF0\x9F\xAB\x88"
          "b",
          "a \xF0\x9F\xAB\x88 b" },
        { "a\xE1\xAD\x8E"
          "b",
          "a \xE1\xAD\x8E b" },
        { "\xF0\x90\xB5\x80,\xF0\x90\xB5\x80", "\xF0\x90\xB5\x80,\xF0\x90\xB5\x80" },
        { "5\xE2\x83\x81", "5 \xE2\x83\x81" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dgm_buf out = { 0 };

        CHECK_STATUS(dgm_mteval_intl(test_env(), &out, cases[i].line, strlen(cases[i].line)),
                     DGM_OK);
        CHECK_STR(out.data, cases[i].want);
        dgm_buf_clear(test_env(), &out);
    }
}

/* By sacreBLEU 2.6.0. The ends of a line are no neighbours, no escape is undone, an em dash counts
 * as Chinese, and an ideograph of the second plane does not. */
TEST(mteval_zh_sets_chinese_apart)
{
    static const char *const cases[][2] = {
        { "3-4, \xE4\xBD\xA0\xE5\xA5\xBD\xEF\xBC\x8Cworld\xE3\x80\x82",
          "3 - 4 , \xE4\xBD\xA0 \xE5\xA5\xBD \xEF\xBC\x8C world \xE3\x80\x82" },
        { ".5 a 5.", ".5 a 5." },
        { "&amp; \"x\"", "& amp ; \" x \"" },
        { " \xE3\x80\x80\xE4\xBD\xA0\xE3\x80\x80\xE4\xBD\xA0 ", "\xE4\xBD\xA0 \xE4\xBD\xA0" },
        { "a\xE2\x80\x94z\xF0\xA0\x80\x80z", "a \xE2\x80\x94 z\xF0\xA0\x80\x80z" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dgm_buf out = { 0 };

        CHECK_STATUS(dgm_mteval_zh(test_env(), &out, cases[i][0], strlen(cases[i][0])), DGM_OK);
        CHECK_STR(out.data, cases[i][1]);
        dgm_buf_clear(test_env(), &out);
    }
}
