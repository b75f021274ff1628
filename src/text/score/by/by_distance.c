/* by_distance.c: words by how many words away their head is, cut as McDonald and Nivre (EMNLP-CoNLL
 * 2007) cut arcs; 0 is the root. */
#include "text/score/by/by.h"

static void group(const struct dgm_by_word *word, struct dgm_by_group *out)
{
    static const int32_t edges[] = { 0, 1, 2, 3, 7 };

    dgm_by_cut(out, word->distance, edges, sizeof edges / sizeof *edges);
}

const struct dgm_by dgm_by_distance = {
    .name = "distance", .title = "distance", .needs = DGM_BY_TREES, .group = group
};
