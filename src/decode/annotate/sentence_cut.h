/*
 * sentence_cut.h: running text that waits to be cut by the parser that has learned it.
 *
 * Lines, or paragraphs of a document, are cut together, many at a time; their sentences become
 * items of the window, in order.
 */
#ifndef DGM_DECODE_ANNOTATE_SENTENCE_CUT_H
#define DGM_DECODE_ANNOTATE_SENTENCE_CUT_H

#include "decode/annotate/sentence_window.h"

/* Queues a line; its end is part of its text. */
dgm_status dgm_sentence_cut_queue(struct dgm_sentence_window *window, const char *line,
                                  size_t bytes);
/* Cuts what waits: its sentences are items of the window, and wait in the parser. */
dgm_status dgm_sentence_cut(struct dgm_sentence_window *window);

/* A document as it is read. Zeroed is its beginning. */
struct dgm_document {
    struct dgm_buf paragraph; /* so far, with the blank lines before and behind it */
    long first, number;       /* lines: of the paragraph's first, of the latest */
    int has_text, is_over;    /* the paragraph; a blank line has ended it */
};

/* The line at hand of a file whose line before was not the last: queues the paragraph before it,
 * if that is over. *queued: it was. */
dgm_status dgm_document_add(struct dgm_sentence_window *window, struct dgm_document *document,
                            const struct dgm_lines *lines, int *queued);
/* At the end of the file: queues what is left. */
dgm_status dgm_document_end(struct dgm_sentence_window *window, struct dgm_document *document);

#endif
