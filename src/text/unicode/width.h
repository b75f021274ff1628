/*
 * width.h: columns that text takes on a terminal: 2 for East Asian wide characters, 0 for marks
 * that sit on the character before them, else 1.
 */
#ifndef DGM_TEXT_UNICODE_WIDTH_H
#define DGM_TEXT_UNICODE_WIDTH_H

#include <stdint.h>

/* The columns of one character: 0, 1 or 2; control characters take 0. */
int dgm_width_of(uint32_t code);
/* The columns of a whole text, in UTF-8. */
int32_t dgm_width_of_text(const char *text);

#endif
