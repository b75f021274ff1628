/* plot.c: axes with their numbers, and curves between them. */
#include "draw/chart/plot.h"

#include <math.h>

#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"

enum {
    MOST_X = 9, /* numbers of an axis */
    TICK = 40,
    AIR = 70, /* between numbers and the axis */
    COLUMN = 10
};

void dgm_plot_set_x(struct dgm_plot *plot, double low, double high)
{
    dgm_ticks_make(&plot->x, &low, &high, MOST_X);
    plot->x_low = low;
    plot->x_high = high;
}

void dgm_plot_set_chart_x(struct dgm_plot *plot, const struct dgm_chart *chart, double more)
{
    if (chart->is_numeric)
        dgm_plot_set_x(plot, chart->left - more, chart->right + more);
    else
        dgm_plot_set_x(plot, -0.5, (double)chart->categories.count - 0.5);
    if (chart->is_whole)
        dgm_ticks_whole(&plot->x, plot->x_low, plot->x_high);
}

void dgm_plot_set_y(struct dgm_plot *plot, double low, double high, int most)
{
    dgm_ticks_make(&plot->y, &low, &high, most);
    dgm_ticks_widen(&plot->y, &low, &high);
    plot->y_low = low;
    plot->y_high = high;
}

/* The share of the way from low to high, in tenths of a pixel of `length`. */
static int64_t place(double value, double low, double high, int64_t length)
{
    double share = (value - low) / (high - low);

    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return (int64_t)(share * (double)length + 0.5);
}

int64_t dgm_plot_x(const struct dgm_plot *plot, double value)
{
    return plot->left + place(value, plot->x_low, plot->x_high, plot->width);
}

int64_t dgm_plot_y(const struct dgm_plot *plot, double value)
{
    return plot->top + plot->height - place(value, plot->y_low, plot->y_high, plot->height);
}

/* ---- the axis of y -------------------------------------------------------------------------- */

static int64_t widest_number(const struct dgm_ticks *ticks)
{
    int64_t widest = 0, i;

    for (i = ticks->first; i <= ticks->last; i++) {
        char text[DGM_TICKS_SIZE];
        int64_t width;
        dgm_ticks_print(text, ticks, i);
        width = dgm_text_width(text, DGM_PLOT_TICK_SIZE);
        widest = width > widest ? width : widest;
    }
    return widest;
}

int64_t dgm_plot_left_margin(const struct dgm_plot *plot, const char *label)
{
    return widest_number(&plot->y) + AIR + (label != NULL ? 2 * DGM_PLOT_LABEL_SIZE : 0);
}

static void add_grid(struct dgm_svg *svg, const struct dgm_plot *plot)
{
    int64_t i;

    dgm_svg_lines_begin(svg, DGM_INK_GRID, 8, NULL);
    for (i = plot->y.first; i <= plot->y.last; i++) {
        int64_t y = dgm_plot_y(plot, dgm_ticks_value(&plot->y, i));
        dgm_svg_line(svg, plot->left, y, plot->left + plot->width, y);
    }
    dgm_svg_group_end(svg);
}

void dgm_plot_draw_y(struct dgm_svg *svg, const struct dgm_plot *plot, const char *label)
{
    int64_t i;

    add_grid(svg, plot);
    dgm_svg_texts_begin(svg, DGM_INK_NOTE, "end", DGM_PLOT_TICK_SIZE);
    for (i = plot->y.first; i <= plot->y.last; i++) {
        char text[DGM_TICKS_SIZE];
        dgm_ticks_print(text, &plot->y, i);
        dgm_svg_label(svg, plot->left - AIR,
                      dgm_plot_y(plot, dgm_ticks_value(&plot->y, i)) + DGM_PLOT_TICK_SIZE / 3,
                      text);
    }
    dgm_svg_group_end(svg);
    if (label == NULL)
        return;
    dgm_svg_texts_begin(svg, DGM_INK_TEXT, "middle", DGM_PLOT_LABEL_SIZE);
    dgm_svg_turned_label(svg, -90, plot->left - widest_number(&plot->y) - AIR - 80,
                         plot->top + plot->height / 2, label);
    dgm_svg_group_end(svg);
}

