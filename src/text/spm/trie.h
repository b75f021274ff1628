/*
 * trie.h: byte strings to numbers, for finding all of them that a text begins with.
 *
 * A double array: the child of node n by byte c is the unit base(n) ^ c, if that one's parent is n.
 * Bases are such that no step leaves the array, and no two nodes with children have the same.
 */
#ifndef DGM_TEXT_SPM_TRIE_H
#define DGM_TEXT_SPM_TRIE_H

#include "base/env.h"

#define DGM_TRIE_NONE UINT32_C(0xFFFFFFFF)

struct dgm_trie_unit {
    uint32_t base, parent;
    int32_t value; /* -1: no string ends here */
};

/* Zeroed is valid and holds nothing. */
struct dgm_trie {
    struct dgm_trie_unit *units; /* the first one is the root */
    size_t count, capacity;      /* a multiple of 256 */
};

struct dgm_trie_key {
    const char *bytes;
    size_t size; /* at least 1 */
    int32_t value;
};

/* The keys are sorted; DGM_DATA if one is there twice, or empty. */
dgm_status dgm_trie_build(struct dgm_env *env, struct dgm_trie *trie, struct dgm_trie_key *keys,
                          size_t count);
/* The child of a node, 0 being the root; DGM_TRIE_NONE: there is none. The trie is not empty. */
static inline uint32_t dgm_trie_step(const struct dgm_trie *trie, uint32_t node, char byte)
{
    uint32_t child = trie->units[node].base ^ (unsigned char)byte;

    return trie->units[child].parent == node ? child : DGM_TRIE_NONE;
}
/* Bytes of the longest string that the text begins with; 0: none. */
size_t dgm_trie_longest(const struct dgm_trie *trie, const char *text, size_t size);
void dgm_trie_clear(struct dgm_env *env, struct dgm_trie *trie);

#endif
