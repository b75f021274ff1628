/*
 * plot.h: a rectangle with two axes: where a value lies in it, and what stands around it.
 * Lengths are tenths of a pixel.
 */
#ifndef DGM_DRAW_CHART_PLOT_H
#define DGM_DRAW_CHART_PLOT_H

#include "draw/chart/chart.h"
#include "draw/chart/ticks.h"
#include "draw/svg.h"

enum {
    DGM_PLOT_TICK_SIZE = 110, /* fonts: numbers and categories, the texts of axes */
    DGM_PLOT_LABEL_SIZE = 120
};

struct dgm_plot {
    int64_t left, top, width, height;
    double x_low, x_high, y_low, y_high;
    struct dgm_ticks x, y;
};

/* Axes for these extents. The axis of y ends at numbers; that of x where the data end. */
void dgm_plot_set_x(struct dgm_plot *plot, double low, double high);
void dgm_plot_set_y(struct dgm_plot *plot, double low, double high, int most);

/* The axis of x of a chart: its numbers, and `more` on each side, or its categories. */
void dgm_plot_set_chart_x(struct dgm_plot *plot, const struct dgm_chart *chart, double more);

int64_t dgm_plot_x(const struct dgm_plot *plot, double value);
int64_t dgm_plot_y(const struct dgm_plot *plot, double value);

/* What the numbers of the axis of y, and its text, take on the left. */
int64_t dgm_plot_left_margin(const struct dgm_plot *plot, const char *label);

/* Lines across the plot with their numbers and the text of the axis; `label` may be NULL. */
void dgm_plot_draw_y(struct dgm_svg *svg, const struct dgm_plot *plot, const char *label);
/* The line below; with its numbers, if `numbers`. */
void dgm_plot_draw_x(struct dgm_svg *svg, const struct dgm_plot *plot, int numbers);

/* A line through the points in the order in which they are. Those of one column of pixels are
 * thinned to the first, the least, the greatest and the last; NaN leaves a gap. */
void dgm_plot_curve(struct dgm_svg *svg, const struct dgm_plot *plot,
                    const struct dgm_chart_point *points, size_t count);

#endif
