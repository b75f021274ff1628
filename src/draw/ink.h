/*
 * ink.h: the colours of all pictures, on white and on a dark page.
 *
 * A picture names the colour of a white page, as an attribute, which every program understands that
 * reads SVG. The style sheet of the file exchanges each for another where the reader prefers dark
 * pages. Series are told apart without colours too: by dashes, markers and hatches
 * (series_style.h).
 */
#ifndef DGM_DRAW_INK_H
#define DGM_DRAW_INK_H

#include "draw/svg.h"

#define DGM_INK_GROUND "#ffffff"
#define DGM_INK_TEXT "#17212b"
#define DGM_INK_NOTE "#5b6672" /* headings, the numbers of an axis */
#define DGM_INK_TAG "#8a949f"
#define DGM_INK_AXIS "#6b7682"
#define DGM_INK_GRID "#d5dbe1"
#define DGM_INK_HEAT "#08306b" /* of the weight 1; lighter ones by its opacity */
#define DGM_INK_ARC "#7d90a6"
#define DGM_INK_RELATION "#2b5783"
#define DGM_INK_DIFFERENT_ARC "#c8372d"
#define DGM_INK_DIFFERENT_RELATION "#b3271e"

enum { DGM_INK_SERIES = 8 };
extern const char *const dgm_ink_series[DGM_INK_SERIES];

/* <style>: the colours of a dark page. */
void dgm_ink_style(struct dgm_svg *svg);

#endif
