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

TEST(detokenize_opens_and_closes_curly_quotes)
{
    check_text("en", "\xE2\x80\x9C it \xE2\x80\x99s \xE2\x80\x9D , \xE2\x80\x9C so \xE2\x80\x9D",
               "\xE2\x80\x9Cit\xE2\x80\x99s\xE2\x80\x9D, \xE2\x80\x9Cso\xE2\x80\x9D");
    check_text("en",
               "the dogs \xE2\x80\x99 \xE2\x80\x9C \xE2\x80\x98 x \xE2\x80\x99 \xE2"
               "\x80\x9D",
               "the dogs\xE2\x80\x99 \xE2\x80\x9C\xE2\x80\x98x\xE2\x80\x99\xE2\x80\x9D");
    check_text("fr", "l\xE2\x80\x99 amiti\xC3\xA9 d\xE2\x80\x99 un voisin",
               "l\xE2\x80\x99"
               "amiti\xC3\xA9 d\xE2\x80\x99un voisin");
    check_text("de",
               "\xE2\x80\x9E so \xE2\x80\x9C , \xE2\x80\x9A so \xE2\x80\x98 und Hans \xE2\x80"
               "\x99 Opa geht \xE2\x80\x99 s",
               "\xE2\x80\x9Eso\xE2\x80\x9C, \xE2\x80\x9Aso\xE2\x80\x98 und Hans\xE2\x80"
               "\x99 Opa geht\xE2\x80\x99s");
    check_text("sv", "\xE2\x80\x9D ja \xE2\x80\x9D , sa \xE2\x80\x9D hon \xE2\x80\x9D",
               "\xE2\x80\x9Dja\xE2\x80\x9D, sa \xE2\x80\x9Dhon\xE2\x80\x9D");
    check_text("en", "\" sloppy \xE2\x80\x9D \xE2\x80\x9C sloppy \"",
               "\"sloppy\xE2\x80\x9D \xE2\x80\x9Csloppy\"");
}

TEST(detokenize_looks_below_marks)
{
    check_text("en", "Ame\xCC\x81 's cafe\xCC\x81 's .", "Ame\xCC\x81's cafe\xCC\x81's.");
    check_text("fr", "l' e\xCC\x81te\xCC\x81 qu' e\xCC\x81\xE2\x80\x8C ?",
               "l'e\xCC\x81te\xCC\x81 qu'e\xCC\x81\xE2\x80\x8C ?");
    check_text("hi",
               "( \xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80 )\xE2"
               "\x80\x8D ?",
               "(\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80)\xE2"
               "\x80\x8D?");
}
