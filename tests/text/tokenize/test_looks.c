/* test_looks.c: what a line of text looks like, and from which share on it is told. */
#include "text/tokenize/looks.h"

#include <string.h>

#include "test.h"

#define HAN_6 "\xE5\xAD\x90\xE4\xBE\x9B\xE3\x81\xAF\xE7\x8A\xAC\xE3\x81\xA8\xE5\xBA\xAD"
#define THAI_6 "\xE0\xB8\x81\xE0\xB8\xB2\xE0\xB8\xA3\xE0\xB8\x81\xE0\xB8\xB2\xE0\xB8\xA3"

TEST(looks_of_lines)
{
    static const struct {
        const char *line;
        unsigned look;
    } cases[] = {
        { "", 0 },
        { ".", 0 },
        { "a b .", 0 },
        { "a b.", 1U << DGM_LOOKS_RUNNING },
        { "Why? ", 1U << DGM_LOOKS_RUNNING },
        { "and so on ...", 0 },
        { "a@@ b .", 1U << DGM_LOOKS_BPE },
        { "a b@@", 1U << DGM_LOOKS_BPE },
        { "a @@ b", 0 },
        { "@@", 0 },
        { "x@@y @-@", 0 },
        { "\xE2\x96\x81so \xE2\x96\x81it", 1U << DGM_LOOKS_SPM },
        { "\xE2\x96\x81so@@ it.",
          1U << DGM_LOOKS_SPM | 1U << DGM_LOOKS_BPE | 1U << DGM_LOOKS_RUNNING },
        { HAN_6 HAN_6, 1U << DGM_LOOKS_UNSPACED },
        { "a" HAN_6 HAN_6 "b", 1U << DGM_LOOKS_UNSPACED },
        { HAN_6 " " HAN_6, 0 },
        { HAN_6 "a" HAN_6, 0 },
        { THAI_6 THAI_6 THAI_6, 0 },
        { THAI_6 THAI_6 THAI_6 THAI_6, 1U << DGM_LOOKS_UNSPACED },
        { "\xEA\xB0\x80\xEA\xB0\x80\xEA\xB0\x80\xEA\xB0\x80\xEA\xB0\x80\xEA\xB0\x80"
          "\xEA\xB0\x80\xEA\xB0\x80\xEA\xB0\x80\xEA\xB0\x80\xEA\xB0\x80\xEA\xB0\x80",
          0 }, /* Hangul has blanks */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_INT(dgm_looks_of(cases[i].line, strlen(cases[i].line)), cases[i].look);
}

TEST(looks_are_told_from_a_share_on)
{
    struct dgm_looks looks = { 0 }, all = { 0 };

    CHECK(!dgm_looks_warn_of_pieces(test_env(), &looks, "nothing"));
    for (int i = 0; i < 21; i++) {
        const char *line = i < 2 ? "a@@ b" : i < 11 ? "c d." : "c d .";

        dgm_looks_add(&looks, line, strlen(line));
    }
    dgm_looks_add(&looks, " \t ", 3);
    CHECK_INT(looks.lines, 21);
    CHECK(!dgm_looks_warn_of_pieces(test_env(), &looks, "text"));
    CHECK(!dgm_looks_warn_of_running(test_env(), &looks, "text"));
    dgm_looks_add_all(&all, &looks);
    dgm_looks_add(&all, "a@@ b", 5);
    CHECK(dgm_looks_warn_of_pieces(test_env(), &all, "text"));
    for (int i = 0; i < 4; i++)
        dgm_looks_add(&all, "c d.", 4);
    CHECK(dgm_looks_warn_of_running(test_env(), &all, "text"));
    dgm_looks_add(&all, HAN_6 HAN_6, 36);
    dgm_looks_add(&all, HAN_6 HAN_6, 36);
    CHECK(!dgm_looks_warn_of_unspaced(test_env(), &all, "text"));
    dgm_looks_add(&all, HAN_6 HAN_6, 36);
    CHECK(dgm_looks_warn_of_unspaced(test_env(), &all, "text"));
}
