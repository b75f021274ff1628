/*
 * spm_normalize.h: text rewritten as a SentencePiece model wants it.
 */
#ifndef DGM_TEXT_SPM_SPM_NORMALIZE_H
#define DGM_TEXT_SPM_SPM_NORMALIZE_H

#include "text/spm/spm.h"

/* Appends the text by the rules; symbols of the trie `kept` (or NULL) stay as they are. Each byte
 * that is no UTF-8 becomes U+FFFD. What is appended is UTF-8. */
dgm_status dgm_spm_normalize(struct dgm_env *env, const struct dgm_spm_rules *rules,
                             const struct dgm_trie *kept, struct dgm_buf *out, const char *text,
                             size_t bytes);

#endif
