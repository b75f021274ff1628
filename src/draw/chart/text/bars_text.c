/* bars_text.c: bars that lie on their sides, one on each line. */
#include "draw/chart/text/bars_text.h"

#include <string.h>

#include "draw/tree/box_lines.h"
#include "text/unicode/width.h"

enum { LEAST_BAR = 10 };

/* Columns of the parts of a line, and the extent of the bars. */
struct margins {
    int32_t category, series, value, bar;
    double low, high;
};

static void widen(int32_t *columns, const char *text)
{
    int32_t wide = dgm_width_of_text(text);

    *columns = wide > *columns ? wide : *columns;
}

static void measure(struct margins *margins, const struct dgm_chart *chart, int32_t width)
{
    size_t s, i;

    memset(margins, 0, sizeof *margins);
    for (i = 0; i < chart->categories.count; i++)
        widen(&margins->category, dgm_chart_category(chart, i));
    for (s = 0; s < chart->names.count; s++) {
        if (chart->names.count > 1)
            widen(&margins->series, dgm_chart_name(chart, s));
        for (i = 0; i < chart->series[s].count; i++)
            widen(&margins->value, dgm_chart_written(chart, &chart->series[s].points[i]));
    }
    margins->bar = width - margins->category - margins->series - margins->value - 4;
    if (margins->bar < LEAST_BAR)
        margins->bar = LEAST_BAR;
    margins->low = chart->has_from ? chart->from : chart->low < 0 ? chart->low : 0;
    margins->high = chart->high > 0 ? chart->high : 0;
}

static int32_t place(const struct margins *margins, double value)
{
    double range = margins->high - margins->low;

    if (!(range > 0))
        return 0;
    return (int32_t)((value - margins->low) / range * (double)margins->bar + 0.5);
}

static dgm_status add_padded(struct dgm_env *env, struct dgm_buf *out, const char *text,
                             int32_t columns)
{
    DGM_TRY(dgm_buf_add_text(env, out, text));
    return dgm_line_blanks(env, out, columns - dgm_width_of_text(text));
}

static dgm_status add_bar(struct dgm_env *env, struct dgm_buf *out, const struct margins *margins,
                          double value, int ascii)
{
    double base = margins->low > 0 ? margins->low : margins->high < 0 ? margins->high : 0;
    int32_t from = place(margins, value < base ? value : base);
    int32_t to = place(margins, value < base ? base : value);

    DGM_TRY(dgm_line_blanks(env, out, from));
    for (; from < to; from++)
        DGM_TRY(dgm_buf_add_text(env, out, ascii ? "#" : "█"));
    return DGM_OK;
}

static dgm_status add_line(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                           const struct margins *margins, size_t s,
                           const struct dgm_chart_point *point, int is_first, int ascii)
{
    const char *category = dgm_chart_category(chart, (size_t)point->x);

    DGM_TRY(add_padded(env, out, is_first ? category : "", margins->category + 1));
    if (margins->series > 0)
        DGM_TRY(add_padded(env, out, dgm_chart_name(chart, s), margins->series + 1));
    DGM_TRY(add_bar(env, out, margins, point->y, ascii));
    DGM_TRY(dgm_buf_add_format(env, out, " %s", dgm_chart_written(chart, point)));
    if (point->error > 0) {
        DGM_TRY(dgm_buf_add_text(env, out, ascii ? " +-" : " ±"));
        DGM_TRY(dgm_buf_add_real(env, out, point->error, 6));
    }
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_bars_text(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                         int32_t width, int ascii)
{
    size_t next[DGM_CHART_MOST_SERIES] = { 0 }, category, s;
    struct margins margins;

    measure(&margins, chart, width);
    for (category = 0; category < chart->categories.count; category++) {
        int is_first = 1;
        for (s = 0; s < chart->names.count; s++) {
            const struct dgm_chart_series *series = &chart->series[s];
            if (next[s] == series->count || (size_t)series->points[next[s]].x != category)
                continue;
            DGM_TRY(add_line(env, out, chart, &margins, s, &series->points[next[s]++], is_first,
                             ascii));
            is_first = 0;
        }
    }
    return DGM_OK;
}
