/*
 * chart_text.h: a chart in characters.
 */
#ifndef DGM_DRAW_CHART_TEXT_CHART_TEXT_H
#define DGM_DRAW_CHART_TEXT_CHART_TEXT_H

#include "draw/chart/chart.h"

/* Appends lines of at most `width` columns: bars lie on their sides, one on each line; lines stand
 * in a grid of characters, with a mark for each series. */
dgm_status dgm_chart_text(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                          int32_t width, int ascii);

#endif
