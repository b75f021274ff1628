/*
 * legend.h: which series is which: rows above a plot, or names where the lines end.
 */
#ifndef DGM_DRAW_CHART_LEGEND_H
#define DGM_DRAW_CHART_LEGEND_H

#include "draw/chart/plot.h"

enum { DGM_LEGEND_ROW = 190 };

/* Draws rows of samples and names in `width`; returns their height. Without svg it only
 * measures. */
int64_t dgm_legend_draw(struct dgm_svg *svg, const struct dgm_chart *chart, int64_t left,
                        int64_t top, int64_t width);

/* The room that names take on the right of a plot of this height; 0: there is not enough, and a
 * legend is needed. */
int64_t dgm_legend_end_width(const struct dgm_chart *chart, int64_t height);
/* Names in the order in which the lines end, each with a sample. */
void dgm_legend_draw_ends(struct dgm_svg *svg, const struct dgm_chart *chart,
                          const struct dgm_plot *plot);

#endif
