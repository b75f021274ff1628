/* chart_svg.c: where the parts of a chart stand on its page, in tenths of a pixel. */
#include "draw/chart/chart_svg.h"

#include <string.h>

#include "draw/chart/bars.h"
#include "draw/chart/categories.h"
#include "draw/chart/describe.h"
#include "draw/chart/legend.h"
#include "draw/chart/lines.h"
#include "draw/chart/series_style.h"
#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"

enum {
    MARGIN = 160,
    WIDTH = 5200, /* of a plot */
    HEIGHT = 2800,
    TITLE_SIZE = 150,
    TITLE = 260, /* height */
    X_NUMBERS = 190,
    X_LABEL = 210,
    EDGE = 50, /* a part of the axis of x: markers do not stand on the very edge */
    MOST_Y = 8 /* numbers of an axis */
};

struct layout {
    struct dgm_plot plot;
    struct dgm_categories names;
    int64_t legend_top, ends, width, height;
    int has_legend;
};

static void set_axes(struct layout *layout, const struct dgm_chart *chart)
{
    struct dgm_plot *plot = &layout->plot;
    double low = chart->has_from ? chart->from : chart->low;

    dgm_plot_set_chart_x(plot, chart, (chart->right - chart->left) / EDGE);
    if (chart->type == DGM_CHART_BARS) {
        dgm_bars_set_y(plot, chart);
        return;
    }
    dgm_plot_set_y(plot, low, chart->high, MOST_Y);
    if (chart->has_from) {
        plot->y_low = low;
        plot->y.first += dgm_ticks_value(&plot->y, plot->y.first) < low;
    }
}

/* Above the plot: title and legend. */
static int64_t lay_top(struct layout *layout, const struct dgm_chart *chart)
{
    int64_t top = MARGIN;

    if (chart->title != NULL)
        top += TITLE;
    layout->legend_top = top;
    if (layout->has_legend)
        top += dgm_legend_draw(NULL, chart, 0, 0, layout->plot.width);
    return top + 60;
}

/* A side of the plot has room for the text that stands along it. */
static int64_t room_for(const char *label, int64_t least)
{
    int64_t width = label != NULL ? dgm_text_width(label, DGM_PLOT_LABEL_SIZE) : 0;

    return width > least ? width : least;
}

static void lay_out(struct layout *layout, const struct dgm_chart *chart)
{
    struct dgm_plot *plot = &layout->plot;
    int64_t least = chart->type == DGM_CHART_BARS ? dgm_bars_least_width(chart) : 0, margin;

    memset(layout, 0, sizeof *layout);
    plot->width = room_for(chart->x_label, least > WIDTH ? least : WIDTH);
    plot->height = room_for(chart->y_label, HEIGHT);
    if (chart->names.count > 1)
        layout->ends = dgm_legend_end_width(chart, plot->height);
    layout->has_legend = chart->names.count > 1 && layout->ends == 0;
    set_axes(layout, chart);
    if (!chart->is_numeric)
        dgm_categories_measure(&layout->names, chart,
                               plot->width / (int64_t)chart->categories.count);
    margin = dgm_plot_left_margin(plot, chart->y_label);
    plot->left = MARGIN + (margin > layout->names.left ? margin : layout->names.left);
    plot->top = lay_top(layout, chart);
    layout->width = plot->left + plot->width + layout->ends + MARGIN;
    layout->height = plot->top + plot->height + MARGIN +
                     (chart->is_numeric ? X_NUMBERS : layout->names.height) +
                     (chart->x_label != NULL ? X_LABEL : 0);
}

static void add_texts(struct dgm_svg *svg, const struct dgm_chart *chart,
                      const struct layout *layout)
{
    const struct dgm_plot *plot = &layout->plot;

    dgm_svg_texts_begin(svg, DGM_INK_TEXT, "middle", DGM_PLOT_LABEL_SIZE);
    if (chart->x_label != NULL)
        dgm_svg_label(svg, plot->left + plot->width / 2, layout->height - MARGIN, chart->x_label);
    dgm_svg_group_end(svg);
    if (chart->title == NULL)
        return;
    dgm_svg_texts_begin(svg, DGM_INK_TEXT, "start", TITLE_SIZE);
    dgm_svg_label(svg, MARGIN, MARGIN + TITLE_SIZE, chart->title);
    dgm_svg_group_end(svg);
}

static void add_chart(struct dgm_svg *svg, const struct dgm_chart *chart,
                      const struct layout *layout)
{
    const struct dgm_plot *plot = &layout->plot;

    add_texts(svg, chart, layout);
    if (chart->type == DGM_CHART_BARS)
        dgm_series_hatches(svg, chart->names.count);
    if (layout->has_legend)
        dgm_legend_draw(svg, chart, plot->left, layout->legend_top, plot->width);
    dgm_plot_draw_y(svg, plot, chart->y_label);
    if (chart->type == DGM_CHART_BARS)
        dgm_bars_draw(svg, chart, plot);
    dgm_plot_draw_x(svg, plot, chart->is_numeric);
    if (!chart->is_numeric)
        dgm_categories_draw(svg, &layout->names, chart, plot);
    if (chart->type == DGM_CHART_LINES)
        dgm_lines_draw_series(svg, chart, plot);
    if (layout->ends > 0)
        dgm_legend_draw_ends(svg, chart, plot);
}

dgm_status dgm_chart_svg(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart)
{
    struct dgm_buf body = { .data = NULL }, description = { .data = NULL };
    struct dgm_svg_page page;
    struct layout layout;
    struct dgm_svg svg;
    dgm_status status;

    lay_out(&layout, chart);
    dgm_svg_start(&svg, env, &body);
    add_chart(&svg, chart, &layout);
    DGM_TRY_OUT(svg.status);
    DGM_TRY_OUT(dgm_chart_describe(env, &description, chart));
    page.width = layout.width;
    page.height = layout.height;
    if (chart->title != NULL && dgm_text_width(chart->title, TITLE_SIZE) + 2 * MARGIN > page.width)
        page.width = dgm_text_width(chart->title, TITLE_SIZE) + 2 * MARGIN;
    page.title = chart->title != NULL     ? chart->title
                 : chart->y_label != NULL ? chart->y_label
                                          : "Chart";
    page.description = description.data;
    status = dgm_svg_page(env, out, &page, &body);
out:
    dgm_buf_clear(env, &body);
    dgm_buf_clear(env, &description);
    return status;
}
