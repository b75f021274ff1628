/*
 * chart_drawing.c: a chart of the columns of a CSV file.
 *
 * The first line names the columns. Every line behind it gives one value for each column of y. All
 * of them are in memory before anything is drawn, for the axes depend on all.
 */
#include "draw/chart/chart_drawing.h"

#include <string.h>

#include "base/file/report.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/number/number.h"
#include "draw/chart/chart_svg.h"
#include "draw/chart/text/chart_text.h"
#include "draw/chart/ticks.h"
#include "draw/tree/captions.h"

enum { MOST_Y = DGM_CHART_MOST_SERIES, MOST_TEXT = 100 };

/* ---- columns -------------------------------------------------------------------------------- */

static dgm_status read_header(struct dgm_chart_drawing *drawing)
{
    struct dgm_csv *csv = &drawing->csv;
    struct dgm_map_entry *entry;
    int more, is_new;
    size_t i;

    DGM_TRY(dgm_csv_next(drawing->picture.env, csv, &more));
    if (!more)
        return dgm_fail_at(drawing->picture.env, DGM_DATA, csv->lines.path, 0, 0,
                           "empty; expected a line that names the columns");
    for (i = 0; i < csv->count; i++) {
        const char *name = dgm_csv_field(csv, i);
        DGM_TRY(dgm_map_insert(drawing->picture.env, &drawing->columns, name, strlen(name), &entry,
                               &is_new));
        if (is_new)
            entry->value = (int64_t)i;
        else
            entry->value = -1; /* twice */
    }
    return DGM_OK;
}

static dgm_status fail_column(struct dgm_chart_drawing *drawing, const char *option,
                              const char *name, size_t length)
{
    char quoted[DGM_QUOTE_SIZE], shown[DGM_QUOTE_SIZE], suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;
    const char *first;
    size_t i;

    dgm_near_begin(&near, name, length);
    for (i = 0; i < drawing->columns.count; i++)
        dgm_near_try(&near, dgm_map_key(&drawing->columns, &drawing->columns.entries[i]),
                     drawing->columns.entries[i].length);
    dgm_near_suggest(&near, suggestion);
    dgm_quote(quoted, sizeof quoted, name, length);
    /* A table that has semicolons or tabs for commas shows it here. */
    first = dgm_csv_field(&drawing->csv, 0);
    dgm_quote(shown, sizeof shown, first, strlen(first));
    if (suggestion[0] == '\0')
        return dgm_fail_at(drawing->picture.env, DGM_USAGE, drawing->csv.lines.path,
                           drawing->csv.line, 0, "%s: no column \"%s\"; the first of %zu is \"%s\"",
                           option, quoted, drawing->csv.count, shown);
    return dgm_fail_at(drawing->picture.env, DGM_USAGE, drawing->csv.lines.path, drawing->csv.line,
                       0, "%s: no column \"%s\"%s", option, quoted, suggestion);
}

static dgm_status find_column(struct dgm_chart_drawing *drawing, const char *option,
                              const char *name, size_t length, size_t *column)
{
    const struct dgm_map_entry *entry = dgm_map_find(&drawing->columns, name, length);
    char quoted[DGM_QUOTE_SIZE];

    if (entry == NULL)
        return fail_column(drawing, option, name, length);
    dgm_quote(quoted, sizeof quoted, name, length);
    if (entry->value < 0)
        return dgm_fail_at(drawing->picture.env, DGM_DATA, drawing->csv.lines.path, 1, 0,
                           "%s: two columns are called \"%s\"; expected one", option, quoted);
    *column = (size_t)entry->value;
    return DGM_OK;
}

/* One name, or several with commas between; a column whose own name has a comma stands alone. */
static dgm_status find_columns(struct dgm_chart_drawing *drawing, const char *option,
                               const char *names, size_t *columns, size_t *count)
{
    const char *at = names;

    *count = 0;
    if (names == NULL)
        return DGM_OK;
    if (dgm_map_find(&drawing->columns, names, strlen(names)) != NULL) {
        *count = 1;
        return find_column(drawing, option, names, strlen(names), columns);
    }
    for (;; at++) {
        size_t length = strcspn(at, ",");
        if (*count == MOST_Y)
            return dgm_fail(drawing->picture.env, DGM_USAGE, "%s: more than %d columns", option,
                            MOST_Y);
        DGM_TRY(find_column(drawing, option, at, length, &columns[(*count)++]));
        at += length;
        if (*at == '\0')
            return DGM_OK;
    }
}

