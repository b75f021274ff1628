/*
 * box_lines.h: box-drawing characters by the directions in which their lines leave the cell.
 */
#ifndef DGM_DRAW_TREE_BOX_LINES_H
#define DGM_DRAW_TREE_BOX_LINES_H

#include "base/buf.h"

enum { DGM_LINE_UP = 1, DGM_LINE_DOWN = 2, DGM_LINE_LEFT = 4, DGM_LINE_RIGHT = 8 };

/* One column; a blank for no direction. */
const char *dgm_line_glyph(unsigned directions, int ascii);

/* Arrowheads. */
const char *dgm_line_arrow_down(int ascii);
const char *dgm_line_arrow_right(int ascii);

/* The end of a text that was cut. */
const char *dgm_line_ellipsis(int ascii);

/* Appends `count` blanks. */
dgm_status dgm_line_blanks(struct dgm_env *env, struct dgm_buf *out, int32_t count);

#endif
