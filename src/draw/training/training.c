/* training.c: the points of panels: placed on the axis, smoothed, measured. */
#include "draw/training/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/tree/captions.h"

/* One value in a hundred may lie beyond the axis on each side, lest one spike flatten a curve. */
enum { BEYOND = 100 };

static void clear_panel(struct dgm_env *env, struct dgm_training_panel *panel)
{
    dgm_chart_clear(env, &panel->raw);
    dgm_chart_clear(env, &panel->shown);
}

void dgm_training_clear(struct dgm_env *env, struct dgm_training *training)
{
    size_t i;

    for (i = 0; i < training->panel_count; i++)
        clear_panel(env, &training->panels[i]);
    dgm_release(env, training->panels);
    training->panels = NULL;
    training->panel_count = training->panel_capacity = 0;
}

const struct dgm_chart_point *dgm_training_best(const struct dgm_training_panel *panel, size_t run)
{
    const struct dgm_chart_series *series = &panel->raw.series[run];
    const struct dgm_chart_point *best = NULL;
    size_t i;

    for (i = 0; i < series->count && panel->kind.better != 0; i++) {
        double y = series->points[i].y;
        if (isfinite(y) && (best == NULL || (y - best->y) * panel->kind.better > 0))
            best = &series->points[i];
    }
    return best;
}

/* ---- points --------------------------------------------------------------------------------- */

static dgm_status copy_points(struct dgm_env *env, struct dgm_chart_series *to,
                              const struct dgm_run_log *log, enum dgm_training_axis axis,
                              const struct dgm_chart_series *from)
{
    size_t i;

    DGM_TRY(dgm_reserve(env, &to->points, &to->capacity, from->count + 1, sizeof *to->points));
    for (i = 0; i < from->count; i++) {
        to->points[i] = from->points[i];
        to->points[i].x = dgm_run_log_place(log, axis, from->points[i].x);
    }
    to->count = from->count;
    return DGM_OK;
}

/* An exponential mean over about `span` values, without a bias towards the first: weights of what
 * is older fall by a = (span - 1) / (span + 1) from one to the next, and their sum divides. */
static void smooth(struct dgm_chart_series *series, long span)
{
    double keep = (double)(span - 1) / (double)(span + 1), sum = 0, weight = 0;
    size_t i;

    for (i = 0; i < series->count && span > 1; i++) {
        double *y = &series->points[i].y;
        if (!isfinite(*y))
            continue;
        sum = keep * sum + *y;
        weight = keep * weight + 1;
        *y = sum / weight;
    }
}

/* A chart that has room for a series of each run, with their names. */
static dgm_status prepare(struct dgm_env *env, struct dgm_chart *chart,
                          const struct dgm_training *training)
{
    struct dgm_map_entry *entry;
    size_t i;
    int is_new;

    chart->type = DGM_CHART_LINES;
    chart->is_numeric = 1;
    DGM_TRY(dgm_new(env, &chart->series, training->runs, sizeof *chart->series));
    chart->series_capacity = training->runs;
    for (i = 0; i < training->runs; i++) {
        const char *name = training->names[i];
        DGM_TRY(dgm_map_insert(env, &chart->names, name, strlen(name), &entry, &is_new));
        entry->value = (int64_t)chart->texts.size;
        DGM_TRY(dgm_caption_add(env, &chart->texts, name, strlen(name), DGM_CAPTION_MOST_FORM, "…",
                                NULL));
        DGM_TRY(dgm_buf_add_char(env, &chart->texts, '\0'));
    }
    return DGM_OK;
}

static dgm_status fill(struct dgm_env *env, struct dgm_training_panel *panel,
                       const struct dgm_training *training)
{
    size_t run;

    DGM_TRY(prepare(env, &panel->raw, training));
    DGM_TRY(prepare(env, &panel->shown, training));
    for (run = 0; run < training->runs; run++) {
        const struct dgm_run_log *log = &training->logs[run];
        const struct dgm_log_series *series = dgm_run_log_find(log, panel->kind.name);
        if (series == NULL)
            continue;
        DGM_TRY(copy_points(env, &panel->raw.series[run], log, training->axis, &series->points));
        DGM_TRY(copy_points(env, &panel->shown.series[run], log, training->axis, &series->points));
        if (series->is_smooth && !panel->kind.keeps_raw && training->smooth > 1) {
            smooth(&panel->shown.series[run], training->smooth);
            panel->is_smoothed = 1;
        }
        panel->not_finite += series->not_finite;
        panel->raw.points += panel->raw.series[run].count;
    }
    return DGM_OK;
}

