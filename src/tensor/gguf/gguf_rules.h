/*
 * gguf_rules.h: what the reader and the writer of GGUF files both hold to (internal).
 */
#ifndef DGM_TENSOR_GGUF_GGUF_RULES_H
#define DGM_TENSOR_GGUF_GGUF_RULES_H

#include "tensor/gguf/gguf.h"

#define DGM_GGUF_MAGIC 0x46554747u /* "GGUF" */
#define DGM_GGUF_VERSION 3
#define DGM_GGUF_HEADER 24                 /* bytes of magic, version and the two counts */
#define DGM_GGUF_COUNT 65536               /* most tensors, and most keys */
#define DGM_GGUF_STRING ((size_t)64 << 20) /* most bytes of a string */

/* A tensor type: `block` numbers of the innermost dimension take `bytes` bytes. */
struct dgm_gguf_type_rule {
    enum dgm_gguf_type type;
    const char *name;
    unsigned block, bytes;
    int is_real;
};

/* NULL if the number means no type that we know. */
const struct dgm_gguf_type_rule *dgm_gguf_type_find(uint32_t type);

/* Bytes of one value; 0 for strings, arrays and numbers that mean no type. */
size_t dgm_gguf_value_bytes(uint32_t type);

/* 1 to `limit` bytes of printable ASCII without blanks. */
int dgm_gguf_name_is_good(const char *name, size_t length, size_t limit);

/* Well-formed UTF-8 without NUL. */
int dgm_gguf_text_is_good(const char *text, size_t length);

/* Both products without overflow: 1, or 0. */
int dgm_gguf_shape_bytes(size_t *count, size_t *bytes, const struct dgm_gguf_type_rule *rule,
                         int rank, const size_t *dims);

#endif
