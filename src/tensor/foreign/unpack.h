/*
 * unpack.h: deflated bytes of a file (RFC 1951), as archives hold them, inflated on the fly;
 * refused where configure found no zlib.
 */
#ifndef DGM_TENSOR_FOREIGN_UNPACK_H
#define DGM_TENSOR_FOREIGN_UNPACK_H

#include "tensor/foreign/foreign.h"

struct dgm_unpack;

/* Begins with `stored` bytes from byte `at` of the file on, which stays the caller's. */
dgm_status dgm_unpack_open(struct dgm_env *env, struct dgm_unpack **unpack,
                           const struct dgm_foreign *file, uint64_t at, uint64_t stored);
/* Exactly `count` plain bytes; DGM_MODEL where there are not so many, or they are damaged. */
dgm_status dgm_unpack_read(struct dgm_env *env, struct dgm_unpack *unpack, void *out, size_t count);
/* DGM_MODEL unless all plain bytes have been read, and all stored ones taken. */
dgm_status dgm_unpack_end(struct dgm_env *env, struct dgm_unpack *unpack);
/* NULL is fine. */
void dgm_unpack_close(struct dgm_env *env, struct dgm_unpack *unpack);

#endif
