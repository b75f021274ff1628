/*
 * weave.h: spans put back between the words of a translation, with blanks where the line had them.
 */
#ifndef DGM_TEXT_SPAN_WEAVE_H
#define DGM_TEXT_SPAN_WEAVE_H

#include "text/span/place.h"

/* The line without its spans: what was between them. Where a span stood between two words that it
 * held apart, a blank does; where it has a slot, that stands between blanks. */
dgm_status dgm_spans_cut(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes,
                         const struct dgm_span_list *spans);

/*
 * Appends a text with the spans of a line in it. ends: the byte of the text behind its first g
 * words, for each gap g, which do not fall. All of the text and of the spans is there, in order,
 * but for blanks: a span is next to what it was next to, a mark or a word, where such a one is its
 * neighbour again.
 */
dgm_status dgm_spans_weave(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *text,
                           const size_t *ends, const char *line, size_t bytes,
                           const struct dgm_taken *items, const struct dgm_places *places);

#endif
