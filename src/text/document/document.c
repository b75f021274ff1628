/* document.c: from a document to its segments, and from their translations back to a document. */
#include "text/document/document.h"

#include <string.h>

#include "base/mem.h"
#include "text/document/tagged.h"

static const struct dgm_document_format *const formats[] = {
#define FORMAT(name) &dgm_document_##name,
#include "text/document/format_list.h"
};

enum { FORMATS = sizeof formats / sizeof *formats };

static dgm_status find_format(struct dgm_env *env, struct dgm_document_parts *document,
                              const char *name)
{
    char quoted[DGM_QUOTE_SIZE];

    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i]->name, name) == 0)
            document->format = formats[i];
    if (document->format != NULL)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, name, strlen(name));
    return dgm_fail(env, DGM_USAGE,
                    "format \"%s\" of a document; expected html, markdown, srt, vtt or po", quoted);
}

static const char *find_newline(const char *bytes, size_t size)
{
    const char *end = memchr(bytes, '\n', size);

    return end != NULL && end > bytes && end[-1] == '\r' ? "\r\n" : "\n";
}

dgm_status dgm_document_read(struct dgm_env *env, struct dgm_document_parts *document,
                             const char *format, const char *bytes, size_t size)
{
    DGM_TRY(find_format(env, document, format));
    document->bytes = size > 0 ? bytes : "";
    document->size = size;
    document->newline = find_newline(document->bytes, size);
    return document->format->read(env, document);
}

/* ---- back ------------------------------------------------------------------------------------ */

static dgm_status copy_to(struct dgm_env *env, struct dgm_document_parts *document, size_t end,
                          struct dgm_buf *out)
{
    const size_t start = document->done;

    document->done = end;
    return dgm_buf_add(env, out, document->bytes + start, end - start);
}

/* Whether a translation is to take the place of what there is. */
static dgm_status look(struct dgm_env *env, struct dgm_document_parts *document,
                       const struct dgm_segment *segment, const char *text, size_t bytes,
                       int *is_new)
{
    int is_whole;

    *is_new = 0;
    if (bytes == 0 || (bytes == segment->text_bytes &&
                       memcmp(text, dgm_segment_text(document, segment), bytes) == 0))
        return DGM_OK;
    DGM_TRY(dgm_tagged_check(env, document, segment, text, bytes, &is_whole));
    document->lost += !is_whole;
    *is_new = is_whole;
    return DGM_OK;
}

static dgm_status hold(struct dgm_env *env, struct dgm_document_parts *document,
                       const struct dgm_segment *segment, const char *text, size_t bytes)
{
    struct dgm_said *said;
    int is_new;

    DGM_TRY(look(env, document, segment, text, bytes, &is_new));
    if (!is_new) {
        text = dgm_segment_text(document, segment);
        bytes = segment->text_bytes;
    }
    DGM_TRY(dgm_grow(env, &document->said, &document->said_capacity, document->said_count,
                     sizeof *said));
    said = &document->said[document->said_count];
    *said = (struct dgm_said){ .segment = document->next, .is_new = is_new, .bytes = bytes };
    said->at = document->held.size;
    DGM_TRY(dgm_buf_add(env, &document->held, text, bytes));
    document->said_count++;
    return DGM_OK;
}

static int has_news(const struct dgm_document_parts *document)
{
    for (size_t i = 0; i < document->said_count; i++)
        if (document->said[i].is_new)
            return 1;
    return 0;
}

dgm_status dgm_document_put(struct dgm_env *env, struct dgm_document_parts *document,
                            const char *text, size_t bytes, struct dgm_buf *out)
{
    const struct dgm_segment *segment = &document->segments[document->next];

    DGM_TRY(hold(env, document, segment, text, bytes));
    document->next++;
    if (segment->waits)
        return DGM_OK;
    DGM_TRY(copy_to(env, document, segment->start, out));
    if (has_news(document)) {
        document->done = segment->end;
        DGM_TRY(document->format->write(env, document, document->said, document->said_count, out));
    }
    document->said_count = 0;
    dgm_buf_reset(&document->held);
    return DGM_OK;
}

dgm_status dgm_document_finish(struct dgm_env *env, struct dgm_document_parts *document,
                               struct dgm_buf *out)
{
    return copy_to(env, document, document->size, out);
}

void dgm_document_clear(struct dgm_env *env, struct dgm_document_parts *document)
{
    dgm_release(env, document->segments);
    dgm_release(env, document->tags);
    dgm_release(env, document->said);
    dgm_buf_clear(env, &document->texts);
    dgm_buf_clear(env, &document->held);
    memset(document, 0, sizeof *document);
}
