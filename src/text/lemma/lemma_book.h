/*
 * lemma_book.h: which scripts (lemma_script.h) a treebank has for a form with a tag: where a parser
 * meets the two again, one of these is right, nearly always.
 *
 * As text, which a model file holds, a line is a form, the number of a tag, and the numbers of
 * scripts, in the order in which they were met, with tabs between.
 */
#ifndef DGM_TEXT_LEMMA_LEMMA_BOOK_H
#define DGM_TEXT_LEMMA_LEMMA_BOOK_H

#include "base/buf.h"
#include "base/env.h"
#include "base/map.h"

enum { DGM_LEMMA_CHOICES = 64 };

/* Zeroed is valid and empty. */
struct dgm_lemma_book {
    struct dgm_map map; /* form, tab, tag -> number of the first of its entries */
    struct dgm_lemma_entry {
        int32_t script, next; /* -1: it is the last */
    } * entries;
    size_t count, capacity;
};

/* Adds a script, unless the form with the tag has it, or DGM_LEMMA_CHOICES others. Forms of more
 * than 1024 bytes are left out. */
dgm_status dgm_lemma_book_add(struct dgm_env *env, struct dgm_lemma_book *book, const char *form,
                              int32_t tag, int32_t script);
/* The first script of a form with a tag; NULL: there is none. */
const struct dgm_lemma_entry *dgm_lemma_book_find(const struct dgm_lemma_book *book,
                                                  const char *form, int32_t tag);
static inline const struct dgm_lemma_entry *dgm_lemma_book_next(const struct dgm_lemma_book *book,
                                                                const struct dgm_lemma_entry *entry)
{
    return entry->next >= 0 ? &book->entries[entry->next] : NULL;
}

dgm_status dgm_lemma_book_print(struct dgm_env *env, const struct dgm_lemma_book *book,
                                struct dgm_buf *out);
/* Reads the text into an empty book. DGM_DATA with `name` and the line for what is no line of one,
 * and for numbers that are not below `tags` and `scripts`. */
dgm_status dgm_lemma_book_parse(struct dgm_env *env, struct dgm_lemma_book *book, const char *text,
                                size_t bytes, int64_t tags, int64_t scripts, const char *name);

/* Bytes of what it holds, without room for more. */
double dgm_lemma_book_bytes(const struct dgm_lemma_book *book);
void dgm_lemma_book_clear(struct dgm_env *env, struct dgm_lemma_book *book);

#endif
