/* lines.c: reading text line by line, where nothing but LF ends a line. */
#include "base/lines/lines.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/magic.h"
#include "base/lines/compression.h"
#include "base/lines/reading.h"
#include "base/loud.h"
#include "base/mem.h"
#include "base/number/format.h"

enum { CHUNK = 64 << 10 };

#define LINE_LIMIT ((size_t)16 << 20)
#define SKIP_LIMIT ((size_t)1 << 30)

/* What follows damaged data is not text: a caller that clears the error meets the end of the
 * file. */
static dgm_status give_up(struct dgm_lines *lines, dgm_status status)
{
    lines->start = lines->end = 0;
    lines->at_end = 1;
    return status;
}

/* Reads more behind the unread bytes, which move to the front. */
static dgm_status fill(struct dgm_env *env, struct dgm_lines *lines)
{
    size_t got = 0;
    dgm_status status;
    DGM_TRY(dgm_poll(env));
    if (lines->start > 0) {
        memmove(lines->chunk, lines->chunk + lines->start, lines->end - lines->start);
        lines->end -= lines->start;
        lines->start = 0;
    }
    if (lines->compression != NULL)
        status = lines->compression->read(env, lines->packed, &got, lines->chunk + lines->end,
                                          CHUNK - lines->end);
    else
        status = dgm_file_read_some(env, &got, lines->fd, lines->path, lines->chunk + lines->end,
                                    CHUNK - lines->end);
    if (status == DGM_DATA)
        return give_up(lines, status);
    DGM_TRY(status);
    lines->end += got;
    lines->filled += (long long)got;
    lines->at_end = got == 0;
    return DGM_OK;
}

static int starts_with(const struct dgm_lines *lines, const char *mark)
{
    size_t length = strlen(mark);
    return lines->end >= length && memcmp(lines->chunk, mark, length) == 0;
}

/* Whether one more byte is needed to know what the file starts with. */
static int start_is_open(const struct dgm_lines *lines)
{
    static const char bom[] = "\xEF\xBB\xBF";

    return !lines->at_end && (dgm_magic_may_begin(lines->chunk, lines->end) ||
                              (lines->end < 3 && memcmp(lines->chunk, bom, lines->end) == 0));
}

static dgm_status refuse(struct dgm_env *env, const struct dgm_lines *lines,
                         const struct dgm_magic *magic, const char *lacks)
{
    if (lines->compression != NULL)
        return dgm_fail_at(env, DGM_DATA, lines->path, 0, 0,
                           "this is %s inside %s, not " DGM_MAGIC_TEXT ": %s", magic->name,
                           lines->compression->kind, magic->advice);
    if (lacks != NULL)
        return dgm_fail_at(env, DGM_DATA, lines->path, 0, 0,
                           "this is %s, which a program built without %s cannot read: %s",
                           magic->name, lacks, magic->advice);
    return dgm_magic_check_text(env, lines->path, lines->chunk, lines->end);
}

/* Reads until the start of the text is known. What was read of packed data moves on, and the text
 * begins anew. */
static dgm_status read_start(struct dgm_env *env, struct dgm_lines *lines)
{
    const struct dgm_compression *packed;
    const struct dgm_magic *magic;

    while (start_is_open(lines))
        DGM_TRY(fill(env, lines));
    magic = dgm_magic_find(lines->chunk, lines->end, DGM_MAGIC_TEXT);
    if (magic == NULL)
        return DGM_OK;
    packed = dgm_compression_find(magic->name);
    if (packed == NULL || packed->lacks != NULL || lines->compression != NULL)
        return refuse(env, lines, magic, packed != NULL ? packed->lacks : NULL);
    DGM_TRY(packed->open(env, &lines->packed, lines->fd, lines->path, lines->chunk, lines->end));
    lines->compression = packed;
    lines->start = lines->end = 0;
    lines->at_end = 0;
    lines->bytes = 0; /* of what is packed */
    return DGM_OK;
}

/* Skips a byte-order mark and refuses what is not text. */
static dgm_status check_start(struct dgm_env *env, struct dgm_lines *lines)
{
    dgm_status status = read_start(env, lines);

    if (status == DGM_OK && lines->compression != NULL)
        status = read_start(env, lines);
    lines->number = 0;
    if (status != DGM_OK)
        return give_up(lines, status);
    if (starts_with(lines, "\xEF\xBB\xBF") && !lines->keeps_mark)
        lines->start = 3;
    return DGM_OK;
}

