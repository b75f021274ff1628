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
/* One key, two tensors, with or without checksums. */
dgm_status gguf_lab_small(struct dgm_env *env, struct dgm_buf *out, int without_checksums);
/* Loads and verifies a file, and lets go. */
dgm_status gguf_lab_try(const void *bytes, size_t count);

#endif
