/* test_measure.c: tokens, words and letters of a line. */
#include "text/clean/measure.h"

#include <string.h>

#include "test.h"

static struct dgm_line_measure measure(const char *language, const char *text)
{
    struct dgm_line_measure measured;
    struct dgm_script_set set;

    memset(&set, 0, sizeof set);
    if (language != NULL)
        (void)dgm_script_set_fill(test_env(), &set, "language", language);
    dgm_measure_line(&measured, &set, text, strlen(text));
    return measured;
}

TEST(measure_counts_tokens_between_blanks_and_their_characters)
{
    CHECK_INT(measure(NULL, "").tokens, 0);
    CHECK_INT(measure(NULL, " \t\xC2\xA0").tokens, 0);
    CHECK_INT(measure(NULL, " ein  gr\xC3\xBC\xC3\x9F"
                            "er Hund ")
                  .tokens,
              3);
    CHECK_INT(measure(NULL, " ein  gr\xC3\xBC\xC3\x9F"
                            "er Hund ")
                  .longest,
              6);
    CHECK_INT(measure(NULL, "word").longest, 4);
}

TEST(measure_counts_each_character_without_blanks_around_as_a_token)
{
    /* Chinese "I like cats", then "OK". */
    const char *text = "\xE6\x88\x91\xE5\x96\x9C\xE6\xAC\xA2\xE7\x8C\xAB"
                       "OK";

    CHECK_INT(measure(NULL, text).tokens, 5);
    CHECK_INT(measure(NULL, text).longest, 2);
}

TEST(measure_counts_letters_by_script)
{
    const char *text = "abc \xD0\xB0\xD0\xB1 12, \xC3\x97";

    CHECK_INT(measure("ru", text).letters, 5);
    CHECK_INT(measure("ru", text).expected, 2);
    CHECK_INT(measure("en", text).expected, 3);
    CHECK_INT(measure(NULL, text).letters, 0);
}

TEST(measure_finds_what_is_no_text)
{
    struct dgm_script_set set;
    struct dgm_line_measure measured;

    CHECK_INT(measure(NULL, "a\xFF"
                            "b c")
                  .is_bad,
              1);
    CHECK_INT(measure(NULL, "a\xFF"
                            "b c")
                  .tokens,
              2);
    CHECK_INT(measure(NULL, "a\xFF"
                            "b c")
                  .longest,
              3);
    CHECK_INT(measure("de", "\xC3").is_bad, 1);
    CHECK_INT(measure("de", "\xED\xA0\x80").is_bad, 1);
    memset(&set, 0, sizeof set);
    dgm_measure_line(&measured, &set, "a\0b", 3);
    CHECK_INT(measured.is_bad, 1);
}
