/* test_looks.c: what a line of text looks like, and from which share on it is told. */
#include "text/tokenize/looks.h"

#include <string.h>

#include "test.h"

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
}
