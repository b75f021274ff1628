/* test_utf8.c: decoding, checking and repairing UTF-8; properties of characters. */
#include <string.h>

#include "test.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

static void check_repair(const char *bytes, size_t count, const char *want, size_t want_replaced)
{
    struct dgm_buf out;
    size_t replaced = 99;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_utf8_repair(test_env(), &out, bytes, count, &replaced), DGM_OK);
    CHECK_STR(out.data, want);
    CHECK_INT(replaced, want_replaced);
    dgm_buf_clear(test_env(), &out);
}

#define BAD "\xEF\xBF\xBD"

TEST(utf8_decodes_what_it_encodes)
{
    uint32_t code, got;
    char bytes[4];
    size_t used;

    for (code = 1; code <= 0x10FFFF; code += code < 0x1000 ? 1 : 251) {
        if (code >= 0xD800 && code <= 0xDFFF)
            continue;
        used = dgm_utf8_encode(bytes, code);
        CHECK_INT(dgm_utf8_decode(&got, bytes, used), used);
        CHECK_INT(got, code);
        if (used > 1) {
            CHECK_INT(dgm_utf8_decode(&got, bytes, used - 1), used - 1);
            CHECK_INT(got, DGM_UTF8_BAD);
        }
    }
}

TEST(utf8_repair_replaces_each_maximal_ill_formed_part_once)
{
    check_repair("gut", 3, "gut", 0);
    check_repair("a\xFFz", 3, "a" BAD "z", 1);
    check_repair("\xC0\xAF", 2, BAD BAD, 2);
    check_repair("\xED\xA0\x80", 3, BAD BAD BAD, 3);
    check_repair("\xF4\x90\x80\x80", 4, BAD BAD BAD BAD, 4);
    check_repair("x\xE2\x82", 3, "x" BAD, 1);
    check_repair("\xF0\x9F\x98z", 4, BAD "z", 1);
    check_repair("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", 9, BAD BAD BAD BAD "A", 4);
    check_repair("a\0b", 3, "a" BAD "b", 1);
}

TEST(utf8_check_names_the_column_in_characters)
{
    struct dgm_env *env = test_env();

    CHECK_STATUS(dgm_utf8_check(env, "a.en", 1, "gr\xC3\xBC\xC3\x9F", 6), DGM_OK);
    CHECK_STATUS(dgm_utf8_check(env, "a.en", 3, "gr\xC3\xBC\xC3\x9F\xFF", 7), DGM_DATA);
    CHECK_STR(env->error.file, "a.en");
    CHECK_INT(env->error.line, 3);
    CHECK_INT(env->error.column, 5);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_utf8_check(env, "a.en", 4, "a\0", 2), DGM_DATA);
    CHECK_INT(env->error.column, 2);
}

TEST(utf8_quote_shows_control_bytes_and_cuts)
{
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_utf8_quote(test_env(), &out, "a\t\xFF\xC3\xA4", 5), DGM_OK);
    CHECK_STR(out.data, "\"a\\x09\\xFF\xC3\xA4\"");
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_utf8_quote(test_env(), &out, "0123456789012345678901234567890123456789x", 41),
                 DGM_OK);
    CHECK_STR(out.data, "\"0123456789012345678901234567890123456789\"...");
    dgm_buf_clear(test_env(), &out);
}

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
