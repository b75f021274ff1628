/*
 * slot.h: characters that stand for spans in a line, where a model has learned to put them: of
 * Unicode's noncharacters, which no text has (section 23.7 of the standard), from U+FDD0 on.
 *
 * A slot stands between blanks and is a word of its own, and one entry of the vocabularies, spelled
 * as it is: nothing else in them can look like it, since what came in as such a character is
 * U+FFFD before slots are written.
 */
#ifndef DGM_TEXT_SPAN_SLOT_H
#define DGM_TEXT_SPAN_SLOT_H

#include "base/buf.h"

/* Of a line; bytes of each. */
enum { DGM_SLOTS = 8, DGM_SLOT_BYTES = 3 };

/* Its character. */
const char *dgm_slot_text(int slot);
/* The slot at a byte of a text; -1: there is none. */
int dgm_slot_at(const char *text, size_t bytes, size_t at);
/* The first byte from `at` on where a slot stands; `bytes`: none does. */
size_t dgm_slot_next(const char *text, size_t bytes, size_t at);
/* Copies a text into a buffer; U+FFFD stands for what would be a slot. */
dgm_status dgm_slot_spare(struct dgm_env *env, struct dgm_buf *out, const char *text, size_t bytes);

#endif
