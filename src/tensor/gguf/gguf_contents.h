/*
 * gguf_contents.h: what of a GGUF file Dragoman reads, as one number.
 *
 * Programs of the GGUF world write the keys of others: a name, a licence, in another order. Such a
 * file is another one byte by byte, and the same model; this number tells it from a damaged one.
 */
#ifndef DGM_TENSOR_GGUF_GGUF_CONTENTS_H
#define DGM_TENSOR_GGUF_GGUF_CONTENTS_H

#include "tensor/gguf/gguf_read.h"

/*
 * The sum, modulo 2^64, of the checksums of each key that begins with "dragoman." (name, type,
 * value), but for the two that are sums of the head, and of each tensor's description (name, type,
 * dimensions, place among the tensors). Neither where they lie counts, nor the order of the keys,
 * nor any other key; the tensors' data have checksums of their own, in such a key.
 */
uint64_t dgm_gguf_contents(const struct dgm_gguf *file);

/* Whether this is the name of a key that the writer makes: the alignment, a checksum. */
int dgm_gguf_is_made(const char *key);

/* Whether this is the name of a checksum. */
int dgm_gguf_is_checksum(const char *key);

#endif
