/* by_relation.c: words by their relation to the head, without its subtype. */
#include <stdio.h>

#include "text/score/by/by.h"

static void group(const struct dgm_by_word *word, struct dgm_by_group *out)
{
    out->place = 0;
    snprintf(out->name, sizeof out->name, "%s", word->relation);
}

const struct dgm_by dgm_by_relation = {
    .name = "relation", .title = "relation", .needs = DGM_BY_TREES, .group = group
};
