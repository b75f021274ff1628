/* po_format.c: conversions of printf in messages, which stay each what they were. */
#include "text/document/po_format.h"

#include <string.h>

#include "base/mem.h"
#include "text/document/maker.h"
#include "text/document/tagged.h"
#include "text/span/span.h"

size_t dgm_po_conversion(const char *text, size_t bytes)
{
    size_t end = 1;

    if (bytes < 2 || text[0] != '%' || text[1] == '%')
        return 0;
    while (end < bytes && (dgm_span_is_digit(text[end]) || dgm_span_has("$-+ #'I*.", text[end])))
        end++;
    while (end < bytes && dgm_span_has("hlqjztL", text[end]))
        end++;
    return end < bytes && dgm_span_has("diouxXeEfFgGaAcspn", text[end]) ? end + 1 : 0;
}

/* A tag for the message's bytes start..end. */
static dgm_status add_tag(struct dgm_env *env, struct dgm_document_parts *document,
                          struct dgm_segment *segment, size_t start, size_t end)
{
    const struct dgm_document_tag tag = { start, end, -1 };

    DGM_TRY(
        dgm_grow(env, &document->tags, &document->tag_capacity, document->tag_count, sizeof tag));
    document->tags[document->tag_count++] = tag;
    segment->tag_count++;
    return dgm_buf_add_format(env, &document->texts, "<%c%zu/>", segment->letter,
                              segment->tag_count);
}

dgm_status dgm_po_format_add(struct dgm_env *env, struct dgm_document_parts *document,
                             const char *message, size_t start, size_t end, size_t skip, size_t at,
                             int note)
{
    struct dgm_segment segment = { .start = at, .end = at, .note = note, .waits = 1 };

    segment.letter = dgm_tag_letter(message + start, end - start);
    segment.text = document->texts.size;
    segment.first_tag = document->tag_count;
    for (size_t i = start, taken; i<end; i += taken> 0 ? taken : 1) {
        taken = dgm_po_conversion(message + i, end - i);
        if (i == skip)
            continue;
        if (taken > 0) {
            DGM_TRY(add_tag(env, document, &segment, i, i + taken));
            continue;
        }
        DGM_TRY(
            dgm_buf_add_char(env, &document->texts, dgm_is_white(message[i]) ? ' ' : message[i]));
        taken = message[i] == '%' && i + 1 < end && message[i + 1] == '%' ? 2 : 1;
    }
    segment.text_bytes = document->texts.size - segment.text;
    return dgm_segment_add(env, document, &segment);
}

int dgm_po_format_in_order(const struct dgm_document_parts *document, const struct dgm_said *said)
{
    const struct dgm_segment *segment = &document->segments[said->segment];
    struct dgm_tagged part;
    int32_t last = -1;

    for (size_t at = 0; dgm_tagged_next(document, segment, dgm_said_text(document, said),
                                        said->bytes, &at, &part);) {
        if (part.tag >= 0 && part.tag < last)
            return 0;
        last = part.tag >= 0 ? part.tag : last;
    }
    return 1;
}

static dgm_status write_conversion(struct dgm_env *env, const char *text, size_t bytes,
                                   size_t number, struct dgm_buf *out)
{
    if (number == 0)
        return dgm_buf_add(env, out, text, bytes);
    DGM_TRY(dgm_buf_add_format(env, out, "%%%zu$", number));
    return dgm_buf_add(env, out, text + 1, bytes - 1);
}

dgm_status dgm_po_format_write(struct dgm_env *env, const struct dgm_document_parts *document,
                               const struct dgm_said *said, const char *message, size_t number,
                               struct dgm_buf *out)
{
    const struct dgm_segment *segment = &document->segments[said->segment];
    struct dgm_tagged part;

    for (size_t at = 0; dgm_tagged_next(document, segment, dgm_said_text(document, said),
                                        said->bytes, &at, &part);) {
        const struct dgm_document_tag *tag =
            part.tag >= 0 ? &document->tags[segment->first_tag + (size_t)part.tag] : NULL;

        if (tag != NULL)
            DGM_TRY(write_conversion(env, message + tag->start, tag->end - tag->start,
                                     number > 0 ? number + (size_t)part.tag : 0, out));
        for (size_t i = 0; i < part.bytes && tag == NULL; i++) {
            if (part.text[i] == '%')
                DGM_TRY(dgm_buf_add_char(env, out, '%'));
            DGM_TRY(dgm_buf_add_char(env, out, part.text[i]));
        }
    }
    return DGM_OK;
}
