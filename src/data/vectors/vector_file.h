/*
 * vector_file.h: the text form of word vectors that word2vec and fastText write and everybody
 * reads.
 *
 * A line is a word and its numbers, with a blank or a tab between, and maybe one at the end. Lines
 * of frequent words come first. The first line may say `count dim`: then there are so many words. A
 * file may be packed (base/lines/lines.h).
 */
#ifndef DGM_DATA_VECTORS_VECTOR_FILE_H
#define DGM_DATA_VECTORS_VECTOR_FILE_H

#include "base/env.h"

/* Takes a word with its `dim` numbers, which are gone after the call. */
typedef dgm_status dgm_vector_fn(struct dgm_env *env, void *user, const char *word, size_t bytes,
                                 const double *numbers, int64_t dim);

/*
 * Hands the first `limit` words to `take`; what follows them is not looked at. Every word comes
 * once, is well-formed UTF-8 and has no blank; its numbers are at most `most` in size. DGM_DATA
 * with file and line: a word without numbers, or with more or fewer than those before it; what is
 * no number; a word that was there before; no word at all; more or fewer than the first line says.
 */
dgm_status dgm_vector_file_read(struct dgm_env *env, const char *path, int64_t limit, double most,
                                dgm_vector_fn *take, void *user);

#endif
