/*
 * shortlist_file.h: a shortlist as a file.
 *
 * Numbers are little-endian; u32 and u64 are unsigned whole numbers of so many bits.
 *
 *     8 bytes    "DGMSHORT"
 *     u32        the version: 1, or 2 where lists are filled up
 *     u32 u32    entries of the source vocabulary, S, and of the target vocabulary, T
 *     u32        A: types that are always allowed
 *     u64 u64    signatures of the vocabularies: XXH64 of the tokens, each with a LF behind it
 *     u64        W: types of all lists
 *     u32 u32 u32  in version 2: multiple, rest and fill_from (shortlist.h)
 *     u32 * A    target types, ascending; the first four are 0, 1, 2, 3 (text/bpe/vocab.h)
 *     u32 * S    how many target types each source type has
 *     u32 * W    these, one source type after the other, ascending in each
 *     u64        XXH64 of all bytes before
 */
#ifndef DGM_DATA_SHORTLIST_SHORTLIST_FILE_H
#define DGM_DATA_SHORTLIST_SHORTLIST_FILE_H

#include "base/buf.h"
#include "base/file/writer.h"
#include "data/shortlist/shortlist.h"

/* Appends the bytes of a file. */
dgm_status dgm_shortlist_print(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_shortlist *shortlist);
/* From the bytes of a file; DGM_DATA, with a byte offset, if they are none. */
dgm_status dgm_shortlist_parse(struct dgm_env *env, struct dgm_shortlist *shortlist,
                               const void *bytes, size_t size, const char *name);
dgm_status dgm_shortlist_load(struct dgm_env *env, struct dgm_shortlist *shortlist,
                              const char *path);
/* Into an open file, which the caller closes. */
dgm_status dgm_shortlist_write(struct dgm_env *env, const struct dgm_shortlist *shortlist,
                               struct dgm_writer *writer);

#endif
