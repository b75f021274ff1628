/* run_log.c: from the lines of a log to series. */
#include "draw/training/run_log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lines/lines.h"
#include "base/mem.h"
#include "draw/chart/ticks.h"
#include "text/flat_json.h"

enum { MOST_NAMES = 1000, LINE_LIMIT = 1 << 20 };

void dgm_run_log_clear(struct dgm_env *env, struct dgm_run_log *log)
{
    size_t i;

    for (i = 0; i < log->series_capacity; i++)
        dgm_release(env, log->series[i].points.points);
    dgm_release(env, log->series);
    for (i = 0; i < DGM_TRAINING_AXES; i++)
        dgm_release(env, log->places[i].at);
    dgm_map_clear(env, &log->names);
    memset(log, 0, sizeof *log);
}

const struct dgm_log_series *dgm_run_log_find(const struct dgm_run_log *log, const char *name)
{
    const struct dgm_map_entry *entry = dgm_map_find(&log->names, name, strlen(name));

    return entry != NULL ? &log->series[entry->value] : NULL;
}

/* ---- points --------------------------------------------------------------------------------- */

static dgm_status make_series(struct dgm_env *env, struct dgm_run_log *log, const char *name,
                              struct dgm_log_series **series)
{
    size_t old = log->series_capacity;
    struct dgm_map_entry *entry;
    int is_new;

    DGM_TRY(dgm_map_insert(env, &log->names, name, strlen(name), &entry, &is_new));
    if (is_new) {
        if (log->names.count > MOST_NAMES)
            return dgm_fail_at(env, DGM_DATA, log->path, 0, 0,
                               "more than %d names of numbers; expected a log of training",
                               MOST_NAMES);
        DGM_TRY(dgm_grow(env, &log->series, &log->series_capacity, log->names.count - 1,
                         sizeof *log->series));
        memset(log->series + old, 0, (log->series_capacity - old) * sizeof *log->series);
        entry->value = (int64_t)log->names.count - 1;
    }
    *series = &log->series[entry->value];
    return DGM_OK;
}

enum kind { NUMBER, SMOOTH, METRIC };

static dgm_status add_point(struct dgm_env *env, struct dgm_run_log *log, const char *name,
                            double update, double value, enum kind kind)
{
    struct dgm_log_series *series = NULL;
    struct dgm_chart_series *points;
    struct dgm_chart_point *point;

    DGM_TRY(make_series(env, log, name, &series));
    points = &series->points;
    if (points->count > 0 && !(points->points[points->count - 1].x < update))
        points->count--; /* the same number once more: the later one counts */
    DGM_TRY(
        dgm_grow(env, &points->points, &points->capacity, points->count, sizeof *points->points));
    series->is_smooth = kind == SMOOTH;
    series->is_metric = series->is_metric || kind == METRIC;
    if (!(value >= -DGM_TICKS_LIMIT && value <= DGM_TICKS_LIMIT)) {
        if (series->not_finite++ == 0)
            series->first_of_them = update;
        value = (double)NAN;
    }
    point = &points->points[points->count++];
    memset(point, 0, sizeof *point);
    point->x = update;
    point->y = value;
    return DGM_OK;
}

/* Drops what the run did again after it was resumed. */
static void go_back(struct dgm_run_log *log, double update)
{
    size_t i;

    log->resumed++;
    for (i = 0; i < log->names.count; i++) {
        struct dgm_chart_series *points = &log->series[i].points;
        while (points->count > 0 && points->points[points->count - 1].x >= update)
            points->count--;
    }
    for (i = 0; i < DGM_TRAINING_AXES; i++) {
        struct dgm_log_places *places = &log->places[i];
        while (places->count > 0 && places->at[places->count - 1].update >= update)
            places->count--;
    }
}

/* ---- places --------------------------------------------------------------------------------- */

static const struct dgm_log_place start = { 0, 0 };

static struct dgm_log_place last_place(const struct dgm_run_log *log, enum dgm_training_axis axis)
{
    const struct dgm_log_places *places = &log->places[axis];

