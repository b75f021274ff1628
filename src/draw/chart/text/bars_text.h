/*
 * bars_text.h: the bars of a chart in characters, on their sides, one on each line.
 */
#ifndef DGM_DRAW_CHART_TEXT_BARS_TEXT_H
#define DGM_DRAW_CHART_TEXT_BARS_TEXT_H

#include "draw/chart/chart.h"

/* Appends lines of at most `width` columns. */
dgm_status dgm_bars_text(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                         int32_t width, int ascii);

#endif
