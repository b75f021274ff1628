/* bars.c: bars, their whiskers and values, and the mark of an axis that does not begin at 0. */
#include "draw/chart/bars.h"

#include <string.h>

#include "draw/chart/categories.h"
#include "draw/chart/series_style.h"
#include "draw/chart/whisker.h"
#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"

enum {
    LEAST_BAR = 130,
    WIDEST_BAR = 560,
    VALUE_SIZE = 100,
    AIR = 35,   /* between a bar and its value */
    GROUP = 78, /* percent of a slot that bars take */
    MOST_NUMBERS = 8
};

int64_t dgm_bars_least_width(const struct dgm_chart *chart)
{
    return (int64_t)(chart->categories.count * chart->names.count) * LEAST_BAR * 100 / GROUP;
}

static int64_t bar_width(const struct dgm_chart *chart, const struct dgm_plot *plot)
{
    int64_t slot = plot->width / (int64_t)chart->categories.count;
    int64_t width = slot * GROUP / 100 / (int64_t)chart->names.count;

    return width > WIDEST_BAR ? WIDEST_BAR : width;
}

static int64_t bar_left(const struct dgm_chart *chart, const struct dgm_plot *plot, size_t series,
                        double category)
{
    int64_t width = bar_width(chart, plot), count = (int64_t)chart->names.count;

    return dgm_category_x(chart, plot, category) - width * count / 2 + width * (int64_t)series;
}

/* Where bars stand: at 0, or where the axis is cut. */
static double base_of(const struct dgm_plot *plot)
{
    return plot->y_low > 0 ? plot->y_low : plot->y_high < 0 ? plot->y_high : 0;
}

/* ---- values --------------------------------------------------------------------------------- */

/* The widest value that is written, 0 if bars are too narrow even for upright ones. */
static int64_t widest_value(const struct dgm_chart *chart)
{
    int64_t widest = 0;
    size_t s, i;

    for (s = 0; s < chart->names.count; s++)
        for (i = 0; i < chart->series[s].count; i++) {
            const char *text = dgm_chart_written(chart, &chart->series[s].points[i]);
            int64_t width = dgm_text_width(text, VALUE_SIZE);
            widest = width > widest ? width : widest;
        }
    return widest;
}

/* Level values of a single series may be wider than its bars, not than their slots. */
static int is_upright(const struct dgm_chart *chart, const struct dgm_plot *plot)
{
    int64_t room = chart->names.count == 1 ? plot->width / (int64_t)chart->categories.count
                                           : bar_width(chart, plot);

    return widest_value(chart) + 20 > room;
}

void dgm_bars_set_y(struct dgm_plot *plot, const struct dgm_chart *chart)
{
    double low = chart->low < 0 ? chart->low : 0, high = chart->high > 0 ? chart->high : 0;
    int64_t room = (is_upright(chart, plot) ? widest_value(chart) : VALUE_SIZE) + 2 * AIR;
    double share;

    low = chart->has_from ? chart->from : low;
    room = room > plot->height / 3 ? plot->height / 3 : room;
    share = (double)room / (double)(plot->height - room) * (high - low);
    if (chart->low < 0)
        low -= share;
    if (chart->high > 0)
        high += share;
    dgm_plot_set_y(plot, low, high, MOST_NUMBERS);
    if (chart->has_from) {
        plot->y_low = chart->from;
        plot->y.first += dgm_ticks_value(&plot->y, plot->y.first) < chart->from;
    }
}

static void add_value(struct dgm_svg *svg, const struct dgm_chart *chart,
                      const struct dgm_plot *plot, size_t series,
                      const struct dgm_chart_point *point)
{
    int64_t x = bar_left(chart, plot, series, point->x) + bar_width(chart, plot) / 2;
    int is_below = point->y < 0, upright = is_upright(chart, plot);
    int64_t y = dgm_plot_y(plot, point->y + (is_below ? -point->error : point->error));
    const char *text = dgm_chart_written(chart, point);

    y += is_below ? AIR : -AIR;
    if (is_below)
        y += upright ? dgm_text_width(text, VALUE_SIZE) : VALUE_SIZE * 3 / 4;
    if (upright)
        dgm_svg_turned_label(svg, -90, x + VALUE_SIZE / 3, y, text);
    else
        dgm_svg_label(svg, x, y, text);
}

