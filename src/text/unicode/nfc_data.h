/* nfc_data.h: the layout of the tables in nfc_data.c. */
#ifndef DGM_TEXT_UNICODE_NFC_DATA_H
#define DGM_TEXT_UNICODE_NFC_DATA_H

#include <stddef.h>
#include <stdint.h>

/* In place of class 0: the character may compose with the one before it, or become what has a class
 * of its own. */
enum { DGM_NFC_MAY_COMPOSE = 255 };

/* Runs of characters of one canonical combining class, in order: first character << 8 | class. */
extern const uint32_t dgm_nfc_class_runs[];
extern const size_t dgm_nfc_class_run_count;

/* Characters that are not in NFC, in order: length << 24 | character, then so many characters that
 * NFD makes of it. */
extern const uint32_t dgm_nfc_words[];
extern const size_t dgm_nfc_word_count;

/* Canonical compositions of characters that NFKC rewrites, which piece_data.h lacks: first, second,
 * both as one. */
extern const uint32_t dgm_nfc_pair_words[];
extern const size_t dgm_nfc_pair_word_count;

#endif
