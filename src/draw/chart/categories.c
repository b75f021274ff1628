/* categories.c: names below an axis. */
#include "draw/chart/categories.h"

#include <string.h>

#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"

enum {
    AIR = 60,   /* between two names, and below the axis */
    ANGLE = 35, /* degrees; its sine and cosine in thousandths: */
    SINE = 574,
    COSINE = 819
};

static int64_t width_of(const struct dgm_chart *chart, size_t i)
{
    return dgm_text_width(dgm_chart_category(chart, i), DGM_PLOT_TICK_SIZE);
}

int64_t dgm_category_x(const struct dgm_chart *chart, const struct dgm_plot *plot, double category)
{
    return plot->left +
           plot->width * (2 * (int64_t)category + 1) / (2 * (int64_t)chart->categories.count);
}

void dgm_categories_measure(struct dgm_categories *names, const struct dgm_chart *chart,
                            int64_t slot)
{
    int64_t widest = 0;
    size_t i;

    memset(names, 0, sizeof *names);
    for (i = 0; i < chart->categories.count; i++) {
        int64_t width = width_of(chart, i);
        int64_t out = width * COSINE / 1000 - slot * (2 * (int64_t)i + 1) / 2;
        widest = width > widest ? width : widest;
        names->left = out > names->left ? out : names->left;
    }
    names->slant = widest + AIR > slot;
    names->height = AIR + DGM_PLOT_TICK_SIZE;
    if (names->slant)
        names->height += widest * SINE / 1000;
    else
        names->left = 0;
}

void dgm_categories_draw(struct dgm_svg *svg, const struct dgm_categories *names,
                         const struct dgm_chart *chart, const struct dgm_plot *plot)
{
    int64_t y = plot->top + plot->height + AIR + DGM_PLOT_TICK_SIZE;
    size_t i;

    dgm_svg_texts_begin(svg, DGM_INK_TEXT, names->slant ? "end" : "middle", DGM_PLOT_TICK_SIZE);
    for (i = 0; i < chart->categories.count; i++)
        dgm_svg_turned_label(svg, names->slant ? -ANGLE : 0,
                             dgm_category_x(chart, plot, (double)i) + (names->slant ? 40 : 0), y,
                             dgm_chart_category(chart, i));
    dgm_svg_group_end(svg);
}
