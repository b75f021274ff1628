/*
 * tagged.h: a translation with the tags of its segment: <x1>, </x1>, <x2/>.
 */
#ifndef DGM_TEXT_DOCUMENT_TAGGED_H
#define DGM_TEXT_DOCUMENT_TAGGED_H

#include "text/document/document.h"

/* A part of a translation: text, or one of the tags. */
struct dgm_tagged {
    const char *text;
    size_t bytes;
    int32_t tag; /* of the segment, from 0; -1: it is text */
};

/* The next part from *at on; 0: there is none. */
int dgm_tagged_next(const struct dgm_document_parts *document, const struct dgm_segment *segment,
                    const char *text, size_t bytes, size_t *at, struct dgm_tagged *part);
/* Whether all tags of the segment are there once and nested. */
dgm_status dgm_tagged_check(struct dgm_env *env, const struct dgm_document_parts *document,
                            const struct dgm_segment *segment, const char *text, size_t bytes,
                            int *is_whole);

/* Appends text as the format spells it. */
typedef dgm_status dgm_spell_fn(struct dgm_env *env, const struct dgm_document_parts *document,
                                struct dgm_buf *out, const char *text, size_t bytes);
/* Appends a translation: its text spelled, and what its tags stand for as it was. */
dgm_status dgm_tagged_write(struct dgm_env *env, const struct dgm_document_parts *document,
                            const struct dgm_segment *segment, const char *text, size_t bytes,
                            dgm_spell_fn *spell, struct dgm_buf *out);

#endif
