/* lines_text.c: lines in a grid of characters. */
#include "draw/chart/text/lines_text.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "draw/chart/plot.h"
#include "draw/tree/box_lines.h"
#include "text/unicode/width.h"

enum { LEAST = 10 };

/* A plot whose tenths of a pixel are characters. */
struct grid {
    struct dgm_plot plot;
    int32_t margin; /* columns of the numbers on the left */
    char *cells;    /* (rows, columns) */
};

char dgm_lines_text_mark(size_t series)
{
    static const char marks[] = "ox+*#@%&=~";

    return marks[series % (sizeof marks - 1)];
}

static void set_axes(struct grid *grid, const struct dgm_chart *chart, int32_t width, int rows)
{
    struct dgm_plot *plot = &grid->plot;
    int64_t i;

    dgm_plot_set_chart_x(plot, chart, 0);
    dgm_plot_set_y(plot, chart->has_from ? chart->from : chart->low, chart->high, rows / 3 + 1);
    for (i = plot->y.first; i <= plot->y.last; i++) {
        char text[DGM_TICKS_SIZE];
        int32_t length = (int32_t)dgm_ticks_print(text, &plot->y, i);
        grid->margin = length > grid->margin ? length : grid->margin;
    }
    plot->width = width - grid->margin - 3;
    plot->width = plot->width < LEAST ? LEAST : plot->width;
    plot->height = rows - 1;
}

static void mark(struct grid *grid, size_t s, double x, double y)
{
    int64_t row = dgm_plot_y(&grid->plot, y), column = dgm_plot_x(&grid->plot, x);

    grid->cells[row * (grid->plot.width + 1) + column] = dgm_lines_text_mark(s);
}

/* The points, and between two of them one mark in each column. */
static void mark_series(struct grid *grid, const struct dgm_chart *chart, size_t s)
{
    const struct dgm_chart_series *series = &chart->series[s];
    size_t i;

    for (i = 0; i < series->count; i++) {
        const struct dgm_chart_point *to = &series->points[i], *from = to - 1;
        int64_t steps, step;
        if (!isfinite(to->y))
            continue;
        mark(grid, s, to->x, to->y);
        if (i == 0 || !isfinite(from->y))
            continue;
        steps = dgm_plot_x(&grid->plot, to->x) - dgm_plot_x(&grid->plot, from->x);
        for (step = 1; step < steps; step++) {
            double share = (double)step / (double)steps;
            mark(grid, s, from->x + share * (to->x - from->x), from->y + share * (to->y - from->y));
        }
    }
}

/* ---- output --------------------------------------------------------------------------------- */

/* The number of the axis that stands in a row; "" for most rows. */
static void row_number(char text[DGM_TICKS_SIZE], const struct dgm_plot *plot, int64_t row)
{
    int64_t i;

    text[0] = '\0';
    for (i = plot->y.first; i <= plot->y.last; i++)
        if (dgm_plot_y(plot, dgm_ticks_value(&plot->y, i)) == row)
            dgm_ticks_print(text, &plot->y, i);
}

static dgm_status add_row(struct dgm_env *env, struct dgm_buf *out, const struct grid *grid,
                          int64_t row)
{
    size_t columns = (size_t)grid->plot.width + 1, used = columns;
    const char *cells = grid->cells + (size_t)row * columns;
    char text[DGM_TICKS_SIZE];

    row_number(text, &grid->plot, row);
    DGM_TRY(dgm_line_blanks(env, out, grid->margin - (int32_t)strlen(text)));
    DGM_TRY(dgm_buf_add_format(env, out, "%s |", text));
    while (used > 0 && cells[used - 1] == ' ')
        used--;
    DGM_TRY(dgm_buf_add(env, out, cells, used));
    return dgm_buf_add_char(env, out, '\n');
}

/* A text below the grid, about the middle of its column, unless it meets the one before. */
static dgm_status add_below(struct dgm_env *env, struct dgm_buf *out, const struct grid *grid,
                            double x, const char *text, int32_t *at)
{
    int32_t wide = dgm_width_of_text(text);
    int32_t column = grid->margin + 2 + (int32_t)dgm_plot_x(&grid->plot, x) - wide / 2;

    if (column <= *at && *at > 0)
        return DGM_OK;
    DGM_TRY(dgm_line_blanks(env, out, column - *at));
    *at = (column > *at ? column : *at) + wide;
    return dgm_buf_add_text(env, out, text);
}

static dgm_status add_bottom(struct dgm_env *env, struct dgm_buf *out, const struct grid *grid,
                             const struct dgm_chart *chart)
{
    const struct dgm_ticks *ticks = &grid->plot.x;
    int32_t at = 0;
    int64_t i;
    size_t c;

    DGM_TRY(dgm_line_blanks(env, out, grid->margin + 1));
    DGM_TRY(dgm_buf_add_char(env, out, '+'));
    for (i = 0; i <= grid->plot.width; i++)
        DGM_TRY(dgm_buf_add_char(env, out, '-'));
    DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    for (i = ticks->first; i <= ticks->last && chart->is_numeric; i++) {
        char text[DGM_TICKS_SIZE];
        dgm_ticks_print(text, ticks, i);
        DGM_TRY(add_below(env, out, grid, dgm_ticks_value(ticks, i), text, &at));
    }
    for (c = 0; c < chart->categories.count && !chart->is_numeric; c++)
        DGM_TRY(add_below(env, out, grid, (double)c, dgm_chart_category(chart, c), &at));
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_lines_text(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                          int32_t width, int rows)
{
    struct grid grid = { 0 };
    dgm_status status;
    size_t s;
    int row;

    set_axes(&grid, chart, width, rows);
    DGM_TRY(dgm_new(env, &grid.cells, (size_t)rows, (size_t)grid.plot.width + 1));
    memset(grid.cells, ' ', (size_t)rows * ((size_t)grid.plot.width + 1));
    for (s = chart->names.count; s-- > 0;) /* the first on top */
        mark_series(&grid, chart, s);
    for (row = 0; row < rows; row++)
        DGM_TRY_OUT(add_row(env, out, &grid, row));
    status = add_bottom(env, out, &grid, chart);
out:
    dgm_release(env, grid.cells);
    return status;
}
