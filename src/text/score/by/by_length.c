/* by_length.c: lines by the words of the reference. */
#include "text/score/by/by.h"

static void group(const struct dgm_by_word *word, struct dgm_by_group *out)
{
    static const int32_t edges[] = { 1, 11, 21, 31, 41, 51, 61 };

    dgm_by_cut(out, word->words, edges, sizeof edges / sizeof *edges);
}

const struct dgm_by dgm_by_length = {
    .name = "length", .title = "words", .of_lines = 1, .group = group
};
