/* cues.c: from lines under a line of times to segments, and back to as many lines. */
#include "text/document/cues.h"

#include <string.h>

#include "base/bytes.h"
#include "text/document/lines.h"
#include "text/span/span.h"

/* A document on the way, and the lines of what will be the next segment. */
struct reading {
    struct dgm_document_parts *document;
    const struct dgm_cue_kind *kind;
    struct dgm_maker maker;
    int lines;
    size_t end; /* of the last of them */
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* Whether a line has an arrow, and so is no text. */
static int has_arrow(const struct dgm_document_parts *document,
                     const struct dgm_document_line *line)
{
    const char *at = document->bytes + line->start, *end = document->bytes + line->end;

    while (at < end && (at = memchr(at, '-', (size_t)(end - at))) != NULL)
        if (++at < end && *at == '>')
            return 1;
    return 0;
}

/* "00:01:02,500 --> 00:01:04,000": an arrow between digits. */
static int is_time(const struct dgm_document_parts *document, const struct dgm_document_line *line)
{
    size_t at = line->start;

    while (at < line->end && (document->bytes[at] == ' ' || document->bytes[at] == '\t'))
        at++;
    return at < line->end && dgm_span_is_digit(document->bytes[at]) && has_arrow(document, line);
}

/* The number of the cue whose times are on the next line. */
static int is_number(const struct dgm_document_parts *document,
                     const struct dgm_document_line *line)
{
    struct dgm_document_line next;

    for (size_t at = line->start; at < line->end; at++)
        if (!dgm_span_is_digit(document->bytes[at]) && !dgm_is_white(document->bytes[at]))
            return 0;
    return dgm_document_line(document, line->next, &next) && is_time(document, &next);
}

/* ---- segments -------------------------------------------------------------------------------- */

static dgm_status end_text(struct dgm_env *env, struct reading *reading)
{
    const int lines = reading->lines;

    reading->lines = 0;
    return lines == 0 ? DGM_OK : dgm_maker_end(env, &reading->maker, reading->document, lines);
}

/* Bytes of a dash, and of blanks behind it, before what a person says; 0: there is none. */
static size_t dash(const char *text, size_t bytes)
{
    size_t end = dgm_bytes_begin(text, bytes, "-") + dgm_bytes_begin(text, bytes, "\xE2\x80\x93") +
                 dgm_bytes_begin(text, bytes, "\xE2\x80\x94");

    while (end > 0 && end < bytes && text[end] == ' ')
        end++;
    return end;
}

/* Text up to the next byte that may be markup. */
static dgm_status read_text(struct dgm_env *env, struct reading *reading, size_t *at, size_t end)
{
    const char *bytes = reading->document->bytes;
    const size_t start = *at;

    while (++*at < end && !dgm_span_has("<{&", bytes[*at]))
        ;
    return dgm_maker_text(env, &reading->maker, start, *at, bytes + start, *at - start);
}

static dgm_status read_line(struct dgm_env *env, struct reading *reading,
                            const struct dgm_document_line *line)
{
    const char *bytes = reading->document->bytes;
    size_t at = line->start, taken;

    if (reading->lines > 0)
        DGM_TRY(dgm_maker_text(env, &reading->maker, reading->end, at, " ", 1));
    taken = dash(bytes + at, line->end - at);
    if (taken > 0)
        DGM_TRY(dgm_maker_markup(env, &reading->maker, DGM_PIECE_MARK, at, at + taken, "", 0));
    for (at += taken; at < line->end; at += taken) {
        DGM_TRY(
            reading->kind->read(env, &reading->maker, reading->document, at, line->end, &taken));
        if (taken == 0)
            DGM_TRY(read_text(env, reading, &at, line->end));
    }
    reading->lines++;
    reading->end = line->end;
    return DGM_OK;
}

static dgm_status add_line(struct dgm_env *env, struct reading *reading,
                           const struct dgm_document_line *line)
{
    const char *text = reading->document->bytes + line->start;
    const size_t bytes = line->end - line->start;

    if (has_arrow(reading->document, line))
        return end_text(env, reading);
    if (dash(text, bytes) > 0 || reading->kind->speaks(text, bytes))
        DGM_TRY(end_text(env, reading));
    return read_line(env, reading, line);
}

static dgm_status read_all(struct dgm_env *env, struct reading *reading)
{
    const struct dgm_document_parts *document = reading->document;
    struct dgm_document_line line = { 0 };
    int in_cue = 0;

    while (dgm_document_line(document, line.next, &line)) {
        const int is_blank = dgm_document_line_is_blank(document, &line);

        if (is_time(document, &line) || is_blank)
            DGM_TRY(end_text(env, reading));
        if (is_time(document, &line))
            in_cue = 1;
        else if (is_blank)
            in_cue &= !reading->kind->ends_at_blank;
        else if (in_cue && !is_number(document, &line))
            DGM_TRY(add_line(env, reading, &line));
    }
    return end_text(env, reading);
}

dgm_status dgm_cues_read(struct dgm_env *env, struct dgm_document_parts *document,
                         const struct dgm_cue_kind *kind)
{
    struct reading reading = { .document = document, .kind = kind };
    const dgm_status status = read_all(env, &reading);

    dgm_maker_clear(env, &reading.maker);
    return status;
}

dgm_status dgm_cues_write(struct dgm_env *env, const struct dgm_document_parts *document,
                          const struct dgm_said *said, dgm_spell_fn *spell, struct dgm_buf *out)
{
    const struct dgm_segment *segment = &document->segments[said->segment];
    struct dgm_buf text = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add(env, &text, dgm_said_text(document, said), said->bytes));
    dgm_document_wrap(document, segment, text.data, text.size, segment->note);
    status = dgm_tagged_write(env, document, segment, text.data, text.size, spell, out);
out:
    dgm_buf_clear(env, &text);
    return status;
}
