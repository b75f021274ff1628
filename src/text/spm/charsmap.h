/*
 * charsmap.h: the rules by which a SentencePiece model rewrites characters before it cuts text
 * (field precompiled_charsmap).
 *
 * A length of four bytes, then so many bytes of a double-array trie (Darts) whose values are
 * offsets into what follows: the replacements, each ended by a NUL. The trie is walked as it
 * stands; whatever its bytes are, no step and no value leads out of it.
 */
#ifndef DGM_TEXT_SPM_CHARSMAP_H
#define DGM_TEXT_SPM_CHARSMAP_H

#include "base/env.h"

/* Zeroed: no rules. */
struct dgm_charsmap {
    const unsigned char *units; /* of 4 bytes, little-endian; borrowed */
    size_t unit_count;
    const char *texts; /* replacements; borrowed */
    size_t text_bytes;
};

/* `bytes` (none: no rules) must outlive the map. DGM_DATA with `name` if they are no such map, or
 * the replacements are no UTF-8. */
dgm_status dgm_charsmap_read(struct dgm_env *env, struct dgm_charsmap *map, const char *bytes,
                             size_t size, const char *name);
/* The longest rule for the beginning of a text: how many bytes of it *with replaces; 0: none. */
size_t dgm_charsmap_find(const struct dgm_charsmap *map, const char *text, size_t size,
                         const char **with, size_t *with_bytes);

#endif
