/*
 * srt.c: SubRip subtitles (.srt): a number, a line of times, lines of text, a blank line. Their
 * markup is <i>, <b>, <u> and <font ...>, and {\an8} and its kin.
 */
#include <string.h>

#include "base/bytes.h"
#include "text/document/cues.h"
#include "text/span/span.h"

/* The name of a tag, for the one that closes it. */
static dgm_status add_tag(struct dgm_env *env, struct dgm_maker *maker, const char *bytes,
                          size_t start, size_t end)
{
    const int closes = bytes[start + 1] == '/';
    const size_t name = start + 1 + (size_t)closes;
    size_t after = name;
    enum dgm_maker_kind kind = closes ? DGM_PIECE_CLOSES : DGM_PIECE_OPENS;

    while (!dgm_span_has(" \t>/", bytes[after]))
        after++;
    if (bytes[end - 2] == '/' || bytes[start + 1] == '!')
        kind = DGM_PIECE_MARK;
    return dgm_maker_markup(env, maker, kind, start, end, bytes + name, after - name);
}

static dgm_status read_markup(struct dgm_env *env, struct dgm_maker *maker,
                              const struct dgm_document_parts *document, size_t at, size_t end,
                              size_t *taken)
{
    const char *bytes = document->bytes, *close;

    *taken = bytes[at] == '<' ? dgm_span_tag(bytes, end, at) : 0;
    if (*taken > 0)
        return add_tag(env, maker, bytes, at, at + *taken);
    if (dgm_bytes_begin(bytes + at, end - at, "{\\") == 0)
        return DGM_OK;
    close = memchr(bytes + at, '}', end - at);
    if (close == NULL)
        return DGM_OK;
    *taken = (size_t)(close - bytes) + 1 - at;
    return dgm_maker_markup(env, maker, DGM_PIECE_MARK, at, at + *taken, "", 0);
}

static int speaks(const char *line, size_t bytes)
{
    (void)line;
    (void)bytes;
    return 0;
}

static dgm_status spell(struct dgm_env *env, const struct dgm_document_parts *document,
                        struct dgm_buf *out, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        DGM_TRY(text[i] == '\n' ? dgm_buf_add_text(env, out, document->newline)
                                : dgm_buf_add_char(env, out, text[i]));
    return DGM_OK;
}

static const struct dgm_cue_kind kind = { .read = read_markup, .speaks = speaks, .spell = spell };

static dgm_status srt_read(struct dgm_env *env, struct dgm_document_parts *document)
{
    return dgm_cues_read(env, document, &kind);
}

static dgm_status srt_write(struct dgm_env *env, const struct dgm_document_parts *document,
                            const struct dgm_said *said, size_t count, struct dgm_buf *out)
{
    (void)count; /* 1: nothing waits */
    return dgm_cues_write(env, document, said, kind.spell, out);
}

const struct dgm_document_format dgm_document_srt = { "srt", srt_read, srt_write };
