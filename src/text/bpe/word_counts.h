/*
 * word_counts.h: how often each word occurs: the base of learning BPE and of building
 * vocabularies.
 *
 * Words are what lies between blanks (U+0020); every other byte, a no-break space
 * included, is part of a word. Counts live in a dgm_map, whose entries keep the order
 * of first occurrence.
 */
#ifndef DGM_TEXT_BPE_WORD_COUNTS_H
#define DGM_TEXT_BPE_WORD_COUNTS_H

#include "base/buf.h"
#include "base/env.h"
#include "base/map.h"

/* subword-nmt strips these from both ends of a line. */
static inline int dgm_word_counts_is_edge(char c)
{
    return c == ' ' || c == '\r' || c == '\n';
}

/*
 * The next word of a line from *at on; 0 at the end. Blanks, CR and LF at the ends are
 * no words.
 */
int dgm_word_counts_next(const char *line, size_t bytes, size_t *at, const char **word,
                         size_t *length);

dgm_status dgm_word_counts_line(struct dgm_env *env, struct dgm_map *counts, const char *line,
                                size_t bytes);

/* Adds `word count` lines, as written by dgm_word_counts_print. */
dgm_status dgm_word_counts_load(struct dgm_env *env, struct dgm_map *counts, const char *path);

enum dgm_word_counts_order {
    DGM_WORD_COUNTS_FIRST, /* equally frequent words in the order of their first occurrence */
    DGM_WORD_COUNTS_BYTES  /* ... in the order of their bytes */
};

/* Entry numbers from the most to the least frequent word; the caller releases *order,
 * also after a failure. */
dgm_status dgm_word_counts_sort(struct dgm_env *env, uint32_t **order, const struct dgm_map *counts,
                                enum dgm_word_counts_order ties);

/* Appends `word count` lines as subword-nmt's get-vocab writes them. */
dgm_status dgm_word_counts_print(struct dgm_env *env, struct dgm_buf *out,
                                 const struct dgm_map *counts, enum dgm_word_counts_order ties);

#endif
