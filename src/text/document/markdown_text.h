/* markdown_text.h: what stands in a line of a paragraph of Markdown. */
#ifndef DGM_TEXT_DOCUMENT_MARKDOWN_TEXT_H
#define DGM_TEXT_DOCUMENT_MARKDOWN_TEXT_H

#include "base/map.h"
#include "text/document/maker.h"
#include "text/document/tagged.h"

/* Adds the pieces of bytes start..end of the document: text and its markup. labels: of the links
 * that the document defines, in small letters: such a label names its link and stays. */
dgm_status dgm_markdown_text(struct dgm_env *env, struct dgm_maker *maker,
                             const struct dgm_document_parts *document,
                             const struct dgm_map *labels, size_t start, size_t end);
/* Bytes of a label in brackets, "[name]", with which a text begins; 0: none. */
size_t dgm_markdown_label(const char *text, size_t bytes);
/* Makes the letters of ASCII in a label, without its brackets, small: *length of them in `out`. */
enum { DGM_MARKDOWN_LABEL = 1000 };
void dgm_markdown_lower(const char *label, size_t bytes, char out[DGM_MARKDOWN_LABEL]);

/* Appends text so that none of it is markup; of a cell of a table, no bar either. */
dgm_spell_fn dgm_markdown_spell, dgm_markdown_spell_cell;

#endif
