/*
 * letters.h: words in capitals, in small letters, and with a capital at their head, as a language
 * writes them.
 *
 * Beyond the simple mappings of Unicode: an escape of Moses (&quot;) is the mark that it stands for
 * and stays; ß has no capital but SS, and Ss at a head; the ligatures of Latin fall apart; a final
 * sigma is a sigma; digraphs (U+01C6) have a form of their own for heads; Georgian heads are small.
 * Turkish and Azerbaijani have an i with and one without a dot; Dutch ij is one letter.
 */
#ifndef DGM_TEXT_CASE_LETTERS_H
#define DGM_TEXT_CASE_LETTERS_H

#include "base/buf.h"

enum dgm_letters { DGM_LETTERS_GENERAL, DGM_LETTERS_TURKIC, DGM_LETTERS_DUTCH };

/* Whose rules a language has; NULL: the general ones. */
enum dgm_letters dgm_letters_of(const char *language);

/* The character at bytes[0..count), count >= 1, and the bytes that it takes; DGM_UTF8_BAD for an
 * ill-formed part, which the functions below copy. */
size_t dgm_letters_next(uint32_t *code, const char *bytes, size_t count);

dgm_status dgm_letters_upper(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                             size_t count, enum dgm_letters letters);
dgm_status dgm_letters_lower(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                             size_t count, enum dgm_letters letters);
/* The first letter as a capital, all else as it is. Marks may stand before it; where a digit does,
 * nothing changes. */
dgm_status dgm_letters_head(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                            size_t count, enum dgm_letters letters);

#endif
