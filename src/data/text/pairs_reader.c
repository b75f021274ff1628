/*
 * pairs_reader.c: the lines of two files that belong together.
 */
#include "data/text/pairs_reader.h"

#include <string.h>

#include "base/file/file.h"
#include "base/lines/lines.h"
#include "text/unicode/utf8.h"

dgm_status dgm_pairs_reader_open(struct dgm_env *env, struct dgm_pairs_reader *reader,
                                 const char *source, const char *target, enum dgm_bad_line on_bad)
{
    memset(reader, 0, sizeof *reader);
    reader->on_bad = on_bad;
    if (dgm_file_same(env, source, target))
        return dgm_fail_at(env, DGM_DATA, target, 0, 0,
                           "source and target are the same file; expected two");
    DGM_TRY(dgm_lines_open(env, &reader->sides[0], source));
    return dgm_lines_open(env, &reader->sides[1], target);
}

/* One side has ended: counts the lines of the other, for a message that names both numbers. */
static dgm_status fail_uneven(struct dgm_env *env, struct dgm_pairs_reader *reader, int longer)
{
    struct dgm_lines *rest = &reader->sides[longer], *ended = &reader->sides[1 - longer];
    long count = reader->number + 1;
    int more = 1;

    for (;;) {
        DGM_TRY(dgm_lines_next(env, rest, &more));
        if (!more)
            break;
        count++;
    }
    return dgm_fail_at(env, DGM_DATA, ended->path, 0, 0,
                       "%ld lines; expected %ld to match %s [E_ALIGN]", reader->number, count,
                       rest->path);
}

static dgm_status check_side(struct dgm_env *env, struct dgm_pairs_reader *reader, int side)
{
    const struct dgm_buf *line = &reader->sides[side].line;
    size_t offset, length;
    long column;

    if (reader->on_bad == DGM_BAD_LINE_ERROR)
        return dgm_utf8_check(env, reader->sides[side].path, reader->number, line->data,
                              line->size);
    if (reader->on_bad == DGM_BAD_LINE_SKIP &&
        dgm_utf8_find_bad(line->data, line->size, &offset, &length, &column))
        reader->is_bad = 1;
    return DGM_OK;
}

dgm_status dgm_pairs_reader_next(struct dgm_env *env, struct dgm_pairs_reader *reader, int *more)
{
    int has[2], i;

    for (i = 0; i < 2; i++)
        DGM_TRY(dgm_lines_next(env, &reader->sides[i], &has[i]));
    *more = has[0] && has[1];
    if (has[0] != has[1])
        return fail_uneven(env, reader, has[0] ? 0 : 1);
    if (!*more)
        return DGM_OK;
    reader->number++;
    reader->is_bad = 0;
    for (i = 0; i < 2; i++)
        DGM_TRY(check_side(env, reader, i));
    return DGM_OK;
}

void dgm_pairs_reader_close(struct dgm_env *env, struct dgm_pairs_reader *reader)
{
    dgm_lines_close(env, &reader->sides[0]);
    dgm_lines_close(env, &reader->sides[1]);
}
