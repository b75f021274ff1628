/*
 * lex_binary.h: lexical shortlists in the binary form of Marian (lex.*.s2t.bin), as the models of
 * browsers have them.
 *
 * Numbers are little-endian:
 *
 *     u64        0xF11A48D5013417F5
 *     u64        a checksum of what follows
 *     u64        F: target pieces 0 .. F-1 are always allowed
 *     u64        how many a source piece allows at most
 *     u64 u64    V + 1, V being the source pieces, and M
 *     u64 * V+1  where the list of each source piece begins; the last is M
 *     u32 * M    target pieces
 *
 * Pieces are numbered as in the vocabularies of such a model: 0 the end, 1 the unknown piece, and
 * the others as in ours, whose first four are special. A sentence may also use its own pieces where
 * both sides have one vocabulary, and is filled up, by pieces from F on, to a multiple of eight.
 */
#ifndef DGM_DATA_SHORTLIST_LEX_BINARY_H
#define DGM_DATA_SHORTLIST_LEX_BINARY_H

#include "data/shortlist/shortlist.h"

/* *is: whether file `path` begins so; a stream does not. */
dgm_status dgm_lex_binary_look(struct dgm_env *env, const char *path, int *is);

/* The same list for a model that has these vocabularies, which `import` has made. DGM_DATA, with a
 * byte offset, for what is no such file; DGM_MODEL for other vocabularies. */
dgm_status dgm_lex_binary_build(struct dgm_env *env, struct dgm_shortlist *shortlist,
                                const void *bytes, size_t size, const char *name,
                                const struct dgm_vocab *source, const struct dgm_vocab *target);

#endif