    return places->count > 0 ? places->at[places->count - 1] : start;
}

/* Of two lines of one update the later one counts. */
static dgm_status add_place(struct dgm_env *env, struct dgm_run_log *log,
                            enum dgm_training_axis axis, double update, double value)
{
    struct dgm_log_places *places = &log->places[axis];

    if (!(value >= 0 && value <= 1e18))
        return DGM_OK;
    if (places->count > 0 && !(last_place(log, axis).update < update))
        places->count--;
    DGM_TRY(dgm_grow(env, &places->at, &places->capacity, places->count, sizeof *places->at));
    places->at[places->count].update = update;
    places->at[places->count++].value = value;
    return DGM_OK;
}

/* The time of a line is its words over their speed, unless the log has it. */
static dgm_status add_places(struct dgm_env *env, struct dgm_run_log *log,
                             const struct dgm_flat *flat, double update)
{
    double before = last_place(log, DGM_AXIS_WORDS).value, value, words, speed;

    if (dgm_flat_number(flat, "epoch", &value))
        DGM_TRY(add_place(env, log, DGM_AXIS_EPOCHS, update, value));
    if (dgm_flat_number(flat, "labels", &words)) {
        DGM_TRY(add_place(env, log, DGM_AXIS_WORDS, update, words));
        if (dgm_flat_number(flat, "wps", &speed) && speed > 0 && words >= before)
            DGM_TRY(add_place(env, log, DGM_AXIS_SECONDS, update,
                              last_place(log, DGM_AXIS_SECONDS).value + (words - before) / speed));
    }
    return dgm_flat_number(flat, "seconds", &value)
               ? add_place(env, log, DGM_AXIS_SECONDS, update, value)
               : DGM_OK;
}

/* What epoch the run had reached at the last of the lines that lie in the epoch of number `whole`:
 * as much of it as the pace so far makes likely, all of it while there is none. */
static double epoch_at_end(const struct dgm_log_place *last, double whole,
                           const struct dgm_log_place *before, double pace)
{
    double likely = pace > 0 ? before->value + (last->update - before->update) / pace : whole;

    return likely > whole - 1 && likely < whole ? likely : whole;
}

/* Lines have whole epochs. Between the last lines of two epochs parts of them are as updates
 * are. */
static void spread_epochs(struct dgm_log_places *places)
{
    struct dgm_log_place before = start;
    double pace = 0; /* updates of an epoch */
    size_t a, b, i;

    for (a = 0; a < places->count; a = b) {
        double end, updates;
        for (b = a; b < places->count && !(places->at[b].value > places->at[a].value);)
            b++;
        end = epoch_at_end(&places->at[b - 1], places->at[a].value, &before, pace);
        updates = places->at[b - 1].update - before.update;
        for (i = a; i < b; i++)
            places->at[i].value =
                before.value +
                (end - before.value) * ((places->at[i].update - before.update) / updates);
        pace = end > before.value ? updates / (end - before.value) : 0;
        before = places->at[b - 1];
    }
}

