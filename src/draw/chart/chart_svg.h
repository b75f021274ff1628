/*
 * chart_svg.h: a chart as an SVG file.
 */
#ifndef DGM_DRAW_CHART_CHART_SVG_H
#define DGM_DRAW_CHART_CHART_SVG_H

#include "draw/chart/chart.h"

/* Appends the file. The chart is finished and has a point. */
dgm_status dgm_chart_svg(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart);

#endif
