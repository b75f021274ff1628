/*
 * copies.h: words of a source that stand in a translation in place of some of its tokens.
 */
#ifndef DGM_DATA_TEXT_COPIES_H
#define DGM_DATA_TEXT_COPIES_H

#include "base/buf.h"

/* Tokens first .. end-1 of a translation, which are one word of what is written. */
struct dgm_copy {
    int32_t first, end;
    int32_t word;     /* of the source, from 0 */
    int is_glued;     /* pieces of SentencePiece: no blank stands before it */
    size_t at, bytes; /* its text, without blanks */
};

/* Of one translation, in the order of its tokens. Zeroed is valid, and empty. */
struct dgm_copies {
    struct dgm_copy *items; /* (count) */
    size_t count, capacity;
    struct dgm_buf text;
};

/* The copy that begins with token i, or NULL. *next, 0 at first, goes along with growing i. */
static inline const struct dgm_copy *dgm_copies_at(const struct dgm_copies *copies, int32_t i,
                                                   size_t *next)
{
    if (copies == NULL || *next >= copies->count || copies->items[*next].first != i)
        return NULL;
    return &copies->items[(*next)++];
}

/* The word that a copy among tokens first..end-1 is one of, or -1. */
static inline int32_t dgm_copies_word(const struct dgm_copies *copies, int32_t first, int32_t end)
{
    for (size_t c = 0; copies != NULL && c < copies->count; c++)
        if (copies->items[c].first >= first && copies->items[c].first < end)
            return copies->items[c].word;
    return -1;
}

#endif
