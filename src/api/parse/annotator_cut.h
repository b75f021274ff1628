/*
 * annotator_cut.h: running text that waits to be cut by the parser that has learned it.
 *
 * Lines, or paragraphs of a document, are cut together, many at a time; their sentences become
 * items of the annotator's window, in order.
 */
#ifndef DGM_API_PARSE_ANNOTATOR_CUT_H
#define DGM_API_PARSE_ANNOTATOR_CUT_H

#include "base/buf.h"
#include "base/lines/lines.h"

struct dgm_annotator;

/* What sentences are: lines; parts of lines; parts of paragraphs, which blank lines end. */
enum dgm_text_split { DGM_SPLIT_NONE, DGM_SPLIT_LINES, DGM_SPLIT_DOCUMENT };

/* Zeroed: nothing waits. */
struct dgm_annotator_text {
    enum dgm_text_split split;
    struct dgm_buf text; /* paragraphs that wait, well-formed UTF-8 */
    struct dgm_annotator_paragraph {
        size_t end;         /* in `text` */
        long line;          /* its first one */
        int64_t characters; /* before it: of the document, else 0 */
    } * paragraphs;
    size_t count, capacity;
    size_t *ends; /* the same numbers, for the cutter */
    size_t end_capacity;
    int64_t characters; /* of the document so far */
    int has_warned;     /* of a multiword token whose words are not known */
};

/* Queues a line; its end is part of its text. */
dgm_status dgm_annotator_queue_line(struct dgm_annotator *annotator, const char *line,
                                    size_t bytes);
/* Cuts what waits: its sentences are items of the window, and wait in the parser. */
dgm_status dgm_annotator_cut(struct dgm_annotator *annotator);

/* A document as it is read. Zeroed is its beginning. */
struct dgm_document {
    struct dgm_buf paragraph; /* so far, with the blank lines before and behind it */
    long first, number;       /* lines: of the paragraph's first, of the latest */
    int has_text, is_over;    /* the paragraph; a blank line has ended it */
};

/* The line at hand of a file whose line before was not the last: queues the paragraph before it,
 * if that is over. *queued: it was. */
dgm_status dgm_document_add(struct dgm_annotator *annotator, struct dgm_document *document,
                            const struct dgm_lines *lines, int *queued);
/* At the end of the file: queues what is left. */
dgm_status dgm_document_end(struct dgm_annotator *annotator, struct dgm_document *document);

void dgm_annotator_text_reset(struct dgm_annotator_text *text);
void dgm_annotator_text_clear(struct dgm_env *env, struct dgm_annotator_text *text);

#endif
