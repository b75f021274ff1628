/*
 * shortlist_build.h: a shortlist from a lexical table.
 */
#ifndef DGM_DATA_SHORTLIST_SHORTLIST_BUILD_H
#define DGM_DATA_SHORTLIST_SHORTLIST_BUILD_H

#include "data/shortlist/lex_table.h"
#include "data/shortlist/shortlist.h"

struct dgm_shortlist_sizes {
    int32_t first;    /* so many of the most frequent target types are always allowed */
    int32_t best;     /* translations of a source type, at most ... */
    double threshold; /* ... and none that is less probable */
};

/*
 * counts (target types): how often each stands in the corpus; NULL: the order of the vocabulary is
 * that of frequency. Of equals the lower number comes first. A target type that is spelled like a
 * source type is a translation of it: names stay as they are.
 */
dgm_status dgm_shortlist_build(struct dgm_env *env, struct dgm_shortlist *shortlist,
                               const struct dgm_lex_table *table, const struct dgm_vocab *source,
                               const struct dgm_vocab *target, const int64_t *counts,
                               const struct dgm_shortlist_sizes *options);

#endif
