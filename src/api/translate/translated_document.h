/* translated_document.h: a document whose segments are lines of a translator. */
#ifndef DGM_API_TRANSLATE_TRANSLATED_DOCUMENT_H
#define DGM_API_TRANSLATE_TRANSLATED_DOCUMENT_H

#include "base/env.h"

/* Writes the document with the translations of its segments. The translator has nothing queued, and
 * lets tags through. */
dgm_status dgm_translated_document(struct dgm_env *env, dgm_translator *translator,
                                   const char *format, const char *bytes, size_t size,
                                   dgm_write_fn write, void *user);

#endif
