/*
 * vtt.c: subtitles of the web (.vtt, WebVTT): as those of SubRip, but with names in place of
 * numbers, notes and styles between blank lines, entities, and any tag: <c.yellow>, <v Mary>, and
 * times as <00:01.000>. A voice begins a segment.
 */
#include <string.h>

#include "base/bytes.h"
#include "text/document/cues.h"
#include "text/document/entity.h"
#include "text/span/span.h"

static dgm_status add_tag(struct dgm_env *env, struct dgm_maker *maker, const char *bytes,
                          size_t start, size_t end)
{
    const int closes = bytes[start + 1] == '/';
    const size_t name = start + 1 + (size_t)closes;
    size_t after = name;
    enum dgm_maker_kind kind = closes ? DGM_PIECE_CLOSES : DGM_PIECE_OPENS;

    while (!dgm_span_has(" \t.>", bytes[after]))
        after++;
    if (dgm_span_is_digit(bytes[name]))
        kind = DGM_PIECE_MARK;
    return dgm_maker_markup(env, maker, kind, start, end, bytes + name, after - name);
}

static dgm_status read_markup(struct dgm_env *env, struct dgm_maker *maker,
                              const struct dgm_document_parts *document, size_t at, size_t end,
                              size_t *taken)
{
    const char *bytes = document->bytes, *close;

    *taken = 0;
    if (bytes[at] == '&')
        return dgm_entity_add(env, maker, document, at, end, taken);
    close = bytes[at] == '<' ? memchr(bytes + at, '>', end - at) : NULL;
    if (close == NULL)
        return DGM_OK;
    *taken = (size_t)(close - bytes) + 1 - at;
    return add_tag(env, maker, bytes, at, at + *taken);
}

static int speaks(const char *line, size_t bytes)
{
    return dgm_bytes_begin(line, bytes, "<v") > 0 && bytes > 2 && dgm_span_has(" \t.>", line[2]);
}

static const struct dgm_cue_kind kind = {
    .ends_at_blank = 1, .read = read_markup, .speaks = speaks, .spell = dgm_entity_spell
};

static dgm_status vtt_read(struct dgm_env *env, struct dgm_document_parts *document)
{
    return dgm_cues_read(env, document, &kind);
}

static dgm_status vtt_write(struct dgm_env *env, const struct dgm_document_parts *document,
                            const struct dgm_said *said, size_t count, struct dgm_buf *out)
{
    (void)count; /* 1: nothing waits */
    return dgm_cues_write(env, document, said, kind.spell, out);
}

const struct dgm_document_format dgm_document_vtt = { "vtt", vtt_read, vtt_write };
