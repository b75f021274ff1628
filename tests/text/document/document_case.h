/* document_case.h: documents, their segments, and what a translator who shouts makes of them. */
#ifndef DGM_TEST_DOCUMENT_CASE_H
#define DGM_TEST_DOCUMENT_CASE_H

#include <string.h>

#include "base/buf.h"
#include "test.h"
#include "text/document/document.h"

struct document_row {
    const char *in;
    const char *segments; /* with a bar behind each */
    const char *out;      /* with letters of ASCII in capitals, but those of tags */
};

/* Appends a segment in capitals. */
static void shout(struct dgm_buf *out, const char *text, size_t bytes)
{
    int in_tag = 0;

    for (size_t i = 0; i < bytes; i++) {
        const char byte = text[i], upper = (char)(byte - 'a' + 'A');

        in_tag = byte == '<' || (in_tag && byte != '>');
        CHECK_STATUS(dgm_buf_add_char(test_env(), out,
                                      !in_tag && byte >= 'a' && byte <= 'z' ? upper : byte),
                     DGM_OK);
    }
}

/* Writes the document with its segments as they are, or shouted. */
static void say_all(struct dgm_document_parts *document, struct dgm_buf *out, int shouts)
{
    struct dgm_buf said = { 0 };

    for (size_t i = 0; i < document->count; i++) {
        const struct dgm_segment *segment = &document->segments[i];
        const char *text = dgm_segment_text(document, segment);
        size_t bytes = segment->text_bytes;

        dgm_buf_reset(&said);
        shout(&said, text, bytes);
        if (shouts) {
            text = said.data;
            bytes = said.size;
        }
        CHECK_STATUS(dgm_document_put(test_env(), document, text, bytes, out), DGM_OK);
    }
    CHECK_STATUS(dgm_document_finish(test_env(), document, out), DGM_OK);
    CHECK_STATUS(dgm_buf_add(test_env(), out, "", 1), DGM_OK);
    dgm_buf_clear(test_env(), &said);
}

static void check_bytes(const char *format, const char *in, size_t size, const char *segments,
                        const char *out)
{
    for (int shouts = 0; shouts < 2; shouts++) {
        struct dgm_document_parts document = { 0 };
        struct dgm_buf got = { 0 }, list = { 0 };

        CHECK_STATUS(dgm_document_read(test_env(), &document, format, in, size), DGM_OK);
        for (size_t i = 0; i < document.count; i++) {
            CHECK_STATUS(dgm_buf_add(test_env(), &list,
                                     dgm_segment_text(&document, &document.segments[i]),
                                     document.segments[i].text_bytes),
                         DGM_OK);
            CHECK_STATUS(dgm_buf_add_char(test_env(), &list, '|'), DGM_OK);
        }
        CHECK_STATUS(dgm_buf_add(test_env(), &list, "", 1), DGM_OK);
        if (segments != NULL)
            CHECK_STR(list.data, segments);
        say_all(&document, &got, shouts);
        CHECK_INT(document.lost, 0);
        if (!shouts) {
            CHECK_INT(got.size, size + 1);
            CHECK_MEM(got.data, in, size);
        } else if (out != NULL) {
            CHECK_STR(got.data, out);
        }
        dgm_buf_clear(test_env(), &got);
        dgm_buf_clear(test_env(), &list);
        dgm_document_clear(test_env(), &document);
    }
}

static inline void check_rows(const char *format, const struct document_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_bytes(format, rows[i].in, strlen(rows[i].in), rows[i].segments, rows[i].out);
}

/* Any bytes, and many of one kind, go out as they came. */
static inline void check_hostile(const char *format, const char *const *texts, size_t count)
{
    static const size_t times[] = { 1, 3, 1000, 20000 };

    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
            const size_t length = strlen(texts[i]);
            struct dgm_buf text = { 0 };

            for (size_t n = 0; n < times[t]; n++)
                CHECK_STATUS(dgm_buf_add(test_env(), &text, texts[i], length), DGM_OK);
            check_bytes(format, text.data, text.size, NULL, NULL);
            dgm_buf_clear(test_env(), &text);
        }
}

#endif
