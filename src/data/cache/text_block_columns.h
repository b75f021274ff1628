/*
 * text_block_columns.h: the columns of a block of training text, for what packs and unpacks it.
 */
#ifndef DGM_DATA_CACHE_TEXT_BLOCK_COLUMNS_H
#define DGM_DATA_CACHE_TEXT_BLOCK_COLUMNS_H

#include "data/packed.h"

/* Bytes of a column's head; what the target's columns are higher by; columns beside those of
 * sides. */
enum { DGM_BLOCK_HEAD = 16, DGM_BLOCK_SIDE = 32, DGM_BLOCK_LINES = 64, DGM_BLOCK_KINDS = 65 };

/* Columns of a side. */
enum {
    DGM_BLOCK_LENGTHS,
    DGM_BLOCK_WORD_COUNTS,
    DGM_BLOCK_IDS,
    DGM_BLOCK_WORDS,
    DGM_BLOCK_HEADS,
    DGM_BLOCK_FEATURES,
    DGM_BLOCK_LEFT = 16,
    DGM_BLOCK_RIGHT,
    DGM_BLOCK_WEIGHTS,
    DGM_BLOCK_LINK_COUNTS, /* this and the next two of the target alone */
    DGM_BLOCK_LINK_SOURCES,
    DGM_BLOCK_LINK_TARGETS
};

/* The numbers of words that a side may lack; NULL: it has none of the kind, or there is no such
 * kind. */
static inline int32_t *dgm_block_column(const struct dgm_packed *side, unsigned which)
{
    if (which >= DGM_BLOCK_FEATURES && which < DGM_BLOCK_FEATURES + DGM_WORD_FEATURES)
        return side->features[which - DGM_BLOCK_FEATURES];
    return which == DGM_BLOCK_HEADS   ? side->heads
           : which == DGM_BLOCK_LEFT  ? side->left
           : which == DGM_BLOCK_RIGHT ? side->right
                                      : NULL;
}

#endif