/* The first place at or behind an update; the last one, if there is none. */
static size_t place_behind(const struct dgm_log_places *places, double update)
{
    size_t low = 0, high = places->count - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (places->at[middle].update < update)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double dgm_run_log_place(const struct dgm_run_log *log, enum dgm_training_axis axis, double update)
{
    const struct dgm_log_places *places = &log->places[axis];
    struct dgm_log_place before = start, behind;
    size_t i;

    if (places->count == 0)
        return axis == DGM_AXIS_UPDATES ? update : 0;
    i = place_behind(places, update);
    if (i > 0)
        before = places->at[i - 1];
    behind = places->at[i];
    return before.value + (behind.value - before.value) *
                              ((update - before.update) / (behind.update - before.update));
}

/* ---- lines ---------------------------------------------------------------------------------- */

static dgm_status add_numbers(struct dgm_env *env, struct dgm_run_log *log,
                              const struct dgm_flat *flat, double update)
{
    static const char *const places[] = { "update", "epoch", "labels", "seconds", "value" };
    double ignored;
    enum kind kind = dgm_flat_number(flat, "loss", &ignored) ? SMOOTH : NUMBER;
    size_t i, p;

    for (i = 0; i < flat->count; i++) {
        const char *name = dgm_flat_name(flat, i);
        for (p = 0; p < sizeof places / sizeof places[0]; p++)
            if (strcmp(name, places[p]) == 0)
                break;
        if (p == sizeof places / sizeof places[0] && !flat->members[i].is_text)
            DGM_TRY(add_point(env, log, name, update, flat->members[i].value, kind));
    }
    return DGM_OK;
}

static dgm_status add_line(struct dgm_env *env, struct dgm_run_log *log,
                           const struct dgm_flat *flat, const struct dgm_lines *lines)
{
    const char *metric = dgm_flat_text(flat, "metric"), *set = dgm_flat_text(flat, "set");
    char name[128];
    double update, value;

    if (!dgm_flat_number(flat, "update", &update) || !(update >= 0 && update <= 1e15))
        return dgm_fail_at(env, DGM_DATA, lines->path, lines->number, 0,
                           "no number of an \"update\"; expected a line of metrics.jsonl");
    if (update < log->last_update)
        go_back(log, update);
    log->last_update = update;
    if (update > 0)
        DGM_TRY(add_places(env, log, flat, update));
    if (metric != NULL && set != NULL) {
        snprintf(name, sizeof name, "%s:%s", metric, set);
        metric = name;
    }
    if (metric != NULL && dgm_flat_number(flat, "value", &value))
        DGM_TRY(add_point(env, log, metric, update, value, METRIC));
    return add_numbers(env, log, flat, update);
}

/* A run that goes on, or was killed, may be in the middle of its last line. */
static dgm_status read_line(struct dgm_env *env, struct dgm_run_log *log, struct dgm_flat *flat,
                            const struct dgm_lines *lines)
{
    struct dgm_env quiet = dgm_env_quiet(env);

    if (lines->line.size == 0)
        return DGM_OK;
    if (lines->ended_without_lf && dgm_flat_read(&quiet, flat, lines->path, lines->number,
                                                 lines->line.data, lines->line.size) == DGM_DATA) {
        dgm_log(env, DGM_LOG_WARNING, "%s:%ld: the last line is cut; left out", lines->path,
                lines->number);
        return DGM_OK;
    }
    DGM_TRY(
        dgm_flat_read(env, flat, lines->path, lines->number, lines->line.data, lines->line.size));
    return add_line(env, log, flat, lines);
}

static dgm_status read_lines(struct dgm_env *env, struct dgm_run_log *log, struct dgm_lines *lines)
{
    struct dgm_flat flat = { 0 };
    dgm_status status = DGM_OK;
    int more = 1;

    while (status == DGM_OK) {
        DGM_TRY_OUT(dgm_poll(env));
        DGM_TRY_OUT(dgm_lines_next(env, lines, &more));
        if (!more)
            break;
        status = read_line(env, log, &flat, lines);
    }
out:
    dgm_flat_clear(env, &flat);
    return status;
}

dgm_status dgm_run_log_read(struct dgm_env *env, struct dgm_run_log *log, const char *path)
{
    struct dgm_lines lines;
    dgm_status status;

    log->path = path;
    DGM_TRY(dgm_lines_open(env, &lines, path));
    lines.path = dgm_lines_name(path);
    lines.limit = LINE_LIMIT;
    status = read_lines(env, log, &lines);
    if (log->resumed > 0 && status == DGM_OK)
        dgm_log(env, DGM_LOG_NOTE, "%s: resumed runs: %ld; what they did again is drawn once",
                lines.path, log->resumed);
    spread_epochs(&log->places[DGM_AXIS_EPOCHS]);
    dgm_lines_close(env, &lines);
    return status;
}
