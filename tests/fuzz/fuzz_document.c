/*
 * fuzz_document.c: any bytes as a document of each format, which the first byte chooses. Segments
 * are in order, their texts are one line and whole with their own tags; untranslated they go out as
 * the same bytes, and translated by one who shouts they lose no tag.
 */
#include <stdlib.h>
#include <string.h>

#include "text/document/tagged.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {
#define FORMAT(name) #name,
#include "text/document/format_list.h"
};

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_segments(struct dgm_env *env, const struct dgm_document_parts *document)
{
    size_t end = 0;

    for (size_t i = 0; i < document->count; i++) {
        const struct dgm_segment *segment = &document->segments[i];
        const char *text = dgm_segment_text(document, segment);
        int is_whole;

        require(segment->start <= segment->end && segment->end <= document->size);
        require(segment->text_bytes > 0 && memchr(text, '\n', segment->text_bytes) == NULL);
        require(dgm_tagged_check(env, document, segment, text, segment->text_bytes, &is_whole) ==
                DGM_OK);
        require(is_whole);
        if (segment->waits) {
            require(i + 1 < document->count);
            continue;
        }
        require(segment->start >= end);
        end = segment->end;
    }
}

/* What a translator who shouts says. */
static void shout(struct dgm_env *env, const struct dgm_document_parts *document,
                  const struct dgm_segment *segment, struct dgm_buf *out)
{
    struct dgm_tagged part;

    dgm_buf_reset(out);
    for (size_t at = 0; dgm_tagged_next(document, segment, dgm_segment_text(document, segment),
                                        segment->text_bytes, &at, &part);)
        for (size_t i = 0; i < part.bytes; i++)
            require(dgm_buf_add_char(env, out,
                                     part.tag < 0 && part.text[i] >= 'a' && part.text[i] <= 'z'
                                         ? (char)(part.text[i] - 'a' + 'A')
                                         : part.text[i]) == DGM_OK);
}

static void check(struct dgm_env *env, const char *format, const char *bytes, size_t size,
                  int shouts)
{
    struct dgm_document_parts document = { 0 };
    struct dgm_buf out = { 0 }, said = { 0 };

    require(dgm_document_read(env, &document, format, bytes, size) == DGM_OK);
    check_segments(env, &document);
    for (size_t i = 0; i < document.count; i++) {
        const struct dgm_segment *segment = &document.segments[i];

        said.size = 0;
        if (shouts)
            shout(env, &document, segment, &said);
        else
            require(dgm_buf_add(env, &said, dgm_segment_text(&document, segment),
                                segment->text_bytes) == DGM_OK);
        require(dgm_document_put(env, &document, said.data, said.size, &out) == DGM_OK);
    }
    require(dgm_document_finish(env, &document, &out) == DGM_OK);
    require(document.lost == 0);
    require(shouts || (out.size == size && (size == 0 || memcmp(out.data, bytes, size) == 0)));
    dgm_buf_clear(env, &out);
    dgm_buf_clear(env, &said);
    dgm_document_clear(env, &document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_env env;
    const char *format;

    if (size == 0)
        return 0;
    format = names[data[0] % (sizeof names / sizeof *names)];
    dgm_env_init(&env);
    for (int shouts = 0; shouts < 2; shouts++)
        check(&env, format, (const char *)data + 1, size - 1, shouts);
    return 0;
}
