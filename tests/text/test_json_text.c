/*
 * test_json_text.c: what of a text could steer a terminal, or a reader of JSON, is escaped.
 */
#include "text/json_text.h"

#include <string.h>

#include "test.h"

/* The first and the last of each range, and their neighbours. */
TEST(json_text_escapes_what_steers_a_terminal)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "\x01\x1F \x7E", "\\u0001\\u001f ~" },
        { "\x7F\xC2\x80\xC2\x9F\xC2\xA0", "\\u007f\\u0080\\u009f\xC2\xA0" },
        { "\xE2\x80\x8D\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\x90",
          "\xE2\x80\x8D\\u200e\\u200f\xE2\x80\x90" },
        { "\xE2\x80\xA7\xE2\x80\xA8\xE2\x80\xAE\xE2\x80\xAF",
          "\xE2\x80\xA7\\u2028\\u202e\xE2\x80\xAF" },
        { "\xE2\x81\xA5\xE2\x81\xA6\xE2\x81\xA9\xE2\x81\xAA",
          "\xE2\x81\xA5\\u2066\\u2069\xE2\x81\xAA" },
        { "\xEF\xBB\xBE\xEF\xBB\xBF", "\xEF\xBB\xBE\\ufeff" },
        { "\"\\\n\t\xFF", "\\\"\\\\\\n\\t\\ufffd" },
    };
    struct dgm_buf out = { 0 };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dgm_buf_reset(&out);
        CHECK_STATUS(dgm_json_text_escape(test_env(), &out, cases[i].text, strlen(cases[i].text)),
                     DGM_OK);
        CHECK_STR(out.data, cases[i].want);
    }
    dgm_buf_clear(test_env(), &out);
}
