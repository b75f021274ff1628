/* lines.h: the lines of a document, and what is broken into lines again. */
#ifndef DGM_TEXT_DOCUMENT_LINES_H
#define DGM_TEXT_DOCUMENT_LINES_H

#include "text/document/document.h"

/* Bytes of the document: a line without its end, which is LF or CR LF, and the next one. */
struct dgm_document_line {
    size_t start, end, next;
};

/* The line from byte `at` on; 0: the document ends there. A byte-order mark is part of none. */
int dgm_document_line(const struct dgm_document_parts *document, size_t at,
                      struct dgm_document_line *line);
int dgm_document_line_is_blank(const struct dgm_document_parts *document,
                               const struct dgm_document_line *line);

/* Puts LF in place of blanks of the translation of a segment, so that it has so many lines of about
 * the same length, or fewer. */
void dgm_document_wrap(const struct dgm_document_parts *document, const struct dgm_segment *segment,
                       char *text, size_t bytes, int lines);

#endif
