/* test_normalize.c: Moses' punctuation normalisation. */
#include <string.h>

#include "test.h"
#include "text/tokenize/normalize.h"

static void check_normal(const char *language, const char *text, const char *want)
{
    struct dgm_normalize_options options = { .punctuation = 1 };
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
