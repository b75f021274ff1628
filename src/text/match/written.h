/*
 * written.h: a text as the characters that every way of writing it has in common.
 *
 * Tokenisers, SentencePiece and normalisation write one text in different ways: with other white
 * space, in lower case, in Unicode's compatible forms, with other quotes and dashes, with Moses'
 * escapes (&apos;). What is left of all these are its units: one for each character, in lower case
 * and as NFKC writes it. White space, the mark of a blank in pieces (U+2581), and what nobody sees
 * (zero-width characters, soft hyphens) have none. Characters that spell an escape are what it
 * stands for, again and again, wherever the text was cut: a text with an escape of its own
 * ("Q&amp;A") is the same as what Moses makes of it ("Q &amp; amp ; A").
 */
#ifndef DGM_TEXT_MATCH_WRITTEN_H
#define DGM_TEXT_MATCH_WRITTEN_H

#include "base/buf.h"

/* Zeroed is empty; reused; cleared. */
struct dgm_written {
    uint32_t *units;  /* (count) */
    uint32_t *starts; /* (count) byte of the text where the character of each begins */
    size_t count, capacity;
};

/* Appends the units of a text of less than 4 GiB; starts count from `from`. An escape that began in
 * what was there before, and ends here, takes units of that away. */
dgm_status dgm_written_add(struct dgm_env *env, struct dgm_written *written, const char *text,
                           size_t bytes, size_t from);
void dgm_written_clear(struct dgm_env *env, struct dgm_written *written);

/* Moses' escape at the beginning of a text: its bytes, or 0; and what it stands for. */
size_t dgm_written_escape(const char *text, size_t bytes, char *character);

/* Appends a text in which Moses' escapes are the characters that they stand for, and hyphens that
 * it has cut out (a @-@ b) stand between their words; in one pass from the left, so that what an
 * escape yields is no escape again: "&amp;lt;" was "&lt;" in the text. */
dgm_status dgm_written_unescape(struct dgm_env *env, struct dgm_buf *out, const char *text,
                                size_t bytes);

#endif
