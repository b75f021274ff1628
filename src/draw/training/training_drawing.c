/*
 * training_drawing.c: curves of runs of training, from their logs.
 *
 * All logs are in memory before anything is drawn: the axes depend on all of them.
 */
#include "draw/training/training_drawing.h"

#include <string.h>

#include "base/file/report.h"
#include "base/mem.h"
#include "base/near.h"
#include "draw/training/training_svg.h"
#include "draw/training/training_text.h"
#include "draw/tree/captions.h"

enum {
    SHARE = 50, /* a mean is over this part of the longest log, unless the caller chooses */
    MOST_TITLE = 100
};

#define LOG_NAME "metrics.jsonl"

/* ---- runs ----------------------------------------------------------------------------------- */

static int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), more = strlen(end);

    return length >= more && strcmp(text + length - more, end) == 0;
}

/* A log is itself; a folder of checkpoints holds one; a model has such a folder beside it. */
static dgm_status make_path(struct dgm_training_drawing *drawing, const char *run, char **path)
{
    struct dgm_buf text = { .data = NULL };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add_text(drawing->picture.env, &text, run));
    if (ends_with(run, ".ckpt/"))
        DGM_TRY_OUT(dgm_buf_add_text(drawing->picture.env, &text, LOG_NAME));
    else if (ends_with(run, ".ckpt"))
        DGM_TRY_OUT(dgm_buf_add_text(drawing->picture.env, &text, "/" LOG_NAME));
    else if (strcmp(run, "-") != 0 && !ends_with(run, ".jsonl") && !ends_with(run, ".jsonl.gz"))
        DGM_TRY_OUT(dgm_buf_add_text(drawing->picture.env, &text, ".ckpt/" LOG_NAME));
    *path = dgm_copy_text(drawing->picture.env, text.data, text.size);
    status = *path != NULL ? DGM_OK : DGM_MEMORY;
out:
    dgm_buf_clear(drawing->picture.env, &text);
    return status;
}

static size_t drop_end(const char *text, size_t length, const char *end)
{
    size_t more = strlen(end);

    return length > more && memcmp(text + length - more, end, more) == 0 ? length - more : length;
}

/* "demo/plain.gguf.ckpt/metrics.jsonl" is "plain". */
static dgm_status make_name(struct dgm_training_drawing *drawing, const char *path, char **name)
{
    size_t length = strlen(path), from;

    length = drop_end(path, length, ".gz");
    length = drop_end(path, length, "/" LOG_NAME);
    length = drop_end(path, length, ".jsonl");
    length = drop_end(path, length, ".ckpt");
    length = drop_end(path, length, ".gguf");
    for (from = length; from > 0 && path[from - 1] != '/';)
        from--;
    *name = strcmp(path, "-") == 0
                ? dgm_copy_text(drawing->picture.env, "standard input", 14)
                : dgm_copy_text(drawing->picture.env, path + from, length - from);
    return *name != NULL ? DGM_OK : DGM_MEMORY;
}

/* Runs of one name are told apart by their paths. */
static dgm_status tell_apart(struct dgm_training_drawing *drawing, size_t i)
{
    const char *path = drawing->paths[i];
    size_t k;
    int is_twice = 0;

    for (k = 0; k < drawing->count; k++) {
        if (k < i && strcmp(drawing->paths[k], path) == 0)
            return dgm_fail(drawing->picture.env, DGM_USAGE,
                            "%s: named twice; expected each run once", path);
        is_twice = is_twice || (k != i && strcmp(drawing->names[k], drawing->names[i]) == 0);
    }
    if (is_twice) {
        char *name = dgm_copy_text(drawing->picture.env, path, strlen(path));
        if (name == NULL)
            return DGM_MEMORY;
        dgm_release(drawing->picture.env, drawing->names[i]);
        drawing->names[i] = name;
    }
    return DGM_OK;
}

static dgm_status name_runs(struct dgm_training_drawing *drawing, const char *const *runs,
                            size_t count)
{
    struct dgm_env *env = drawing->picture.env;
    size_t i;

    DGM_TRY(dgm_new(env, &drawing->logs, count, sizeof *drawing->logs));
    DGM_TRY(dgm_new(env, &drawing->paths, count, sizeof *drawing->paths));
    DGM_TRY(dgm_new(env, &drawing->names, count, sizeof *drawing->names));
    drawing->count = count;
    for (i = 0; i < count; i++) {
        DGM_TRY(make_path(drawing, runs[i], &drawing->paths[i]));
        DGM_TRY(make_name(drawing, drawing->paths[i], &drawing->names[i]));
    }
    for (i = count; i-- > 0;)
        DGM_TRY(tell_apart(drawing, i));
    return DGM_OK;
}

