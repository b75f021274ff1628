/* test_heads.c: sentences of a line of tokens, and the word at the head of each. */
#include "text/case/heads.h"

#include <string.h>

#include "test.h"

/* The heads of the sentences of a line, "|" behind each, "!" before those of capitals alone. */
static void check(const char *line, const char *want)
{
    struct dgm_headed sentence;
    char got[200] = "";
    size_t at = 0;

    for (; dgm_heads_next(line, strlen(line), at, &sentence); at = sentence.end) {
        if (sentence.is_shouted)
            strcat(got, "!");
        strncat(got, line + sentence.head, sentence.head_bytes);
        strcat(got, "|");
    }
    CHECK_STR(got, want);
    CHECK_INT(at, strlen(line));
}

TEST(sentences_have_heads)
{
    check("", "");
    check("The man .", "The|");
    check("The man . He ran ! Why ?", "The|He|Why|");
    check("&quot; ( The man ) . &quot; &apos;s He ran .", "The|&apos;s|");
    check("\" The man . \" He ran .", "The|He|");
    check("Wait ... no ?! yes", "Wait|yes|");
    check("25 Men walk .", "25|");
    check("- - -", "|");
    check("  spaced  out . ", "spaced||");
    check("Mr. Smith : No .", "Mr.|");
}

TEST(sentences_may_be_shouted)
{
    check("A FRIEND SHOWS IT . He ran .", "!A|He|");
    check("NATO", "NATO|");
    check("I A", "I|");
    check("WARNING &quot; 3 &quot; TIMES", "!WARNING|");
    check("\xC3\x89T\xC3\x89 \xC3\x80 PARIS", "!\xC3\x89T\xC3\x89|");
    check("NO iPhone", "NO|");
}

TEST(tokens_look)
{
    CHECK_INT(dgm_heads_looks("Man", 3),
              DGM_TOKEN_LETTER | DGM_TOKEN_SMALL | DGM_TOKEN_CAPITAL | DGM_TOKEN_HEAD);
    CHECK_INT(dgm_heads_looks("McX", 3),
              DGM_TOKEN_LETTER | DGM_TOKEN_SMALL | DGM_TOKEN_CAPITAL | DGM_TOKEN_CAPITALS);
    CHECK_INT(dgm_heads_looks("iX", 2), DGM_TOKEN_LETTER | DGM_TOKEN_SMALL | DGM_TOKEN_CAPITAL);
    CHECK_INT(dgm_heads_looks("&amp;", 5), 0);
    CHECK_INT(dgm_heads_looks("3\xFF", 2), DGM_TOKEN_NUMBER);
    CHECK_INT(dgm_heads_looks("\xE6\x97\xA5", 3), DGM_TOKEN_LETTER);
}