/* Twice the same series would be two values of it at each x. */
static dgm_status check_y(struct dgm_chart_drawing *drawing)
{
    char quoted[DGM_QUOTE_SIZE];
    const char *name;
    size_t i, j;

    for (i = 1; i < drawing->y_count; i++)
        for (j = 0; j < i; j++) {
            if (drawing->y[i] != drawing->y[j])
                continue;
            name = dgm_csv_field(&drawing->csv, drawing->y[i]);
            dgm_quote(quoted, sizeof quoted, name, strlen(name));
            return dgm_fail(drawing->picture.env, DGM_USAGE,
                            "y: \"%s\" twice; expected each column once", quoted);
        }
    return DGM_OK;
}

static dgm_status choose_columns(struct dgm_chart_drawing *drawing)
{
    const dgm_draw_chart_options *chosen = &drawing->wishes;

    DGM_TRY(find_column(drawing, "x", chosen->x, strlen(chosen->x), &drawing->x));
    DGM_TRY(find_columns(drawing, "y", chosen->y, drawing->y, &drawing->y_count));
    DGM_TRY(check_y(drawing));
    DGM_TRY(find_columns(drawing, "error", chosen->error, drawing->error, &drawing->error_count));
    if (chosen->series != NULL)
        DGM_TRY(find_column(drawing, "series", chosen->series, strlen(chosen->series),
                            &drawing->series));
    if (drawing->error_count > 0 && drawing->error_count != drawing->y_count)
        return dgm_fail(drawing->picture.env, DGM_USAGE,
                        "error: %zu columns for %zu of y; expected as many, in the same order",
                        drawing->error_count, drawing->y_count);
    return DGM_OK;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Fields that say that there is no value. */
static int is_missing(const char *text)
{
    static const char *const words[] = { "", "-", "nan", "NaN", "inf", "-inf" };
    size_t i;

    for (i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0)
            return 1;
    return 0;
}

static dgm_status read_number(struct dgm_chart_drawing *drawing, size_t column, double least,
                              double *value)
{
    const char *text = dgm_csv_field(&drawing->csv, column);
    char quoted[DGM_QUOTE_SIZE];

    if (dgm_number_real(value, text, strlen(text)) && *value >= least && *value <= DGM_TICKS_LIMIT)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, text, strlen(text));
    return dgm_fail_at(drawing->picture.env, DGM_DATA, drawing->csv.lines.path, drawing->csv.line,
                       0, "\"%s\" in field %zu; expected a number within %s..1e100, or nothing",
                       quoted, column + 1, least < 0 ? "-1e100" : "0");
}

/* "plain"; "plain, valid" where several columns are drawn as well. */
static dgm_status name_series(struct dgm_chart_drawing *drawing, size_t column)
{
    const char *name = dgm_map_key(&drawing->columns, &drawing->columns.entries[column]);
    struct dgm_env *env = drawing->picture.env;

    dgm_buf_reset(&drawing->name);
    if (drawing->wishes.series == NULL)
        return dgm_buf_add_text(env, &drawing->name, name);
    DGM_TRY(dgm_buf_add_text(env, &drawing->name, dgm_csv_field(&drawing->csv, drawing->series)));
    if (drawing->y_count > 1)
        return dgm_buf_add_format(env, &drawing->name, ", %s", name);
    return DGM_OK;
}

static dgm_status add_value(struct dgm_chart_drawing *drawing, size_t i)
{
    const char *written = dgm_csv_field(&drawing->csv, drawing->y[i]);
    const char *x = dgm_csv_field(&drawing->csv, drawing->x);
    struct dgm_chart_point point = { 0 };

    if (is_missing(written)) {
        drawing->left_out++;
        return DGM_OK;
    }
    DGM_TRY(read_number(drawing, drawing->y[i], -DGM_TICKS_LIMIT, &point.y));
    if (drawing->error_count > 0 && !is_missing(dgm_csv_field(&drawing->csv, drawing->error[i])))
        DGM_TRY(read_number(drawing, drawing->error[i], 0, &point.error));
    if (x[0] == '\0')
        return dgm_fail_at(drawing->picture.env, DGM_DATA, drawing->csv.lines.path,
                           drawing->csv.line, 0,
                           "field %zu, x, is empty; expected a number or a name", drawing->x + 1);
    point.line = drawing->csv.line;
    DGM_TRY(name_series(drawing, drawing->y[i]));
    return dgm_chart_add(drawing->picture.env, &drawing->chart, drawing->name.data, x, &point,
                         written);
}

