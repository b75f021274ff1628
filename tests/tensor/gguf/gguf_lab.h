/*
 * gguf_lab.h: files in GGUF that its tests share: one with keys and tensors of all types, and a
 * small one.
 */
#ifndef DGM_TESTS_GGUF_LAB_H
#define DGM_TESTS_GGUF_LAB_H

#include "tensor/gguf/gguf_write.h"

/* What tensors of reals and of whole numbers begin with. */
extern const dgm_real gguf_lab_numbers[64];
extern const int32_t gguf_lab_whole[3];

/* Keys and tensors of all types. */
dgm_status gguf_lab_keys(struct dgm_env *env, struct dgm_gguf_writer *w);
dgm_status gguf_lab_tensors(struct dgm_env *env, struct dgm_gguf_writer *w);
/* A file of both. */
dgm_status gguf_lab_full(struct dgm_env *env, struct dgm_buf *out);
/* Keys that are Dragoman's, behind one that is not; tensors of all types. */
dgm_status gguf_lab_ours(struct dgm_env *env, struct dgm_buf *out);
/* One key, two tensors, with or without checksums. */
dgm_status gguf_lab_small(struct dgm_env *env, struct dgm_buf *out, int without_checksums);
/* Whether byte `at` of a file is of a key that is not Dragoman's, or of the sum of all bytes: one
 * that may change without harm. */
int gguf_lab_is_foreign(const struct dgm_gguf *file, size_t at);
/* Loads and verifies a file, and lets go. */
dgm_status gguf_lab_try(const void *bytes, size_t count);

#endif
