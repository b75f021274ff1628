/*
 * utf8.h: UTF-8, decoded, encoded, checked and repaired.
 *
 * Well-formed means Table 3-7 of the Unicode Standard: no overlong forms, no
 * surrogates, nothing above U+10FFFF. What is not well-formed is taken in maximal
 * ill-formed parts: the longest prefix of a well-formed sequence, or else one byte.
 */
#ifndef DGM_TEXT_UNICODE_UTF8_H
#define DGM_TEXT_UNICODE_UTF8_H

#include "base/buf.h"
#include "base/env.h"

#define DGM_UTF8_BAD 0xFFFFFFFFU /* no character: an ill-formed part */
#define DGM_UTF8_REPLACEMENT 0xFFFDU

/*
 * The character at bytes[0..count), count >= 1. Returns the bytes it takes, at least 1;
 * *code is DGM_UTF8_BAD for an ill-formed part.
 */
size_t dgm_utf8_decode(uint32_t *code, const char *bytes, size_t count);

/* Writes a character as 1 to 4 bytes and returns how many. */
size_t dgm_utf8_encode(char out[4], uint32_t code);

dgm_status dgm_utf8_add(struct dgm_env *env, struct dgm_buf *out, uint32_t code);

/* Characters in bytes[0..count); an ill-formed part counts as one. */
size_t dgm_utf8_length(const char *bytes, size_t count);

/*
 * Looks for the first part that text must not hold: an ill-formed part or a NUL.
 * Returns 0 if there is none, else 1 with its byte offset, its bytes, and its column
 * (characters from 1).
 */
int dgm_utf8_find_bad(const char *bytes, size_t count, size_t *offset, size_t *length,
                      long *column);

/* DGM_DATA at (file, line) if the text is not well-formed or holds a NUL. */
dgm_status dgm_utf8_check(struct dgm_env *env, const char *file, long line, const char *bytes,
                          size_t count);

/*
 * Appends the text to out with one U+FFFD for every maximal ill-formed part and every
 * NUL; *replaced (may be NULL) tells how many.
 */
dgm_status dgm_utf8_repair(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                           size_t count, size_t *replaced);

#endif
