/*
 * compose.h: two characters that Unicode writes as one: a letter and its accent, parts of Hangul
 * syllables.
 */
#ifndef DGM_TEXT_UNICODE_COMPOSE_H
#define DGM_TEXT_UNICODE_COMPOSE_H

#include <stdint.h>

/* The character that normal form NFC makes of two that follow each other; 0: they stay two. */
uint32_t dgm_unicode_compose(uint32_t first, uint32_t second);
/* The two that a character is composed of, or NULL; of Hangul NULL, too. */
const uint32_t *dgm_unicode_decompose(uint32_t code);
/* Whether a character composes with any before it. */
int dgm_unicode_is_second(uint32_t code);

#endif
