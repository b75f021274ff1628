/*
 * text_width.h: how wide a text is in a font that is not known here.
 */
#ifndef DGM_DRAW_TEXT_WIDTH_H
#define DGM_DRAW_TEXT_WIDTH_H

#include <stdint.h>

/* The width of a text in a font of this size, in the unit of the size; rather too wide than too
 * narrow. */
int32_t dgm_text_width(const char *text, int32_t size);

#endif
