/* test_letters.c: capitals, small letters and heads of several languages. */
#include "text/case/letters.h"

#include <string.h>

#include "test.h"

typedef dgm_status letters_fn(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                              size_t count, enum dgm_letters letters);

static void check(letters_fn *fn, const char *language, const char *text, const char *want)
{
    struct dgm_buf out = { 0 };

    CHECK_STATUS(fn(test_env(), &out, text, strlen(text), dgm_letters_of(language)), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

TEST(letters_become_capitals)
{
    check(dgm_letters_upper, "de",
          "stra\xC3\x9F"
          "e",
          "STRASSE");
    check(dgm_letters_upper, "el", "\xCE\xBF\xCE\xB4\xCF\x8C\xCF\x82", /* final sigma */
          "\xCE\x9F\xCE\x94\xCE\x8C\xCE\xA3");
    check(dgm_letters_upper, "tr", "i\xC4\xB1", "\xC4\xB0I");
    check(dgm_letters_upper, NULL, "i\xC4\xB1", "II");
    check(dgm_letters_upper, "hr", "\xC7\x86\xC7\x85", "\xC7\x84\xC7\x84"); /* digraphs */
    check(dgm_letters_upper, "en", "o&apos;neill &amp; \xEF\xAC\x81n &#91;1&#93;",
          "O&apos;NEILL &amp; FIN &#91;1&#93;");
    check(dgm_letters_upper, "en", "a\xFFz", "A\xFFZ");
}

TEST(letters_become_small)
{
    check(dgm_letters_lower, "tr", "I\xC4\xB0", "\xC4\xB1i");
    check(dgm_letters_lower, "en", "Ix", "ix");
    check(dgm_letters_lower, "tr", "a\xFFZ", "a\xFFz");
    check(dgm_letters_lower, "el", "\xCE\x9F\xCE\xA3", "\xCE\xBF\xCF\x82");
}

TEST(letters_have_heads)
{
    check(dgm_letters_head, "en", "the", "The");
    check(dgm_letters_head, "en", "&quot;the", "&quot;The");
    check(dgm_letters_head, "en", "(a)", "(A)");
    check(dgm_letters_head, "en", "3d", "3d");
    check(dgm_letters_head, "en", "...", "...");
    check(dgm_letters_head, "en", "McDonald", "McDonald");
    check(dgm_letters_head, "de",
          "\xC3\x9F"
          "a",
          "Ssa");
    check(dgm_letters_head, "de",
          "\xC3\xBC"
          "ber",
          "\xC3\x9C"
          "ber");
    check(dgm_letters_head, "nl", "ijs", "IJs");
    check(dgm_letters_head, "en", "ijs", "Ijs");
    check(dgm_letters_head, "tr", "istanbul", "\xC4\xB0stanbul");
    check(dgm_letters_head, "hr",
          "\xC7\x86"
          "ep",
          "\xC7\x85"
          "ep");
    check(dgm_letters_head, "ka", "\xE1\x83\x90", "\xE1\x83\x90"); /* Georgian */
    check(dgm_letters_head, "ja", "\xE6\x97\xA5", "\xE6\x97\xA5");
    check(dgm_letters_head, "en", "", "");
}
