/* weave.c: what stands on either side of a span says whether a blank does. */
#include "text/span/weave.h"

#include "base/bytes.h"
#include "text/span/slot.h"

static int is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* The neighbours of bytes start..end of a line; '\0' at its ends. */
static char before(const char *line, size_t start)
{
    return start > 0 ? line[start - 1] : '\0';
}

static char behind(const char *line, size_t bytes, size_t end)
{
    return end < bytes ? line[end] : '\0';
}

/* Whether a span may stand within a word: a tag that is no break of a line. */
static int is_within(const char *line, const struct dgm_line_span *span)
{
    return span->kind == DGM_SPAN_tag && line[span->end - 2] != '/' &&
           dgm_bytes_begin(line + span->start, span->end - span->start, "<br") == 0;
}

/* A slot is next to blanks: one of its own where the line has none. */
static dgm_status write_slot(struct dgm_env *env, struct dgm_buf *out, char last, char next,
                             int slot)
{
    if (last != '\0' && !is_blank(last))
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
    DGM_TRY(dgm_buf_add_text(env, out, dgm_slot_text(slot)));
    return next == '\0' || is_blank(next) ? DGM_OK : dgm_buf_add_char(env, out, ' ');
}

/* What stands in place of a span. */
static dgm_status write_cut(struct dgm_env *env, struct dgm_buf *out, const char *line,
                            size_t bytes, const struct dgm_line_span *span)
{
    const char was = before(line, span->start), next = behind(line, bytes, span->end);

    if (span->slot > 0)
        return write_slot(env, out, out->size > 0 ? out->data[out->size - 1] : '\0', next,
                          span->slot - 1);
    if (dgm_span_is_word(was) && dgm_span_is_word(next) && !is_within(line, span))
        return dgm_buf_add_char(env, out, ' ');
    return DGM_OK;
}

dgm_status dgm_spans_cut(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes,
                         const struct dgm_span_list *spans)
{
    size_t done = 0;

    for (size_t i = 0; i < spans->count; i++) {
        const struct dgm_line_span *span = &spans->items[i];

        DGM_TRY(dgm_buf_add(env, out, line + done, span->start - done));
        DGM_TRY(write_cut(env, out, line, bytes, span));
        done = span->end;
    }
    return dgm_buf_add(env, out, line + done, bytes - done);
}

/* ---- putting them back ----------------------------------------------------------------------- */

struct weaving {
    struct dgm_env *env;
    struct dgm_buf *out;
    size_t begin; /* of what is written in out */
    const struct dgm_buf *text;
    size_t done; /* bytes of the text that are written */
    const char *line;
    size_t bytes;
    int is_inside; /* a tag that opens was written last, next to what follows */
};

static int is_closing(const struct dgm_taken *item, int32_t i)
{
    return item->mate >= 0 && item->mate < i;
}

static int is_opening(const struct dgm_taken *item, int32_t i)
{
    return item->mate > i;
}

/* Text up to a byte; its last blanks wait for what follows. */
static dgm_status write_text(struct weaving *weaving, size_t end)
{
    while (end > weaving->done && is_blank(weaving->text->data[end - 1]))
        end--;
    if (end <= weaving->done)
        return DGM_OK;
    DGM_TRY(dgm_buf_add(weaving->env, weaving->out, weaving->text->data + weaving->done,
                        end - weaving->done));
    weaving->done = end;
    weaving->is_inside = 0;
    return DGM_OK;
}

/* Whether a blank stands before a span, where the translation ends with a character so far. */
static int has_blank_before(const struct weaving *weaving, const struct dgm_taken *item, int32_t i,
                            char last)
{
    const char was = before(weaving->line, item->span.start);

    if (last == '\0' || is_blank(last) || weaving->is_inside)
        return 0;
    if (is_blank(was))
        return 1;
    return !is_closing(item, i) && dgm_span_is_word(last) && !dgm_span_is_word(was) && was != '>';
}

/* Whether the blank that follows in the translation goes: the span was next to a word. */
static int is_next_to_word(const struct weaving *weaving, const struct dgm_taken *item, int32_t i)
{
    const char was = behind(weaving->line, weaving->bytes, item->span.end);

    return is_opening(item, i) ? was != '\0' && !is_blank(was) : dgm_span_is_word(was);
}

static dgm_status write_span(struct weaving *weaving, const struct dgm_taken *item, int32_t i)
{
    const struct dgm_buf *out = weaving->out, *text = weaving->text;
    const char last = out->size > weaving->begin ? out->data[out->size - 1] : '\0';
    const char was = behind(weaving->line, weaving->bytes, item->span.end);

    if (has_blank_before(weaving, item, i, last))
        DGM_TRY(dgm_buf_add_char(weaving->env, weaving->out, ' '));
    DGM_TRY(dgm_buf_add(weaving->env, weaving->out, weaving->line + item->span.start,
                        item->span.end - item->span.start));
    weaving->is_inside = is_opening(item, i) && is_next_to_word(weaving, item, i);
    if (is_next_to_word(weaving, item, i))
        while (weaving->done < text->size && is_blank(text->data[weaving->done]))
            weaving->done++;
    else if (is_blank(was) && weaving->done < text->size &&
             dgm_span_is_word(text->data[weaving->done]))
        DGM_TRY(dgm_buf_add_char(weaving->env, weaving->out, ' '));
    return DGM_OK;
}

dgm_status dgm_spans_weave(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *text,
                           const size_t *ends, const char *line, size_t bytes,
                           const struct dgm_taken *items, const struct dgm_places *places)
{
    struct weaving weaving = { .env = env, .out = out, .begin = out->size, .text = text };

    weaving.line = line;
    weaving.bytes = bytes;
    for (size_t n = 0; n < places->count; n++) {
        const int32_t i = places->order[n];

        DGM_TRY(write_text(&weaving, ends[places->gaps[i]]));
        DGM_TRY(write_span(&weaving, &items[i], i));
    }
    return dgm_buf_add(env, out, text->data + weaving.done, text->size - weaving.done);
}
