/* by_depth.c: words by how many heads stand above them in the tree; 0 is the root. */
#include "text/score/by/by.h"

static void group(const struct dgm_by_word *word, struct dgm_by_group *out)
{
    static const int32_t edges[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

    dgm_by_cut(out, word->depth, edges, sizeof edges / sizeof *edges);
}

const struct dgm_by dgm_by_depth = {
    .name = "depth", .title = "depth", .needs = DGM_BY_TREES, .group = group
};