/* ---- extents -------------------------------------------------------------------------------- */

static void include(struct dgm_training_panel *panel, double y, int *any)
{
    if (!*any || y < panel->low)
        panel->low = y;
    if (!*any || y > panel->high)
        panel->high = y;
    *any = 1;
}

static int by_size(const void *one, const void *other)
{
    const double *a = one, *b = other;

    return *a < *b ? -1 : *a > *b;
}

/* Of the raw values of a run all but one in a hundred on either side. */
static dgm_status include_raw(struct dgm_env *env, struct dgm_training_panel *panel, size_t run,
                              int *any)
{
    const struct dgm_chart_series *series = &panel->raw.series[run];
    size_t count = 0, i;
    double *values;

    DGM_TRY(dgm_new(env, &values, series->count + 1, sizeof *values));
    for (i = 0; i < series->count; i++)
        if (isfinite(series->points[i].y))
            values[count++] = series->points[i].y;
    qsort(values, count, sizeof *values, by_size);
    if (count > 0) {
        include(panel, values[count / BEYOND], any);
        include(panel, values[count - 1 - count / BEYOND], any);
    }
    dgm_release(env, values);
    return DGM_OK;
}

long dgm_training_beyond(const struct dgm_training_panel *panel, double low, double high)
{
    size_t run, i;
    long beyond = 0;

    for (run = 0; run < panel->raw.names.count; run++)
        for (i = 0; i < panel->raw.series[run].count; i++) {
            double y = panel->raw.series[run].points[i].y;
            beyond += y < low || y > high;
        }
    return beyond;
}

/* Smoothed values lie within the axis, all of them, and so do raw ones that no mean stands for. */
static dgm_status measure(struct dgm_env *env, struct dgm_training_panel *panel, int *any)
{
    size_t run, i;

    for (run = 0; run < panel->shown.names.count; run++) {
        const struct dgm_chart_series *series = &panel->shown.series[run];
        for (i = 0; i < series->count; i++)
            if (isfinite(series->points[i].y))
                include(panel, series->points[i].y, any);
        if (panel->is_smoothed)
            DGM_TRY(include_raw(env, panel, run, any));
    }
    if (panel->kind.is_schedule && *any)
        include(panel, 0, any);
    panel->shown.low = panel->low;
    panel->shown.high = panel->high;
    return DGM_OK;
}

static void widen_axis(struct dgm_training *training, const struct dgm_training_panel *panel)
{
    size_t run;

    for (run = 0; run < training->runs; run++) {
        const struct dgm_chart_series *series = &panel->raw.series[run];
        if (series->count == 0)
            continue;
        if (series->points[0].x < training->left)
            training->left = series->points[0].x;
        if (series->points[series->count - 1].x > training->right)
            training->right = series->points[series->count - 1].x;
    }
}

dgm_status dgm_training_add(struct dgm_env *env, struct dgm_training *training, const char *name,
                            int *added)
{
    struct dgm_training_panel *panel;
    dgm_status status;

    *added = 0;
    DGM_TRY(dgm_grow(env, &training->panels, &training->panel_capacity, training->panel_count,
                     sizeof *training->panels));
    panel = &training->panels[training->panel_count];
    memset(panel, 0, sizeof *panel);
    panel->kind = dgm_panel_kind_of(name);
    status = fill(env, panel, training);
    if (status == DGM_OK)
        status = measure(env, panel, added);
    if (status != DGM_OK || !*added) {
        clear_panel(env, panel);
        return status;
    }
    widen_axis(training, panel);
    training->panel_count++;
    return DGM_OK;
}
