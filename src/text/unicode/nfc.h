/*
 * nfc.h: Unicode's normal form NFC, and which of the two ways of writing a letter with its accent a
 * text has: as one character (composed), or as a letter and a mark behind it (decomposed).
 */
#ifndef DGM_TEXT_UNICODE_NFC_H
#define DGM_TEXT_UNICODE_NFC_H

#include "base/buf.h"
#include "base/env.h"

/* Appends a text in NFC (Unicode Standard Annex 15). Ill-formed bytes are copied. Of more than
 * DGM_NFC_MARKS marks behind one letter, which no language writes, those beyond are of another. */
enum { DGM_NFC_MARKS = 60 };
dgm_status dgm_unicode_nfc(struct dgm_env *env, struct dgm_buf *out, const char *text,
                           size_t bytes);

/* What a text has: a character that stands for a letter and a mark; a letter and a mark that one
 * character stands for. */
enum { DGM_FORM_COMPOSED = 1, DGM_FORM_DECOMPOSED = 2 };
unsigned dgm_unicode_forms(const char *text, size_t bytes);

/* Whether a text has a mark, or another character, that NFC may join with the one before it. */
int dgm_unicode_has_joined(const char *text, size_t bytes);

#endif
