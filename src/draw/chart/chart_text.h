/*
 * chart_text.h: a chart in characters.
 */
#ifndef DGM_DRAW_CHART_CHART_TEXT_H
#define DGM_DRAW_CHART_CHART_TEXT_H

#include "draw/chart/chart.h"

/* Appends lines of at most `width` columns: bars lie on their sides, one on each line; lines stand in
 * a grid of characters, with a mark for each series. */
dgm_status dgm_chart_text(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                          int32_t width, int ascii);

/* ---- parts ---------------------------------------------------------------------------------- */

/* The bars alone (bars_text.c). */
dgm_status dgm_chart_text_bars(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_chart *chart, int32_t width, int ascii);
/* The grid alone, `rows` high (lines_text.c). */
dgm_status dgm_chart_text_lines(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_chart *chart, int32_t width, int rows);
/* What stands for a series in a grid. */
char dgm_chart_text_mark(size_t series);
/* Columns of a terminal that a text takes. */
int32_t dgm_chart_text_columns(const char *text);

#endif
