/* po_format.h: what printf fills in in a message of C: %s, %5.2f, %1$d; and %%, a sign. */
#ifndef DGM_TEXT_DOCUMENT_PO_FORMAT_H
#define DGM_TEXT_DOCUMENT_PO_FORMAT_H

#include "text/document/document.h"

/* Bytes of a conversion that a text begins with; 0: none. */
size_t dgm_po_conversion(const char *text, size_t bytes);
/* Adds a line of a message as a segment that waits: conversions are tags, whose `start` and `end`
 * are bytes of the message, and %% is a sign. skip: a byte that is left out, or SIZE_MAX. */
dgm_status dgm_po_format_add(struct dgm_env *env, struct dgm_document_parts *document,
                             const char *message, size_t start, size_t end, size_t skip, size_t at,
                             int note);
/* Whether the conversions of a translation are in the order of its message. */
int dgm_po_format_in_order(const struct dgm_document_parts *document, const struct dgm_said *said);
/* Appends a translation with its conversions; number: that of the first one's argument, from 1, to
 * be written; 0: none is. */
dgm_status dgm_po_format_write(struct dgm_env *env, const struct dgm_document_parts *document,
                               const struct dgm_said *said, const char *message, size_t number,
                               struct dgm_buf *out);

#endif
