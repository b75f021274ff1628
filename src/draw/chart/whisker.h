/*
 * whisker.h: how sure a value is: a line from value - error to value + error, with caps.
 */
#ifndef DGM_DRAW_CHART_WHISKER_H
#define DGM_DRAW_CHART_WHISKER_H

#include "draw/chart/plot.h"
#include "draw/svg_parts.h"

/* Within a group of lines. Nothing for a point without an error. */
static inline void dgm_whisker(struct dgm_svg *svg, const struct dgm_plot *plot, int64_t x,
                               const struct dgm_chart_point *point)
{
    int64_t low = dgm_plot_y(plot, point->y - point->error);
    int64_t high = dgm_plot_y(plot, point->y + point->error);

    if (!(point->error > 0))
        return;
    dgm_svg_line(svg, x, low, x, high);
    dgm_svg_line(svg, x - 30, low, x + 30, low);
    dgm_svg_line(svg, x - 30, high, x + 30, high);
}

#endif