static void set_smooth(struct dgm_training_drawing *drawing)
{
    size_t longest = 0, i;

    for (i = 0; i < drawing->count; i++)
        if (drawing->logs[i].places[DGM_AXIS_WORDS].count > longest)
            longest = drawing->logs[i].places[DGM_AXIS_WORDS].count;
    drawing->training.smooth = drawing->smooth;
    if (drawing->smooth == 0)
        drawing->training.smooth = longest < SHARE ? 1 : (long)(longest / SHARE);
}

/* Whether the log says where its lines stand on the axis. */
static dgm_status check_axis(struct dgm_training_drawing *drawing, const struct dgm_run_log *log)
{
    static const char *const members[] = { "update", "epoch", "labels", "wps" };
    enum dgm_training_axis axis = drawing->training.axis;

    if (axis == DGM_AXIS_UPDATES || log->places[axis].count > 0)
        return DGM_OK;
    return dgm_fail_at(drawing->picture.env, DGM_DATA, log->path, 0, 0,
                       "no lines with \"%s\", which curves over %s need", members[axis],
                       dgm_training_axes[axis]);
}

static dgm_status read_runs(struct dgm_training_drawing *drawing)
{
    struct dgm_env *env = drawing->picture.env;
    size_t i;

    for (i = 0; i < drawing->count; i++) {
        DGM_TRY(dgm_picture_poll(&drawing->picture));
        DGM_TRY(dgm_run_log_read(env, &drawing->logs[i], drawing->paths[i]));
        if (drawing->logs[i].names.count > 0)
            DGM_TRY(check_axis(drawing, &drawing->logs[i]));
        else
            dgm_log(env, DGM_LOG_WARNING, "%s: an empty log; nothing of this run is drawn",
                    drawing->paths[i]);
    }
    set_smooth(drawing);
    drawing->training.logs = drawing->logs;
    drawing->training.names = (const char *const *)drawing->names;
    drawing->training.runs = drawing->count;
    return DGM_OK;
}

/* ---- panels --------------------------------------------------------------------------------- */

static const char *name_at(const struct dgm_run_log *log, size_t i)
{
    return dgm_map_key(&log->names, &log->names.entries[i]);
}

static dgm_status fail_metric(struct dgm_training_drawing *drawing, const char *name)
{
    char quoted[DGM_QUOTE_SIZE], suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;
    size_t run, i;

    for (run = 0; run < drawing->count; run++)
        if (dgm_run_log_find(&drawing->logs[run], name) != NULL)
            return dgm_fail_at(drawing->picture.env, DGM_DATA, drawing->logs[run].path, 0, 0,
                               "no value of %s is finite; there is nothing to draw", name);
    dgm_near_begin(&near, name, strlen(name));
    for (run = 0; run < drawing->count; run++)
        for (i = 0; i < drawing->logs[run].names.count; i++)
            dgm_near_try(&near, name_at(&drawing->logs[run], i),
                         strlen(name_at(&drawing->logs[run], i)));
    dgm_near_suggest(&near, suggestion);
    dgm_quote(quoted, sizeof quoted, name, strlen(name));
    return dgm_fail(drawing->picture.env, DGM_USAGE, "metrics: no numbers \"%s\" in the logs%s",
                    quoted, suggestion);
}

/* A run that has no such number, while others do; values that cannot be drawn. */
static void warn_of_gaps(struct dgm_training_drawing *drawing, const char *name)
{
    size_t run;

    for (run = 0; run < drawing->count; run++) {
        const struct dgm_run_log *log = &drawing->logs[run];
        const struct dgm_log_series *series = dgm_run_log_find(log, name);
        if (series == NULL && log->names.count > 0)
            dgm_log(drawing->picture.env, DGM_LOG_WARNING, "%s: no values of %s", log->path, name);
        if (series != NULL && series->not_finite > 0)
            dgm_log(drawing->picture.env, DGM_LOG_WARNING,
                    "%s: values of %s that are not finite: %ld, the first at update %lld",
                    log->path, name, series->not_finite, (long long)series->first_of_them);
    }
}

