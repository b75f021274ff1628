/*
 * gguf_fetch.h: tensors of a file of which only the head is in memory, one at a time, straight to
 * where they are wanted.
 */
#ifndef DGM_TENSOR_GGUF_GGUF_FETCH_H
#define DGM_TENSOR_GGUF_GGUF_FETCH_H

#include "base/real.h"
#include "tensor/gguf/gguf_read.h"

/*
 * Reads tensor i of an open file (dgm_gguf_open), compares its checksum, where the file has them,
 * and looks at the padding behind it. out (tensor->count): its numbers, which must be finite; NULL:
 * they are only compared. Several threads may read one file, each with an environment of its own.
 */
dgm_status dgm_gguf_fetch(struct dgm_env *env, const struct dgm_gguf *file, size_t i,
                          dgm_real *out);

/* Takes `count` rows of a matrix from `row` on. */
typedef void dgm_gguf_rows_fn(void *user, int64_t row, int64_t count, const dgm_real *values);

/* The same for a matrix (rank 2), some rows at a time, in order, without memory for all of it.
 * Where something is at fault, some rows have been taken before that is known. */
dgm_status dgm_gguf_fetch_rows(struct dgm_env *env, const struct dgm_gguf *file, size_t i,
                               dgm_gguf_rows_fn *fn, void *user);

#endif
