/*
 * lines.h: lines through the points of series, with markers and whiskers.
 */
#ifndef DGM_DRAW_CHART_LINES_H
#define DGM_DRAW_CHART_LINES_H

#include "draw/chart/plot.h"

void dgm_lines_draw_series(struct dgm_svg *svg, const struct dgm_chart *chart,
                           const struct dgm_plot *plot);

/* Markers of one series: of every point where they are few, else of some. */
void dgm_lines_draw_markers(struct dgm_svg *svg, const struct dgm_plot *plot, size_t series,
                            const struct dgm_chart_series *points);

#endif
