/*
 * lines_text.h: the lines of a chart in a grid of characters.
 */
#ifndef DGM_DRAW_CHART_TEXT_LINES_TEXT_H
#define DGM_DRAW_CHART_TEXT_LINES_TEXT_H

#include "draw/chart/chart.h"

/* Appends the grid, `rows` high and at most `width` columns wide, and its axis below. */
dgm_status dgm_lines_text(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                          int32_t width, int rows);
/* What stands for a series in the grid. */
char dgm_lines_text_mark(size_t series);

#endif