static dgm_status read_rows(struct dgm_chart_drawing *drawing)
{
    struct dgm_env *env = drawing->picture.env;
    const char *path = drawing->csv.lines.path;
    int more;
    size_t i;

    for (;;) {
        DGM_TRY(dgm_picture_poll(&drawing->picture));
        DGM_TRY(dgm_csv_next(env, &drawing->csv, &more));
        if (!more)
            break;
        for (i = 0; i < drawing->y_count; i++)
            DGM_TRY(add_value(drawing, i));
    }
    if (drawing->left_out > 0)
        dgm_log(env, DGM_LOG_WARNING,
                "%s: %ld values are missing (empty, -, nan or inf) and left out", path,
                drawing->left_out);
    if (drawing->chart.points == 0)
        return dgm_fail_at(env, DGM_DATA, path, 0, 0, "no values in the columns of y");
    return dgm_chart_finish(env, &drawing->chart, path);
}

/* ---- the picture ---------------------------------------------------------------------------- */

/* Appends a text without controls, cut; *place is where it stands in `texts`. */
static dgm_status add_text(struct dgm_chart_drawing *drawing, const char *text, size_t *place)
{
    *place = drawing->texts.size;
    DGM_TRY(dgm_caption_add(drawing->picture.env, &drawing->texts, text, strlen(text), MOST_TEXT,
                            "…", NULL));
    return dgm_buf_add_char(drawing->picture.env, &drawing->texts, '\0');
}

/* An axis without a text of its own has the name of its column. */
static dgm_status set_texts(struct dgm_chart_drawing *drawing)
{
    const dgm_draw_chart_options *chosen = &drawing->wishes;
    const char *x = chosen->x_label != NULL ? chosen->x_label : chosen->x;
    const char *y = chosen->y_label != NULL ? chosen->y_label : chosen->y;
    struct dgm_chart *chart = &drawing->chart;
    size_t title, x_label, y_label;

    if (chosen->y_label == NULL && drawing->y_count > 1)
        y = "";
    DGM_TRY(add_text(drawing, chosen->title != NULL ? chosen->title : "", &title));
    DGM_TRY(add_text(drawing, x, &x_label));
    DGM_TRY(add_text(drawing, y, &y_label));
    chart->title = drawing->texts.data + title;
    chart->x_label = drawing->texts.data + x_label;
    chart->y_label = drawing->texts.data + y_label;
    chart->title = chart->title[0] != '\0' ? chart->title : NULL;
    chart->x_label = chart->x_label[0] != '\0' ? chart->x_label : NULL;
    chart->y_label = chart->y_label[0] != '\0' ? chart->y_label : NULL;
    return DGM_OK;
}

static dgm_status draw(struct dgm_chart_drawing *drawing, const char *path)
{
    struct dgm_picture *picture = &drawing->picture;
    struct dgm_env *env = drawing->picture.env;

    DGM_TRY(dgm_csv_open(env, &drawing->csv, path));
    DGM_TRY(read_header(drawing));
    DGM_TRY(choose_columns(drawing));
    DGM_TRY(read_rows(drawing));
    DGM_TRY(set_texts(drawing));
    if (picture->is_svg)
        DGM_TRY(dgm_chart_svg(env, &picture->out, &drawing->chart));
    else
        DGM_TRY(dgm_chart_text(env, &picture->out, &drawing->chart, picture->draw.style.width,
                               picture->draw.style.ascii));
    return dgm_report_write(env, picture->write, picture->user, &picture->out);
}

static void close_all(struct dgm_chart_drawing *drawing)
{
    struct dgm_env *env = drawing->picture.env;

    dgm_csv_close(env, &drawing->csv);
    dgm_chart_clear(env, &drawing->chart);
    dgm_map_clear(env, &drawing->columns);
    dgm_buf_clear(env, &drawing->name);
    dgm_buf_clear(env, &drawing->texts);
    dgm_buf_clear(env, &drawing->picture.out);
}

dgm_status dgm_chart_drawing_run(struct dgm_chart_drawing *drawing, const char *path)
{
    const dgm_status status = draw(drawing, path);

    close_all(drawing);
    return status;
}