void dgm_lines_keep_mark(struct dgm_lines *lines)
{
    lines->keeps_mark = 1;
    if (lines->number == 0)
        lines->start = 0;
}

const char *dgm_lines_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

dgm_status dgm_lines_open(struct dgm_env *env, struct dgm_lines *lines, const char *path)
{
    dgm_status status;
    int is_regular = 0;
    long long bytes = 0;
    memset(lines, 0, sizeof *lines);
    DGM_TRY(dgm_file_open(env, &lines->fd, path, &bytes, &is_regular));
    lines->bytes = is_regular ? bytes : 0;
    lines->path = path;
    lines->limit = LINE_LIMIT;
    lines->number = -1; /* the start of the file is still to be checked */
    lines->is_open = 1;
    DGM_TRY_OUT(dgm_new(env, &lines->chunk, CHUNK, 1));
    /* A file is checked now; a pipe or a terminal when its first line is wanted. */
    if (is_regular)
        DGM_TRY_OUT(check_start(env, lines));
    dgm_reading_open(env, lines);
    return DGM_OK;
out:
    dgm_lines_close(env, lines);
    return status;
}

dgm_status dgm_lines_open_text(struct dgm_env *env, struct dgm_lines *lines, const char *path,
                               const char *text, size_t bytes)
{
    *lines = (struct dgm_lines){ .path = path, .limit = LINE_LIMIT, .at_end = 1, .end = bytes };
    DGM_TRY(dgm_magic_check_text(env, path, text, bytes));
    DGM_TRY(dgm_new(env, &lines->chunk, bytes + 1, 1));
    if (bytes > 0)
        memcpy(lines->chunk, text, bytes);
    return DGM_OK;
}

/* Adds bytes to the line while they fit. One byte above the limit is kept: it may be the
 * CR of the line's end. */
static dgm_status take(struct dgm_env *env, struct dgm_lines *lines, size_t count, size_t *skipped)
{
    size_t room = lines->limit + 1 - lines->line.size;
    size_t taken = count < room ? count : room;
    DGM_TRY(dgm_buf_add(env, &lines->line, lines->chunk + lines->start, taken));
    lines->start += count;
    *skipped += count - taken;
    if (*skipped > SKIP_LIMIT)
        return dgm_fail_at(env, DGM_DATA, lines->path, lines->number, 0,
                           "line is longer than 1 GiB; expected text");
    return DGM_OK;
}

/* Removes the CR of a line's end and what exceeds the limit. */
static void finish(struct dgm_lines *lines, size_t skipped, int has_lf)
{
    struct dgm_buf *line = &lines->line;
    lines->line_had_cr =
        skipped == 0 && has_lf && line->size > 0 && line->data[line->size - 1] == '\r';
    if (lines->line_had_cr) {
        line->size--;
        lines->had_cr = 1;
    }
    lines->cut = line->size > lines->limit;
    if (lines->cut)
        line->size = dgm_format_cut(line->data, lines->limit);
    line->data[line->size] = '\0';
}

/* A line may span any number of chunks: each part is taken before the next chunk is read, so that
 * the read-ahead never grows and a line beyond the limit costs no memory. */
dgm_status dgm_lines_next(struct dgm_env *env, struct dgm_lines *lines, int *more)
{
    size_t skipped = 0;
    int has_lf = 0;
    if (lines->number < 0)
        DGM_TRY(check_start(env, lines));
    if (lines->start == lines->end && !lines->at_end && !lines->again)
        DGM_TRY(fill(env, lines));
    *more = lines->again || lines->start < lines->end;
    if (!*more || lines->again) {
        lines->again = 0;
        return DGM_OK;
    }
    lines->number++;
    lines->line.limit = lines->limit + 1;
    dgm_buf_reset(&lines->line);
    while (!has_lf && lines->start < lines->end) {
        const char *from = lines->chunk + lines->start;
        const char *lf = memchr(from, '\n', lines->end - lines->start);
        has_lf = lf != NULL;
        DGM_TRY(
            take(env, lines, has_lf ? (size_t)(lf - from) : lines->end - lines->start, &skipped));
        if (has_lf)
            lines->start++;
        else if (!lines->at_end)
            DGM_TRY(fill(env, lines));
    }
    lines->ended_without_lf = !has_lf;
    finish(lines, skipped, has_lf);
    dgm_reading_next(env, lines);
    return DGM_OK;
}

