/*
 * compose.h: two characters that Unicode writes as one: a letter and its accent, parts of Hangul
 * syllables.
 */
#ifndef DGM_TEXT_UNICODE_COMPOSE_H
#define DGM_TEXT_UNICODE_COMPOSE_H

#include <stdint.h>

/* The character that normal form NFC makes of two that follow each other; 0: they stay two. */
uint32_t dgm_unicode_compose(uint32_t first, uint32_t second);

#endif
