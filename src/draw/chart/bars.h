/*
 * bars.h: groups of bars, one group for each category, with whiskers and values.
 */
#ifndef DGM_DRAW_CHART_BARS_H
#define DGM_DRAW_CHART_BARS_H

#include "draw/chart/plot.h"

/* The least width of a plot in which the bars can be told apart. */
int64_t dgm_bars_least_width(const struct dgm_chart *chart);

/* Widens the extent of y for what is written at the ends of bars. */
void dgm_bars_set_y(struct dgm_plot *plot, const struct dgm_chart *chart);

void dgm_bars_draw(struct dgm_svg *svg, const struct dgm_chart *chart, const struct dgm_plot *plot);

#endif
