/*
 * pairs_reader.c: the lines of a text that belong together.
 */
#include "data/text/pairs_reader.h"

#include <string.h>

#include "base/file/file.h"
#include "base/loud.h"
#include "text/unicode/utf8.h"

static dgm_status open_side(struct dgm_env *env, struct dgm_lines *lines, const char *path,
                            size_t limit)
{
    DGM_TRY(dgm_lines_open(env, lines, path));
    lines->limit = limit;
    return DGM_OK;
}

dgm_status dgm_pairs_reader_open(struct dgm_env *env, struct dgm_pairs_reader *reader,
                                 const struct dgm_text *text, enum dgm_bad_line on_bad)
{
    const char *source = text->path[DGM_SOURCE], *target = text->path[DGM_TARGET];

    memset(reader, 0, sizeof *reader);
    reader->text = text;
    reader->on_bad = on_bad;
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        reader->line[side] = target != NULL ? &reader->files[side].line : &reader->columns[side];
    if (target == NULL)
        return open_side(env, &reader->files[DGM_SOURCE], source, 2 * DGM_PAIR_BYTES + 1);
    if (dgm_file_same(env, source, target))
        return dgm_fail_at(env, DGM_DATA, target, 0, 0,
                           "source and target are the same file; expected two");
    DGM_TRY(open_side(env, &reader->files[DGM_SOURCE], source, DGM_PAIR_BYTES));
    return open_side(env, &reader->files[DGM_TARGET], target, DGM_PAIR_BYTES);
}

/* One side has ended: counts the lines of the other, for a message that names both numbers. */
static dgm_status fail_uneven(struct dgm_env *env, struct dgm_pairs_reader *reader, int longer)
{
    struct dgm_lines *rest = &reader->files[longer], *ended = &reader->files[1 - longer];
    long count = reader->number + 1;
    int more = 1;

    while (more) {
        DGM_TRY(dgm_lines_next(env, rest, &more));
        count += more;
    }
    return dgm_fail_at(env, DGM_DATA, ended->path, 0, 0,
                       "%ld lines; expected %ld to match %s [E_ALIGN]", reader->number, count,
                       rest->path);
}

static dgm_status check_side(struct dgm_env *env, struct dgm_pairs_reader *reader, int side)
{
    const struct dgm_buf *line = reader->line[side];
    size_t offset, length;
    long column;

    if (reader->on_bad == DGM_BAD_LINE_ERROR)
        return dgm_utf8_check(env, dgm_text_path(reader->text, side), reader->number, line->data,
                              line->size);
    if (reader->on_bad == DGM_BAD_LINE_SKIP &&
        dgm_utf8_find_bad(line->data, line->size, &offset, &length, &column))
        reader->is_bad = 1;
    return DGM_OK;
}

/* Cuts the line of a file of both sides at its tab; the pair is bad where it has not just one. */
static dgm_status split(struct dgm_env *env, struct dgm_pairs_reader *reader)
{
    const struct dgm_buf *line = &reader->files[DGM_SOURCE].line;
    const char *tab = line->size > 0 ? memchr(line->data, '\t', line->size) : NULL;
    const size_t source = tab != NULL ? (size_t)(tab - line->data) : 0;

    dgm_buf_reset(&reader->columns[DGM_SOURCE]);
    dgm_buf_reset(&reader->columns[DGM_TARGET]);
    if (reader->is_cut)
        return DGM_OK;
    if (tab == NULL || memchr(tab + 1, '\t', line->size - source - 1) != NULL) {
        reader->is_bad = 1;
        return reader->on_bad != DGM_BAD_LINE_ERROR
                   ? DGM_OK
                   : dgm_fail_at(env, DGM_DATA, reader->text->path[DGM_SOURCE], reader->number, 0,
                                 "%s; expected one, between source and target",
                                 tab == NULL ? "no tab" : "more than one tab");
    }
    DGM_TRY(dgm_buf_add(env, &reader->columns[DGM_SOURCE], line->data, source));
    return dgm_buf_add(env, &reader->columns[DGM_TARGET], tab + 1, line->size - source - 1);
}

/* Reads a line of each file. */
static dgm_status read_lines(struct dgm_env *env, struct dgm_pairs_reader *reader, int *more)
{
    int has[2];

    if (reader->text->path[DGM_TARGET] == NULL)
        return dgm_lines_next(env, &reader->files[DGM_SOURCE], more);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        DGM_TRY(dgm_lines_next(env, &reader->files[side], &has[side]));
    *more = has[0] && has[1];
    return has[0] == has[1] ? DGM_OK : fail_uneven(env, reader, has[0] ? 0 : 1);
}

dgm_status dgm_pairs_reader_next(struct dgm_env *env, struct dgm_pairs_reader *reader, int *more)
{
    DGM_TRY(read_lines(env, reader, more));
    if (!*more)
        return DGM_OK;
    reader->number++;
    reader->is_cut = reader->files[DGM_SOURCE].cut || reader->files[DGM_TARGET].cut;
    reader->is_bad = reader->is_cut;
    if (reader->text->path[DGM_TARGET] == NULL)
        DGM_TRY(split(env, reader));
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        DGM_TRY(check_side(env, reader, side));
    return DGM_OK;
}

void dgm_pairs_reader_warn_cut(struct dgm_env *env, const struct dgm_pairs_reader *reader)
{
    struct dgm_env always = dgm_env_loud(env); /* text is lost */

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        if (reader->files[side].cut)
            dgm_log(&always, DGM_LOG_WARNING,
                    "%s:%ld: this line is longer than %zu bytes: its pair is left out",
                    reader->files[side].path, reader->number, reader->files[side].limit);
}

void dgm_pairs_reader_close(struct dgm_env *env, struct dgm_pairs_reader *reader)
{
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        dgm_lines_close(env, &reader->files[side]);
        dgm_buf_clear(env, &reader->columns[side]);
    }
}
