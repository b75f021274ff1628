/*
 * stops.h: whether a mark ends its sentence, by rules of languages: what stands before it, what
 * closes behind it, and what the next word looks like.
 */
#ifndef DGM_TEXT_SENTENCE_STOPS_H
#define DGM_TEXT_SENTENCE_STOPS_H

#include <stdint.h>

#include "text/sentence/abbreviations.h"

/* Marks beyond those of the Unicode Standard: an ellipsis, the Greek question mark. language may be
 * NULL. */
int dgm_stop_is_mark(const struct dgm_sentence_language *language, uint32_t code);

/*
 * text[at] is the first mark of a row of them, or the end of a paragraph; the sentence began at
 * `start`. Where the next sentence begins, which is above `at`; or 0, and in *resume the first
 * place behind the row. language NULL: of Chinese and Japanese.
 */
size_t dgm_stop_behind(const struct dgm_sentence_language *language, const char *text, size_t size,
                       size_t start, size_t at, size_t *resume);

#endif
