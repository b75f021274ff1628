/*
 * gguf_load.h: GGUF files on disk: read whole, looked at, verified.
 */
#ifndef DGM_TENSOR_GGUF_GGUF_LOAD_H
#define DGM_TENSOR_GGUF_GGUF_LOAD_H

#include "tensor/gguf/gguf_read.h"

/* Reads a whole regular file into memory. DGM_MODEL, with a byte offset, if it is bad; one that is
 * longer or shorter than its head says is refused before the rest is read. */
dgm_status dgm_gguf_load(struct dgm_env *env, struct dgm_gguf *file, const char *path);

/* The same without the tensors, for which the file stays open (gguf_fetch.h): dgm_gguf_data has
 * nothing to return. dgm_gguf_clear closes it. */
dgm_status dgm_gguf_open(struct dgm_env *env, struct dgm_gguf *file, const char *path);

/* The same of a file that is in memory, which is borrowed until dgm_gguf_clear. */
dgm_status dgm_gguf_open_memory(struct dgm_env *env, struct dgm_gguf *file, const void *bytes,
                                size_t size, const char *name);

/* Whether a file is a GGUF file, with this general.architecture (NULL: any); reads no more than its
 * head. Never fails for what the file is. */
dgm_status dgm_gguf_is(struct dgm_env *env, const char *path, const char *architecture, int *is);

/*
 * Compares all checksums; fails with DGM_MODEL and names what is damaged. *has_checksums
 * (may be NULL) becomes 0 for a file that was written without any, which passes. Of an open file
 * the head is compared; its tensors are when they are fetched (gguf_fetch.h).
 */
dgm_status dgm_gguf_verify(struct dgm_env *env, const struct dgm_gguf *file, int *has_checksums);

/* Exactly `count` bytes of an open file, from byte `from` on. */
dgm_status dgm_gguf_read_range(struct dgm_env *env, const struct dgm_gguf *file,
                               unsigned char *bytes, size_t from, size_t count);

/* DGM_MODEL: the checksum of a tensor is another. */
dgm_status dgm_gguf_fail_sum(struct dgm_env *env, const struct dgm_gguf *file,
                             const struct dgm_gguf_tensor *tensor);

#endif
