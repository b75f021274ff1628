/*
 * document.h: a document is its bytes and, in their order, the places in them that are text for a
 * translator. What no translation takes the place of goes out byte by byte: line ends, a byte-order
 * mark, what is broken, all of it where nothing is translated.
 *
 * A segment's text is one line as a reader sees it: without escapes, its markup as tags <x1>, </x1>
 * and <x2/>, which are to come through a translation, nested, each once. A format is a file beside
 * this one and a line of format_list.h.
 */
#ifndef DGM_TEXT_DOCUMENT_DOCUMENT_H
#define DGM_TEXT_DOCUMENT_DOCUMENT_H

#include "base/buf.h"

/* What one tag of a segment stands for. */
struct dgm_document_tag {
    size_t start, end; /* bytes of the document; of a message of C those of the message */
    int32_t mate;      /* tag of the segment, from 0, that closes this one or that this one closes;
                        * -1: it stands alone */
};

struct dgm_segment {
    size_t start, end;           /* bytes of the document that are its text's */
    size_t text, text_bytes;     /* of document->texts */
    size_t first_tag, tag_count; /* of document->tags */
    char letter;                 /* of its tags: one that its text has no such tags of */
    int waits;                   /* it goes out together with the one behind it */
    int note;                    /* of the format's own: lines, kinds */
};

/* The translation of a segment. */
struct dgm_said {
    size_t segment;
    size_t at, bytes; /* of document->held */
    int is_new;       /* else it is what the segment was */
};

struct dgm_document_parts;

struct dgm_document_format {
    const char *name; /* "html" */
    /* Finds the segments of document->bytes. Broken ones are text or are left alone: only memory
     * fails. */
    dgm_status (*read)(struct dgm_env *env, struct dgm_document_parts *document);
    /* Appends what stands in place of segment `said[count - 1]`, some of which is new; those before
     * it have waited for it. */
    dgm_status (*write)(struct dgm_env *env, const struct dgm_document_parts *document,
                        const struct dgm_said *said, size_t count, struct dgm_buf *out);
};

/* Zeroed is valid; cleared in any case. */
struct dgm_document_parts {
    const struct dgm_document_format *format;
    const char *bytes; /* (size) borrowed */
    size_t size;
    const char *newline;          /* CR LF or LF: as the first line ends */
    struct dgm_segment *segments; /* (count) */
    size_t count, capacity;
    struct dgm_document_tag *tags; /* (tag_count) */
    size_t tag_count, tag_capacity;
    struct dgm_buf texts;
    size_t next, done; /* segment whose translation comes next; bytes that are out */
    struct dgm_said *said;
    size_t said_count, said_capacity;
    struct dgm_buf held; /* translations in `said` */
    size_t lost;         /* translations that had lost tags: their segments stayed as they were */
};

/* DGM_USAGE for a format that there is none of. The bytes are borrowed. */
dgm_status dgm_document_read(struct dgm_env *env, struct dgm_document_parts *document,
                             const char *format, const char *bytes, size_t size);
/* The translation of the next segment; appends the document up to behind it, or what is known. */
dgm_status dgm_document_put(struct dgm_env *env, struct dgm_document_parts *document,
                            const char *text, size_t bytes, struct dgm_buf *out);
/* Appends what stands behind the last segment. */
dgm_status dgm_document_finish(struct dgm_env *env, struct dgm_document_parts *document,
                               struct dgm_buf *out);
void dgm_document_clear(struct dgm_env *env, struct dgm_document_parts *document);

/* The text of a segment, and of a translation. */
static inline const char *dgm_segment_text(const struct dgm_document_parts *document,
                                           const struct dgm_segment *segment)
{
    return document->texts.data + segment->text;
}
static inline const char *dgm_said_text(const struct dgm_document_parts *document,
                                        const struct dgm_said *said)
{
    return document->held.data + said->at;
}

#define FORMAT(name) extern const struct dgm_document_format dgm_document_##name;
#include "text/document/format_list.h"

#endif