static dgm_status add_panel(struct dgm_training_drawing *drawing, const char *name, int *added)
{
    struct dgm_training *training = &drawing->training;
    size_t p;

    *added = 1;
    for (p = 0; p < training->panel_count; p++)
        if (strcmp(training->panels[p].kind.name, name) == 0)
            return DGM_OK;
    if (training->panel_count == DGM_TRAINING_MOST_PANELS)
        return dgm_fail(drawing->picture.env, DGM_USAGE, "metrics: more than %d panels",
                        DGM_TRAINING_MOST_PANELS);
    DGM_TRY(dgm_training_add(drawing->picture.env, training, name, added));
    if (*added)
        warn_of_gaps(drawing, name);
    return DGM_OK;
}

static dgm_status add_chosen(struct dgm_training_drawing *drawing)
{
    const char *names = drawing->metrics;
    char *at, *end;
    int added;

    drawing->metric_names = dgm_copy_text(drawing->picture.env, names, strlen(names));
    if (drawing->metric_names == NULL)
        return DGM_MEMORY;
    for (at = drawing->metric_names; at != NULL; at = end) {
        end = strchr(at, ',');
        if (end != NULL)
            *end++ = '\0';
        DGM_TRY(add_panel(drawing, at, &added));
        if (!added)
            return fail_metric(drawing, at);
    }
    return DGM_OK;
}

/* What every training has, with the validations in the order in which they come. */
static dgm_status add_usual(struct dgm_training_drawing *drawing)
{
    size_t run, i;
    int added;

    DGM_TRY(add_panel(drawing, "loss", &added));
    DGM_TRY(add_panel(drawing, "parse_loss", &added));
    for (run = 0; run < drawing->count; run++)
        for (i = 0; i < drawing->logs[run].names.count; i++)
            if (drawing->logs[run].series[i].is_metric)
                DGM_TRY(add_panel(drawing, name_at(&drawing->logs[run], i), &added));
    DGM_TRY(add_panel(drawing, "lr", &added));
    DGM_TRY(add_panel(drawing, "gnorm", &added));
    if (drawing->training.panel_count > 0)
        return DGM_OK;
    return dgm_fail_at(drawing->picture.env, DGM_DATA, drawing->paths[0], 0, 0,
                       "no values of loss, lr, gnorm or a validation; expected a log of training");
}

/* ---- the picture ---------------------------------------------------------------------------- */

static dgm_status set_title(struct dgm_training_drawing *drawing)
{
    const char *title = drawing->title;

    if (title == NULL || title[0] == '\0')
        return DGM_OK;
    DGM_TRY(dgm_caption_add(drawing->picture.env, &drawing->title_text, title, strlen(title),
                            MOST_TITLE, "…", NULL));
    drawing->training.title = drawing->title_text.data;
    return DGM_OK;
}

static dgm_status draw(struct dgm_training_drawing *drawing, const char *const *runs, size_t count)
{
    struct dgm_picture *picture = &drawing->picture;
    struct dgm_env *env = drawing->picture.env;

    DGM_TRY(set_title(drawing));
    DGM_TRY(name_runs(drawing, runs, count));
    DGM_TRY(read_runs(drawing));
    DGM_TRY(drawing->metrics != NULL ? add_chosen(drawing) : add_usual(drawing));
    if (picture->is_svg)
        DGM_TRY(dgm_training_svg(env, &picture->out, &drawing->training));
    else
        DGM_TRY(
            dgm_training_text(env, &picture->out, &drawing->training, picture->draw.style.width));
    return dgm_report_write(env, picture->write, picture->user, &picture->out);
}

static void close_all(struct dgm_training_drawing *drawing)
{
    struct dgm_env *env = drawing->picture.env;
    size_t i;

    dgm_training_clear(env, &drawing->training);
    for (i = 0; i < drawing->count; i++) {
        dgm_run_log_clear(env, &drawing->logs[i]);
        dgm_release(env, drawing->paths[i]);
        dgm_release(env, drawing->names[i]);
    }
    dgm_release(env, drawing->logs);
    dgm_release(env, drawing->paths);
    dgm_release(env, drawing->names);
    dgm_release(env, drawing->metric_names);
    dgm_buf_clear(env, &drawing->title_text);
    dgm_buf_clear(env, &drawing->picture.out);
}

dgm_status dgm_training_drawing_run(struct dgm_training_drawing *drawing, const char *const *runs,
                                    size_t count)
{
    const dgm_status status = draw(drawing, runs, count);

    close_all(drawing);
    return status;
}
