/* test_detokenize.c: tokens joined to text again. */
#include <string.h>

#include "test.h"
#include "text/tokenize/detokenize.h"

static void check_text(const char *language, const char *tokens, const char *want)
{
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_detokenize_line(test_env(), &out, tokens, strlen(tokens), language), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

TEST(detokenize_joins_what_belongs_together)
{
    check_text("en", "He said : &quot; it &apos;s ( very ) late , &quot; she thought .",
               "He said: \"it's (very) late,\" she thought.");
    check_text("en", "The Jones ' house costs $ 5 .", "The Jones' house costs $5.");
    check_text("en", "well @-@ known &amp; loved", "well-known & loved");
    check_text("en", "&amp;lt;", "&lt;");
    check_text("fr", "l&apos; homme , vraiment ?", "l'homme, vraiment ?");
    check_text("de", "\xE4\xB8\xAD \xE6\x96\x87 ja", "\xE4\xB8\xAD\xE6\x96\x87 ja");
}
