/* by_frequency.c: words by how often a text, that of training, has them. */
#include "text/score/by/by.h"

static void group(const struct dgm_by_word *word, struct dgm_by_group *out)
{
    static const int32_t edges[] = { 0, 1, 2, 5, 10, 100, 1000 };

    dgm_by_cut(out, word->seen, edges, sizeof edges / sizeof *edges);
}

const struct dgm_by dgm_by_frequency = {
    .name = "frequency", .title = "seen", .needs = DGM_BY_TEXT, .group = group
};
