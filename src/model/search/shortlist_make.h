/*
 * shortlist_make.h: a shortlist for a model, from a parallel corpus or from a lexical table.
 */
#ifndef DGM_MODEL_SEARCH_SHORTLIST_MAKE_H
#define DGM_MODEL_SEARCH_SHORTLIST_MAKE_H

#include "data/shortlist/shortlist_build.h"

struct dgm_shortlist_wishes {
    const char *model;
    const char *source, *target; /* the files of a corpus */
    const char *table;           /* or a lexical table; else NULL */
    const char *tag;             /* that sources of the corpus get; NULL: the model's */
    int32_t pairs;               /* of the corpus, at most */
    struct dgm_shortlist_sizes sizes;
    int has_sizes; /* somebody asked for these */
    int threads;
};

/* Writes the file `out`, which messages call `shown`. */
dgm_status dgm_shortlist_make_file(struct dgm_env *env, const struct dgm_shortlist_wishes *wishes,
                                   const char *out, const char *shown);

#endif