/* ---- the axis of x -------------------------------------------------------------------------- */

void dgm_plot_draw_x(struct dgm_svg *svg, const struct dgm_plot *plot, int numbers)
{
    int64_t bottom = plot->top + plot->height, i;

    dgm_svg_lines_begin(svg, DGM_INK_AXIS, 10, NULL);
    dgm_svg_line(svg, plot->left, bottom, plot->left + plot->width, bottom);
    for (i = plot->x.first; i <= plot->x.last && numbers; i++) {
        int64_t x = dgm_plot_x(plot, dgm_ticks_value(&plot->x, i));
        dgm_svg_line(svg, x, bottom, x, bottom + TICK);
    }
    dgm_svg_group_end(svg);
    if (!numbers)
        return;
    dgm_svg_texts_begin(svg, DGM_INK_NOTE, "middle", DGM_PLOT_TICK_SIZE);
    for (i = plot->x.first; i <= plot->x.last; i++) {
        char text[DGM_TICKS_SIZE];
        dgm_ticks_print(text, &plot->x, i);
        dgm_svg_label(svg, dgm_plot_x(plot, dgm_ticks_value(&plot->x, i)),
                      bottom + TICK + 20 + DGM_PLOT_TICK_SIZE, text);
    }
    dgm_svg_group_end(svg);
}

/* ---- curves --------------------------------------------------------------------------------- */

/* The points of a column of pixels that the eye could tell apart. */
struct column {
    size_t kept[4]; /* first, least, greatest, last */
    int64_t x;
};

static void add_point(struct dgm_svg *svg, const struct dgm_plot *plot,
                      const struct dgm_chart_point *point, int *pen_down)
{
    dgm_svg_path(svg, *pen_down ? 'L' : 'M', dgm_plot_x(plot, point->x),
                 dgm_plot_y(plot, point->y));
    *pen_down = 1;
}

/* In the order of the points, each once. */
static void add_column(struct dgm_svg *svg, const struct dgm_plot *plot,
                       const struct dgm_chart_point *points, const struct column *column,
                       int *pen_down)
{
    size_t least = column->kept[1], greatest = column->kept[2];
    size_t order[4], i;

    order[0] = column->kept[0];
    order[1] = least < greatest ? least : greatest;
    order[2] = least < greatest ? greatest : least;
    order[3] = column->kept[3];
    for (i = 0; i < 4; i++)
        if (i == 0 || order[i] != order[i - 1])
            add_point(svg, plot, &points[order[i]], pen_down);
}

static void keep(struct column *column, const struct dgm_chart_point *points, size_t i)
{
    if (points[i].y < points[column->kept[1]].y)
        column->kept[1] = i;
    if (points[i].y > points[column->kept[2]].y)
        column->kept[2] = i;
    column->kept[3] = i;
}

void dgm_plot_curve(struct dgm_svg *svg, const struct dgm_plot *plot,
                    const struct dgm_chart_point *points, size_t count)
{
    struct column column = { { 0, 0, 0, 0 }, 0 };
    int pen_down = 0, any = 0;
    size_t i;

    dgm_svg_begin(svg, "path");
    dgm_svg_path_begin(svg);
    for (i = 0; i < count; i++) {
        int64_t x = isfinite(points[i].y) ? dgm_plot_x(plot, points[i].x) / COLUMN : -1;
        if (any && x == column.x) {
            keep(&column, points, i);
            continue;
        }
        if (any)
            add_column(svg, plot, points, &column, &pen_down);
        any = x >= 0;
        pen_down = pen_down && any;
        column.x = x;
        column.kept[0] = column.kept[1] = column.kept[2] = column.kept[3] = i;
    }
    if (any)
        add_column(svg, plot, points, &column, &pen_down);
    dgm_svg_path_end(svg);
    dgm_svg_end_line(svg, "path");
}
