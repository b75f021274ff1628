/* entity.h: characters that HTML spells: &amp; &#160; &#xA0; */
#ifndef DGM_TEXT_DOCUMENT_ENTITY_H
#define DGM_TEXT_DOCUMENT_ENTITY_H

#include "text/document/maker.h"

/* The character that a text, which begins with &, spells there, in UTF-8: *length bytes of it.
 * Returns how many bytes spell it; 0: none that is known. */
size_t dgm_entity_read(const char *text, size_t bytes, char out[4], size_t *length);
/* How long an entity is that has a name, known or not, and a semicolon; 0: there is none. */
size_t dgm_entity_named(const char *text, size_t bytes);
/* Adds what begins with & at byte `at`: a character or, where its name is not known, a thing that
 * stays as it is. *taken 0: it is neither. */
dgm_status dgm_entity_add(struct dgm_env *env, struct dgm_maker *maker,
                          const struct dgm_document_parts *document, size_t at, size_t end,
                          size_t *taken);
/* Appends text with & < > as entities, and LF as the document ends lines. */
dgm_status dgm_entity_spell(struct dgm_env *env, const struct dgm_document_parts *document,
                            struct dgm_buf *out, const char *text, size_t bytes);

#endif
