/* lines.c: lines of series. */
#include "draw/chart/lines.h"

#include <math.h>

#include "draw/chart/series_style.h"
#include "draw/chart/whisker.h"
#include "draw/svg_parts.h"

enum {
    ALL_MARKED = 40, /* points of a line that all have markers; of longer lines, some */
    SOME_MARKED = 9
};

static void add_whiskers(struct dgm_svg *svg, const struct dgm_plot *plot, size_t s,
                         const struct dgm_chart_series *series)
{
    size_t i;

    dgm_svg_lines_begin(svg, dgm_series_ink(s), 10, NULL);
    for (i = 0; i < series->count; i++)
        dgm_whisker(svg, plot, dgm_plot_x(plot, series->points[i].x), &series->points[i]);
    dgm_svg_group_end(svg);
}

void dgm_lines_draw_markers(struct dgm_svg *svg, const struct dgm_plot *plot, size_t s,
                            const struct dgm_chart_series *series)
{
    size_t count = series->count <= ALL_MARKED ? series->count : SOME_MARKED, i;

    for (i = 0; i < count; i++) {
        size_t at = count == 1 ? 0 : (series->count - 1) * i / (count - 1);
        if (isfinite(series->points[at].y))
            dgm_series_marker(svg, s, dgm_plot_x(plot, series->points[at].x),
                              dgm_plot_y(plot, series->points[at].y));
    }
}

void dgm_lines_draw_series(struct dgm_svg *svg, const struct dgm_chart *chart,
                           const struct dgm_plot *plot)
{
    size_t s;

    for (s = 0; s < chart->names.count; s++) {
        const struct dgm_chart_series *series = &chart->series[s];
        if (chart->has_errors)
            add_whiskers(svg, plot, s, series);
        dgm_svg_lines_begin(svg, dgm_series_ink(s), 18, dgm_series_dashes(s));
        dgm_plot_curve(svg, plot, series->points, series->count);
        dgm_svg_group_end(svg);
    }
    for (s = 0; s < chart->names.count; s++)
        dgm_lines_draw_markers(svg, plot, s, &chart->series[s]);
}
