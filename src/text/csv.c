/* csv.c: records and fields of comma-separated values. */
#include "text/csv.h"

#include <string.h>

#include "base/mem.h"

dgm_status dgm_csv_open(struct dgm_env *env, struct dgm_csv *csv, const char *path)
{
    DGM_TRY(dgm_lines_open(env, &csv->lines, path));
    csv->lines.path = dgm_lines_name(path);
    csv->lines.limit = DGM_CSV_MOST_BYTES;
    return DGM_OK;
}

void dgm_csv_close(struct dgm_env *env, struct dgm_csv *csv)
{
    dgm_lines_close(env, &csv->lines);
    dgm_buf_clear(env, &csv->text);
    dgm_release(env, csv->start);
    memset(csv, 0, sizeof *csv);
}

const char *dgm_csv_field(const struct dgm_csv *csv, size_t i)
{
    return csv->text.data + csv->start[i];
}

static dgm_status fail(struct dgm_env *env, const struct dgm_csv *csv, const char *why)
{
    return dgm_fail_at(env, DGM_DATA, csv->lines.path, csv->line, 0, "%s", why);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* A place in the line that was read last. */
struct cursor {
    const char *at, *end;
};

/* The next line of the file that may be part of a record. */
static dgm_status next_line(struct dgm_env *env, struct dgm_csv *csv, struct cursor *cursor,
                            int *more)
{
    DGM_TRY(dgm_lines_next(env, &csv->lines, more));
    if (!*more)
        return DGM_OK;
    cursor->at = csv->lines.line.data;
    cursor->end = cursor->at + csv->lines.line.size;
    if (csv->lines.cut || csv->text.size > DGM_CSV_MOST_BYTES)
        return fail(env, csv, "more than 1 MiB; expected a shorter record");
    if (csv->lines.line.size > 0 && memchr(cursor->at, '\0', csv->lines.line.size) != NULL)
        return dgm_fail_at(env, DGM_DATA, csv->lines.path, csv->lines.number, 0,
                           "a NUL byte; expected comma-separated text");
    return DGM_OK;
}

/* Behind the first quotation mark, up to behind the last one, on whatever line that is. */
static dgm_status read_quoted(struct dgm_env *env, struct dgm_csv *csv, struct cursor *cursor)
{
    int more;

    for (;;) {
        const char *from = cursor->at;
        while (cursor->at < cursor->end && *cursor->at != '"')
            cursor->at++;
        DGM_TRY(dgm_buf_add(env, &csv->text, from, (size_t)(cursor->at - from)));
        if (cursor->at == cursor->end) {
            DGM_TRY(next_line(env, csv, cursor, &more));
            if (!more)
                return fail(env, csv, "a field begins with \" and never ends; expected another \"");
            DGM_TRY(dgm_buf_add_char(env, &csv->text, '\n'));
        } else if (cursor->end - cursor->at > 1 && cursor->at[1] == '"') {
            DGM_TRY(dgm_buf_add_char(env, &csv->text, '"'));
            cursor->at += 2;
        } else {
            cursor->at++;
            return DGM_OK;
        }
    }
}

static dgm_status read_plain(struct dgm_env *env, struct dgm_csv *csv, struct cursor *cursor)
{
    const char *from = cursor->at;

    while (cursor->at < cursor->end && *cursor->at != ',' && *cursor->at != '"')
        cursor->at++;
    return dgm_buf_add(env, &csv->text, from, (size_t)(cursor->at - from));
}

static dgm_status read_field(struct dgm_env *env, struct dgm_csv *csv, struct cursor *cursor)
{
    if (csv->count == DGM_CSV_MOST_FIELDS)
        return fail(env, csv, "more than 1000 fields; expected fewer");
    DGM_TRY(dgm_grow(env, &csv->start, &csv->capacity, csv->count, sizeof *csv->start));
    csv->start[csv->count++] = csv->text.size;
    if (cursor->at < cursor->end && *cursor->at == '"') {
        cursor->at++;
        DGM_TRY(read_quoted(env, csv, cursor));
    } else {
        DGM_TRY(read_plain(env, csv, cursor));
    }
    if (cursor->at < cursor->end && *cursor->at != ',')
        return dgm_fail_at(env, DGM_DATA, csv->lines.path, csv->lines.number, 0,
                           "a quotation mark inside field %zu; expected the whole field in "
                           "quotation marks, and those inside it doubled",
                           csv->count);
    return dgm_buf_add_char(env, &csv->text, '\0');
}

/* ---- records -------------------------------------------------------------------------------- */

static dgm_status check_count(struct dgm_env *env, struct dgm_csv *csv)
{
    if (csv->columns == 0)
        csv->columns = csv->count;
    if (csv->count == csv->columns)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, csv->lines.path, csv->line, 0,
                       "%zu fields; expected %zu, as the first line has", csv->count, csv->columns);
}

dgm_status dgm_csv_next(struct dgm_env *env, struct dgm_csv *csv, int *more)
{
    struct cursor cursor = { NULL, NULL };

    dgm_buf_reset(&csv->text);
    csv->count = 0;
    do {
        /* Of a pipe the number is -1 before its first bytes came. */
        csv->line = csv->lines.number < 0 ? 1 : csv->lines.number + 1;
        DGM_TRY(next_line(env, csv, &cursor, more));
        if (!*more)
            return DGM_OK;
    } while (cursor.at == cursor.end);
    for (;;) {
        DGM_TRY(read_field(env, csv, &cursor));
        if (cursor.at == cursor.end)
            return check_count(env, csv);
        cursor.at++; /* the comma: another field follows, be it empty */
    }
}
