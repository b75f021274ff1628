/* chart.c: values put into series, sorted and measured. */
#include "draw/chart/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "draw/chart/ticks.h"
#include "draw/tree/captions.h"

void dgm_chart_clear(struct dgm_env *env, struct dgm_chart *chart)
{
    size_t i;

    for (i = 0; i < chart->series_capacity; i++)
        dgm_release(env, chart->series[i].points);
    dgm_release(env, chart->series);
    dgm_map_clear(env, &chart->categories);
    dgm_map_clear(env, &chart->names);
    dgm_buf_clear(env, &chart->written);
    dgm_buf_clear(env, &chart->texts);
    memset(chart, 0, sizeof *chart);
}

/* ---- values --------------------------------------------------------------------------------- */

/* The series of a name, made if it is new. */
static dgm_status find_series(struct dgm_env *env, struct dgm_chart *chart, const char *name,
                              struct dgm_chart_series **series)
{
    size_t old = chart->series_capacity;
    struct dgm_map_entry *entry;
    int is_new;

    DGM_TRY(dgm_map_insert(env, &chart->names, name, strlen(name), &entry, &is_new));
    if (is_new) {
        entry->value = (int64_t)chart->names.count - 1;
        if (chart->names.count > DGM_CHART_MOST_SERIES)
            return dgm_fail(env, DGM_DATA, "more than %d series; a chart has room for so many",
                            DGM_CHART_MOST_SERIES);
        DGM_TRY(dgm_grow(env, &chart->series, &chart->series_capacity, (size_t)entry->value,
                         sizeof *chart->series));
        memset(chart->series + old, 0, (chart->series_capacity - old) * sizeof *chart->series);
    }
    *series = &chart->series[entry->value];
    return DGM_OK;
}

dgm_status dgm_chart_add(struct dgm_env *env, struct dgm_chart *chart, const char *name,
                         const char *x, const struct dgm_chart_point *point, const char *written)
{
    struct dgm_chart_series *series = NULL;
    struct dgm_chart_point *added;
    struct dgm_map_entry *entry;
    int is_new;

    if (chart->points == DGM_CHART_MOST_POINTS)
        return dgm_fail(env, DGM_DATA, "more than %d values; a chart has room for so many",
                        DGM_CHART_MOST_POINTS);
    DGM_TRY(find_series(env, chart, name, &series));
    DGM_TRY(dgm_map_insert(env, &chart->categories, x, strlen(x), &entry, &is_new));
    if (is_new)
        entry->value = (int64_t)chart->categories.count - 1;
    DGM_TRY(
        dgm_grow(env, &series->points, &series->capacity, series->count, sizeof *series->points));
    added = &series->points[series->count];
    *added = *point;
    added->x = (double)entry->value;
    added->written = chart->written.size;
    DGM_TRY(dgm_buf_add_text(env, &chart->written, written));
    DGM_TRY(dgm_buf_add_char(env, &chart->written, '\0'));
    series->count++;
    chart->points++;
    return DGM_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static const char *key_of(const struct dgm_map *map, size_t i)
{
    return dgm_map_key(map, &map->entries[i]);
}

static int number_of(double *value, const char *text)
{
    return dgm_number_real(value, text, strlen(text)) && *value >= -DGM_TICKS_LIMIT &&
           *value <= DGM_TICKS_LIMIT;
}

/* Lines run over numbers if every x is one. */
static void place_numbers(struct dgm_chart *chart)
{
    size_t i, s;
    double value;

    for (i = 0; i < chart->categories.count; i++)
        if (!number_of(&value, key_of(&chart->categories, i)))
            return;
    chart->is_numeric = chart->is_whole = 1;
    for (s = 0; s < chart->names.count; s++)
        for (i = 0; i < chart->series[s].count; i++) {
            double *x = &chart->series[s].points[i].x;
            (void)number_of(x, key_of(&chart->categories, (size_t)*x));
            chart->is_whole = chart->is_whole && *x == floor(*x);
        }
}

static int by_place(const void *one, const void *other)
{
    const struct dgm_chart_point *a = one, *b = other;

    if (a->x < b->x || a->x > b->x)
        return a->x < b->x ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

static dgm_status check_series(struct dgm_env *env, const struct dgm_chart *chart, size_t s,
                               const char *path)
{
    const struct dgm_chart_series *series = &chart->series[s];
    size_t i;

    for (i = 0; i < series->count; i++) {
        const struct dgm_chart_point *point = &series->points[i];
        if (i > 0 && !(point[-1].x < point->x))
            return dgm_fail_at(env, DGM_DATA, path, point->line, 0,
                               "another value at the same x as in line %ld; expected one for "
                               "each series (--series names a column that tells them apart)",
                               point[-1].line);
        if (chart->has_from && point->y - point->error < chart->from)
            return dgm_fail_at(env, DGM_DATA, path, point->line, 0,
                               "a value below --from; expected the axis to begin at or below "
                               "the least value");
    }
    return DGM_OK;
}

static void measure(struct dgm_chart *chart, const struct dgm_chart_point *point, int is_first)
{
    double low = point->y - point->error, high = point->y + point->error;

    chart->has_errors = chart->has_errors || point->error > 0;
    if (is_first || low < chart->low)
        chart->low = low;
    if (is_first || high > chart->high)
        chart->high = high;
    if (is_first || point->x < chart->left)
        chart->left = point->x;
    if (is_first || point->x > chart->right)
        chart->right = point->x;
}

/* From here on the value of an entry is the place of its text. */
static dgm_status clean_texts(struct dgm_env *env, struct dgm_chart *chart, struct dgm_map *map)
{
    size_t i;

    for (i = 0; i < map->count; i++) {
        const char *key = key_of(map, i);
        map->entries[i].value = (int64_t)chart->texts.size;
        DGM_TRY(dgm_caption_add(env, &chart->texts, key, strlen(key), DGM_CAPTION_MOST_LABEL, "…",
                                NULL));
        DGM_TRY(dgm_buf_add_char(env, &chart->texts, '\0'));
    }
    return DGM_OK;
}

dgm_status dgm_chart_finish(struct dgm_env *env, struct dgm_chart *chart, const char *path)
{
    size_t s, i;
    int is_first = 1;

    if (chart->type == DGM_CHART_LINES)
        place_numbers(chart);
    if (!chart->is_numeric && chart->categories.count > DGM_CHART_MOST_CATEGORIES)
        return dgm_fail_at(env, DGM_DATA, path, 0, 0,
                           "%zu different x; expected at most %d, or numbers for lines",
                           chart->categories.count, DGM_CHART_MOST_CATEGORIES);
    for (s = 0; s < chart->names.count; s++) {
        struct dgm_chart_series *series = &chart->series[s];
        qsort(series->points, series->count, sizeof *series->points, by_place);
        DGM_TRY(check_series(env, chart, s, path));
        for (i = 0; i < series->count; i++, is_first = 0)
            measure(chart, &series->points[i], is_first);
    }
    DGM_TRY(clean_texts(env, chart, &chart->names));
    return chart->is_numeric ? DGM_OK : clean_texts(env, chart, &chart->categories);
}