/* ---- the mark of a cut ---------------------------------------------------------------------- */

/* A jagged gap across all bars, close to where they begin. */
static void add_cut(struct dgm_svg *svg, const struct dgm_plot *plot)
{
    int64_t y = plot->top + plot->height - 110, x = plot->left - 40;
    int up = 0;

    dgm_svg_lines_begin(svg, DGM_INK_GROUND, 40, NULL);
    dgm_svg_begin(svg, "path");
    dgm_svg_path_begin(svg);
    dgm_svg_path(svg, 'M', x, y);
    for (; x < plot->left + plot->width; up = !up) {
        x += 60;
        dgm_svg_path(svg, 'L', x, up ? y : y - 45);
    }
    dgm_svg_path_end(svg);
    dgm_svg_end_line(svg, "path");
    dgm_svg_group_end(svg);
}

/* Where bars stand, if not on the axis below. */
static void add_base(struct dgm_svg *svg, const struct dgm_plot *plot)
{
    int64_t y = dgm_plot_y(plot, base_of(plot));

    dgm_svg_lines_begin(svg, DGM_INK_AXIS, 10, NULL);
    dgm_svg_line(svg, plot->left, y, plot->left + plot->width, y);
    dgm_svg_group_end(svg);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void add_bars(struct dgm_svg *svg, const struct dgm_chart *chart,
                     const struct dgm_plot *plot, size_t s)
{
    int64_t base = dgm_plot_y(plot, base_of(plot)), width = bar_width(chart, plot);
    size_t i;

    for (i = 0; i < chart->series[s].count; i++) {
        const struct dgm_chart_point *point = &chart->series[s].points[i];
        int64_t y = dgm_plot_y(plot, point->y);
        dgm_series_bar(svg, s, bar_left(chart, plot, s, point->x) + 10, y < base ? y : base,
                       width - 20, y < base ? base - y : y - base);
    }
}

static void add_whiskers(struct dgm_svg *svg, const struct dgm_chart *chart,
                         const struct dgm_plot *plot, const char *ink, int64_t stroke)
{
    int64_t half = bar_width(chart, plot) / 2;
    size_t s, i;

    dgm_svg_lines_begin(svg, ink, stroke, NULL);
    for (s = 0; s < chart->names.count; s++)
        for (i = 0; i < chart->series[s].count; i++) {
            const struct dgm_chart_point *point = &chart->series[s].points[i];
            dgm_whisker(svg, plot, bar_left(chart, plot, s, point->x) + half, point);
        }
    dgm_svg_group_end(svg);
}

static void add_values(struct dgm_svg *svg, const struct dgm_chart *chart,
                       const struct dgm_plot *plot)
{
    size_t s, i;

    dgm_svg_texts_begin(svg, DGM_INK_TEXT, is_upright(chart, plot) ? "start" : "middle",
                        VALUE_SIZE);
    for (s = 0; s < chart->names.count; s++)
        for (i = 0; i < chart->series[s].count; i++)
            add_value(svg, chart, plot, s, &chart->series[s].points[i]);
    dgm_svg_group_end(svg);
}

void dgm_bars_draw(struct dgm_svg *svg, const struct dgm_chart *chart, const struct dgm_plot *plot)
{
    size_t s;

    for (s = 0; s < chart->names.count; s++)
        add_bars(svg, chart, plot, s);
    if (plot->y_low > 0)
        add_cut(svg, plot);
    if (plot->y_low < 0)
        add_base(svg, plot);
    if (chart->has_errors) { /* on a ground of their own: half of each stands on a bar */
        add_whiskers(svg, chart, plot, DGM_INK_GROUND, 30);
        add_whiskers(svg, chart, plot, DGM_INK_TEXT, 10);
    }
    add_values(svg, chart, plot);
}
