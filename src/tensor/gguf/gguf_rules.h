/*
 * gguf_rules.h: what the reader and the writer of GGUF files both hold to: types, names, sizes.
 */
#ifndef DGM_TENSOR_GGUF_GGUF_RULES_H
#define DGM_TENSOR_GGUF_GGUF_RULES_H

#include <stddef.h>
#include <stdint.h>

#define DGM_GGUF_RANK 4        /* most dimensions of a tensor */
#define DGM_GGUF_NAME 255      /* most bytes of a key or a tensor name, reading */
#define DGM_GGUF_NAME_WRITE 63 /* most bytes of a tensor name, writing, for other readers */

#define DGM_GGUF_KEY_ALIGNMENT "general.alignment"
#define DGM_GGUF_KEY_META "dragoman.meta.checksum"
#define DGM_GGUF_KEY_CONTENTS "dragoman.contents.checksum"
#define DGM_GGUF_KEY_TENSORS "dragoman.tensor.checksums"

/* Types of tensors, with the numbers they have in a file. */
enum dgm_gguf_type {
    DGM_GGUF_F32 = 0,
    DGM_GGUF_F16 = 1,
    DGM_GGUF_Q8_0 = 8, /* half.h; the innermost dimension is a multiple of 32 */
    DGM_GGUF_I8 = 24,
    DGM_GGUF_I16 = 25,
    DGM_GGUF_I32 = 26,
    DGM_GGUF_I64 = 27,
    DGM_GGUF_F64 = 28,
    DGM_GGUF_BF16 = 30
};

/* Types of values in key/value pairs, with the numbers they have in a file. */
enum dgm_gguf_value {
    DGM_GGUF_VALUE_U8,
    DGM_GGUF_VALUE_I8,
    DGM_GGUF_VALUE_U16,
    DGM_GGUF_VALUE_I16,
    DGM_GGUF_VALUE_U32,
    DGM_GGUF_VALUE_I32,
    DGM_GGUF_VALUE_F32,
    DGM_GGUF_VALUE_BOOL,
    DGM_GGUF_VALUE_STRING,
    DGM_GGUF_VALUE_ARRAY,
    DGM_GGUF_VALUE_U64,
    DGM_GGUF_VALUE_I64,
    DGM_GGUF_VALUE_F64
};

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

/* "f32", "q8_0", ... */
const char *dgm_gguf_type_name(enum dgm_gguf_type type);

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
