/* test_spelling.c: parts of an encoded line in the spelling of the line as it came. */
#include "data/text/spelling.h"

#include <string.h>

#include "test.h"

/* How the part of `cut` that is between the two bars is written in `raw`; "-": nobody knows. */
static void check(const char *raw, const char *bars, const char *want)
{
    const char *first = strchr(bars, '|'), *last = strrchr(bars, '|');
    const size_t start = (size_t)(first - bars), end = (size_t)(last - bars) - 1;
    struct dgm_raw_spelling spelling = { .raw = NULL };
    struct dgm_buf cut = { NULL, 0, 0, 0 }, out = { NULL, 0, 0, 0 };
    int done;

    for (const char *at = bars; *at != '\0'; at++)
        if (*at != '|')
            CHECK_STATUS(dgm_buf_add_char(test_env(), &cut, *at), DGM_OK);
    CHECK_STATUS(dgm_spelling_read(test_env(), &spelling, raw, strlen(raw), cut.data, cut.size),
                 DGM_OK);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &out, ""), DGM_OK);
    CHECK_STATUS(dgm_spelling_add(test_env(), &spelling, &out, start, end, &done), DGM_OK);
    CHECK_STR(done ? out.data : "-", want);
    dgm_buf_clear(test_env(), &out);
    dgm_buf_clear(test_env(), &cut);
    dgm_spelling_clear(test_env(), &spelling);
}

TEST(spelling_is_that_of_the_line)
{
    check("In  Zürich.", "in |zürich| .", "Zürich");
    check("In  Zürich.", "in zürich |.|", ".");
    check("İzmir x", "|i\xCC\x87zmir| x", "İzmir"); /* two letters in lower case */
    check("a „b“", "a |\"| b \"", "„");             /* quotes as they were */
    check("x ﬁT y", "x |fit| y", "ﬁT");
    check("A\xFFx c", "|a\xEF\xBF\xBDx| c", "A\xEF\xBF\xBDx");
}

TEST(spelling_keeps_what_nobody_sees_with_its_character)
{
    check("a \xE2\x9D\xA4\xEF\xB8\x8F z", "a |\xE2\x9D\xA4| z", "\xE2\x9D\xA4\xEF\xB8\x8F");
    check("a x\xE2\x80\x8D z", "a |x| z", "x\xE2\x80\x8D");
}

TEST(spelling_of_pieces)
{
    check("Xy! z", "▁xy |!| ▁z", "!");
    check("w Xy! z", "▁w |▁xy !| ▁z", "Xy!");
}

TEST(spelling_is_unknown_where_texts_differ)
{
    check("a b c", "a |xyz| b c", "-");
    check("1 000 x", "|1000| x", "-"); /* a word has no blank */
    check("", "|a|", "-");
}
