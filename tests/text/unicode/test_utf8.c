/* test_utf8.c: decoding, checking and repairing UTF-8. */
#include <string.h>

#include "test.h"
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
