/* test_unicode.c: properties of characters. */
#include <string.h>

#include "test.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

TEST(unicode_knows_classes_of_characters)
{
    CHECK(dgm_unicode_is('a', DGM_UNICODE_LOWER));
    CHECK(dgm_unicode_is(0xDC, DGM_UNICODE_UPPER)); /* U with diaeresis */
    CHECK(dgm_unicode_is(0x4E2D, DGM_UNICODE_LETTER));
    CHECK(dgm_unicode_is(0x2167, DGM_UNICODE_ALPHA)); /* roman numeral eight: Nl */
    CHECK(!dgm_unicode_is(0x2167, DGM_UNICODE_LETTER));
    CHECK(dgm_unicode_is(0xBD, DGM_UNICODE_NUMBER)); /* one half: No */
    CHECK(!dgm_unicode_is(0xBD, DGM_UNICODE_DECIMAL));
    CHECK(dgm_unicode_is(0x20AC, DGM_UNICODE_CURRENCY));
    CHECK(dgm_unicode_is(0x2026, DGM_UNICODE_PUNCT));
    CHECK(dgm_unicode_is(0x3000, DGM_UNICODE_SPACE));
    CHECK(!dgm_unicode_is(0x200B, DGM_UNICODE_SPACE));
    CHECK(dgm_unicode_is_blank(0x1C) && !dgm_unicode_is(0x1C, DGM_UNICODE_SPACE));
    CHECK_INT(dgm_unicode_flags(DGM_UTF8_BAD), 0);
}

static void check_lower(const char *text, const char *want)
{
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_unicode_lower_text(test_env(), &out, text, strlen(text)), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

TEST(unicode_lowers_text_of_many_scripts)
{
    check_lower("\xC3\x9C"
                "BUNG \xC3\x89T\xC3\x89",
                "\xC3\xBC"
                "bung \xC3\xA9t\xC3\xA9");
    check_lower("\xD0\x96\xD0\x81", "\xD0\xB6\xD1\x91");                   /* Cyrillic */
    check_lower("\xD4\xB1\xD5\x96", "\xD5\xA1\xD6\x86");                   /* Armenian */
    check_lower("\xE1\x82\xA0", "\xE2\xB4\x80");                           /* Georgian */
    check_lower("\xC4\xB0", "i\xCC\x87");                                  /* dotted I */
    check_lower("\xCE\x9F\xCE\xA3 \xCE\xA3", "\xCE\xBF\xCF\x82 \xCF\x83"); /* sigmas */
    check_lower("a\xFF"
                "B",
                "a\xFF"
                "b");
}