void dgm_lines_again(struct dgm_lines *lines)
{
    lines->again = lines->number > 0;
}

dgm_status dgm_lines_peek(struct dgm_env *env, struct dgm_lines *lines, char *byte)
{
    *byte = '\0';
    if (lines->number < 0)
        DGM_TRY(check_start(env, lines));
    for (;;) {
        for (size_t i = lines->start; i < lines->end; i++) {
            *byte = lines->chunk[i];
            if (strchr(" \t\r\n", *byte) == NULL || *byte == '\0')
                return DGM_OK;
        }
        *byte = '\0';
        if (lines->at_end || lines->end - lines->start == CHUNK)
            return DGM_OK;
        DGM_TRY(fill(env, lines));
    }
}

long long dgm_lines_taken(const struct dgm_lines *lines)
{
    return lines->filled - (long long)(lines->end - lines->start);
}

static int has_input(const struct dgm_lines *lines)
{
    struct pollfd one = { .fd = lines->fd, .events = POLLIN };

    return poll(&one, 1, 0) > 0;
}

/* What of the unread bytes was looked at. */
struct look {
    size_t at;  /* where the next look begins */
    int blank;  /* what is wanted: a line without anything, behind another one */
    int inside; /* ... which was seen: blank lines before it end nothing */
};

static int holds_line(const struct dgm_lines *lines, struct look *look)
{
    const char *lf;

    while (look->at < lines->end &&
           (lf = memchr(lines->chunk + look->at, '\n', lines->end - look->at)) != NULL) {
        size_t length = (size_t)(lf - (lines->chunk + look->at));
        int is_blank = length == 0 || (length == 1 && lines->chunk[look->at] == '\r');

        if (!look->blank || (is_blank && look->inside))
            return 1;
        look->inside |= !is_blank;
        look->at += length + 1;
    }
    return 0;
}

/* What has come is read, for as long as no line is whole: half of one must not keep those before it
 * waiting. */
static int is_ready(struct dgm_env *env, struct dgm_lines *lines, struct look look)
{
    look.at = lines->start;
    if (lines->again)
        return 1;

    /* Packed input is nobody's typing: reading on never keeps a person waiting. */
    while (!lines->at_end && lines->compression == NULL && !holds_line(lines, &look)) {
        if (lines->end - lines->start == CHUNK)
            return 1;
        if (!has_input(lines))
            return 0;
        if (lines->number < 0) /* how the file begins is looked at where its first line is wanted */
            return 1;
        look.at -= lines->start;
        if (fill(env, lines) != DGM_OK) {
            dgm_env_clear_error(env);
            return 1;
        }
    }
    return 1;
}

int dgm_lines_ready(struct dgm_env *env, struct dgm_lines *lines)
{
    return is_ready(env, lines, (struct look){ .blank = 0 });
}

int dgm_lines_block_ready(struct dgm_env *env, struct dgm_lines *lines)
{
    return is_ready(env, lines, (struct look){ .blank = 1 });
}

void dgm_lines_warn_cut(struct dgm_env *env, const struct dgm_lines *lines)
{
    struct dgm_env always = dgm_env_loud(env); /* text is lost */

    if (lines->cut)
        dgm_log(&always, DGM_LOG_WARNING, "%s:%ld: line cut at %zu bytes", lines->path,
                lines->number, lines->limit);
}

void dgm_lines_close(struct dgm_env *env, struct dgm_lines *lines)
{
    dgm_reading_close(env, lines);
    if (lines->is_open)
        dgm_file_close(env, lines->fd);
    if (lines->compression != NULL)
        lines->compression->close(env, lines->packed);
    dgm_release(env, lines->chunk);
    dgm_buf_clear(env, &lines->line);
    memset(lines, 0, sizeof *lines);
}
