/* legend.c: samples of series with their names. */
#include "draw/chart/legend.h"

#include "draw/chart/series_style.h"
#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"

enum {
    SIZE = 115, /* of the font */
    BOX = 180,  /* width of a bar's sample */
    AIR = 60,   /* between sample and name */
    GAP = 240,  /* between two entries */
    STEP = 160, /* between names at the ends of lines */
    WIDEST_NAME = 1600
};

static int64_t sample_width(const struct dgm_chart *chart)
{
    return chart->type == DGM_CHART_BARS ? BOX : DGM_SERIES_SAMPLE;
}

static void add_sample(struct dgm_svg *svg, const struct dgm_chart *chart, size_t series, int64_t x,
                       int64_t base)
{
    if (chart->type == DGM_CHART_BARS)
        dgm_series_bar(svg, series, x, base - 95, BOX, 110);
    else
        dgm_series_line_sample(svg, series, x, base - SIZE / 3);
}

static void add_name(struct dgm_svg *svg, const char *name, int64_t x, int64_t base)
{
    dgm_svg_texts_begin(svg, DGM_INK_TEXT, "start", SIZE);
    dgm_svg_label(svg, x, base, name);
    dgm_svg_group_end(svg);
}

int64_t dgm_legend_draw(struct dgm_svg *svg, const struct dgm_chart *chart, int64_t left,
                        int64_t top, int64_t width)
{
    int64_t x = 0, y = 0;
    size_t s;

    for (s = 0; s < chart->names.count; s++) {
        const char *name = dgm_chart_name(chart, s);
        int64_t text_x = sample_width(chart) + AIR;
        int64_t wide = text_x + dgm_text_width(name, SIZE);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += DGM_LEGEND_ROW;
        }
        if (svg != NULL) {
            add_sample(svg, chart, s, left + x, top + y + 130);
            add_name(svg, name, left + x + text_x, top + y + 130);
        }
        x += wide + GAP;
    }
    return y + DGM_LEGEND_ROW;
}

/* ---- names at the ends ---------------------------------------------------------------------- */

int64_t dgm_legend_end_width(const struct dgm_chart *chart, int64_t height)
{
    int64_t widest = 0;
    size_t s;

    if (chart->type == DGM_CHART_BARS || (int64_t)chart->names.count * STEP > height)
        return 0;
    for (s = 0; s < chart->names.count; s++) {
        int64_t width = dgm_text_width(dgm_chart_name(chart, s), SIZE);
        widest = width > widest ? width : widest;
    }
    return widest > WIDEST_NAME ? 0 : 2 * AIR + DGM_SERIES_SAMPLE + widest;
}

static int64_t end_of(const struct dgm_chart *chart, const struct dgm_plot *plot, size_t s)
{
    const struct dgm_chart_series *series = &chart->series[s];

    return dgm_plot_y(plot, series->points[series->count - 1].y);
}

/* From the top downwards. */
static void sort_ends(const struct dgm_chart *chart, const struct dgm_plot *plot, size_t *order)
{
    size_t s, at;

    for (s = 0; s < chart->names.count; s++) {
        for (at = s; at > 0 && end_of(chart, plot, order[at - 1]) > end_of(chart, plot, s); at--)
            order[at] = order[at - 1];
        order[at] = s;
    }
}

/* Moves names down until they are apart, then those that left the plot up again. */
static void spread(int64_t *y, size_t count, int64_t top, int64_t bottom)
{
    size_t i;

    for (i = 0; i < count; i++) {
        int64_t least = i == 0 ? top : y[i - 1] + STEP;
        y[i] = y[i] < least ? least : y[i];
    }
    for (i = count; i-- > 0;) {
        int64_t most = i + 1 == count ? bottom : y[i + 1] - STEP;
        y[i] = y[i] > most ? most : y[i];
    }
}

void dgm_legend_draw_ends(struct dgm_svg *svg, const struct dgm_chart *chart,
                          const struct dgm_plot *plot)
{
    size_t order[DGM_CHART_MOST_SERIES], i, count = chart->names.count;
    int64_t y[DGM_CHART_MOST_SERIES], x = plot->left + plot->width + AIR;

    sort_ends(chart, plot, order);
    for (i = 0; i < count; i++)
        y[i] = end_of(chart, plot, order[i]);
    spread(y, count, plot->top, plot->top + plot->height);
    for (i = 0; i < count; i++) {
        add_sample(svg, chart, order[i], x, y[i] + SIZE / 3);
        add_name(svg, dgm_chart_name(chart, order[i]), x + DGM_SERIES_SAMPLE + AIR,
                 y[i] + SIZE / 3);
    }
}
