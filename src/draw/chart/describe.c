/* describe.c: a chart in words. */
#include "draw/chart/describe.h"

enum { LISTED = 40 /* points of a series that are all named */ };

dgm_status dgm_chart_add_x(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                           const struct dgm_chart_point *point)
{
    if (chart->is_numeric)
        return dgm_buf_add_real(env, out, point->x, 9);
    return dgm_buf_add_text(env, out, dgm_chart_category(chart, (size_t)point->x));
}

static dgm_status add_point(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                            const struct dgm_chart_point *point)
{
    DGM_TRY(dgm_buf_add_char(env, out, ' '));
    DGM_TRY(dgm_chart_add_x(env, out, chart, point));
    DGM_TRY(dgm_buf_add_format(env, out, " %s", dgm_chart_written(chart, point)));
    if (point->error > 0) {
        DGM_TRY(dgm_buf_add_text(env, out, " ±"));
        DGM_TRY(dgm_buf_add_real(env, out, point->error, 6));
    }
    return DGM_OK;
}

static dgm_status list_points(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_chart *chart, const struct dgm_chart_series *series)
{
    size_t i;

    for (i = 0; i < series->count; i++) {
        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ','));
        DGM_TRY(add_point(env, out, chart, &series->points[i]));
    }
    return DGM_OK;
}

static dgm_status sum_up(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                         const struct dgm_chart_series *series)
{
    const struct dgm_chart_point *least = series->points, *greatest = series->points;
    size_t i;

    for (i = 1; i < series->count; i++) {
        if (series->points[i].y < least->y)
            least = &series->points[i];
        if (series->points[i].y > greatest->y)
            greatest = &series->points[i];
    }
    DGM_TRY(dgm_buf_add_format(env, out, " %zu points, first", series->count));
    DGM_TRY(add_point(env, out, chart, series->points));
    DGM_TRY(dgm_buf_add_text(env, out, ", least"));
    DGM_TRY(add_point(env, out, chart, least));
    DGM_TRY(dgm_buf_add_text(env, out, ", greatest"));
    DGM_TRY(add_point(env, out, chart, greatest));
    DGM_TRY(dgm_buf_add_text(env, out, ", last"));
    return add_point(env, out, chart, &series->points[series->count - 1]);
}

dgm_status dgm_chart_describe(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_chart *chart)
{
    size_t s;

    DGM_TRY(dgm_buf_add_format(env, out, "%s: %s by %s.",
                               chart->type == DGM_CHART_BARS ? "Bars" : "Lines",
                               chart->y_label != NULL ? chart->y_label : "values",
                               chart->x_label != NULL ? chart->x_label : "x"));
    for (s = 0; s < chart->names.count; s++) {
        const struct dgm_chart_series *series = &chart->series[s];
        DGM_TRY(dgm_buf_add_format(env, out, " %s:", dgm_chart_name(chart, s)));
        DGM_TRY((series->count <= LISTED ? list_points : sum_up)(env, out, chart, series));
        DGM_TRY(dgm_buf_add_char(env, out, '.'));
    }
    if (chart->has_from && chart->from > 0)
        return dgm_buf_add_text(env, out, " The axis of the values does not begin at 0.");
    return DGM_OK;
}
