/*
 * gguf_more.h: keys and tensors of types that tests write and read, and Dragoman itself does not.
 */
#ifndef DGM_GGUF_MORE_H
#define DGM_GGUF_MORE_H

#include <string.h>

#include "base/le.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_write.h"

/* ---- writing -------------------------------------------------------------------------------- */

/* A key whose value has these bytes in a file. */
static inline dgm_status gguf_add_value(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                        const char *name, enum dgm_gguf_value type, int is_array,
                                        const unsigned char *bytes, size_t count)
{
    struct dgm_gguf file;
    struct dgm_gguf_key key;

    memset(&file, 0, sizeof file);
    memset(&key, 0, sizeof key);
    file.bytes = bytes;
    key.name = name;
    key.type = type;
    key.is_array = is_array;
    key.bytes = count;
    return dgm_gguf_add_key(env, writer, &file, &key);
}

static inline dgm_status gguf_add_u32(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                      const char *key, uint32_t value)
{
    unsigned char bytes[4];

    dgm_le32_put(bytes, value);
    return gguf_add_value(env, writer, key, DGM_GGUF_VALUE_U32, 0, bytes, sizeof bytes);
}

static inline dgm_status gguf_add_f32(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                      const char *key, float value)
{
    unsigned char bytes[4];

    dgm_le_f32_put(bytes, value);
    return gguf_add_value(env, writer, key, DGM_GGUF_VALUE_F32, 0, bytes, sizeof bytes);
}

/* An array of up to 16 items of four bytes. */
static inline dgm_status gguf_add_items(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                        const char *key, enum dgm_gguf_value type,
                                        const void *items, size_t count)
{
    unsigned char bytes[12 + 4 * 16];
    size_t i;

    dgm_le32_put(bytes, (uint32_t)type);
    dgm_le64_put(bytes + 4, count);
    for (i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, (const char *)items + 4 * i, sizeof bits);
        dgm_le32_put(bytes + 12 + 4 * i, bits);
    }
    return gguf_add_value(env, writer, key, type, 1, bytes, 12 + 4 * count);
}

/* A tensor of up to 70,000 integers, the only one of a test: the writer borrows its bytes. */
static inline dgm_status gguf_add_ints(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                       const char *name, size_t rank, const size_t *dims,
                                       const int32_t *values)
{
    static unsigned char bytes[4 * 70000];
    size_t count = 1, i;

    for (i = 0; i < rank; i++)
        count *= dims[i];
    for (i = 0; i < count; i++)
        dgm_le32_put(bytes + 4 * i, (uint32_t)values[i]);
    return dgm_gguf_add_raw(env, writer, name, DGM_GGUF_I32, rank, dims, bytes);
}

/* Strings that are ended by NUL. */
static inline dgm_status gguf_add_strings(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                          const char *key, const char *const *items, size_t count)
{
    size_t i;

    DGM_TRY(dgm_gguf_begin_strings(env, writer, key, count));
    for (i = 0; i < count; i++)
        DGM_TRY(dgm_gguf_add_item(env, writer, items[i], strlen(items[i])));
    return DGM_OK;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Converts a tensor of i8, i16, i32 or i64. DGM_MODEL if another type or count is there, or a value
 * that does not fit; then out[] holds the values before it. */
static inline dgm_status gguf_read_ints(struct dgm_env *env, const struct dgm_gguf *file,
                                        const struct dgm_gguf_tensor *tensor, int32_t *out,
                                        size_t count)
{
    const struct dgm_gguf_type_rule *rule = dgm_gguf_type_find((uint32_t)tensor->type);
    const unsigned char *in = dgm_gguf_data(file, tensor);
    size_t i, k;

    if (tensor->count != count || rule->is_real)
        return dgm_fail(env, DGM_MODEL, "tensor '%s': %zu values of type %s; expected %zu integers",
                        tensor->name, tensor->count, rule->name, count);
    for (i = 0; i < count; i++, in += rule->bytes) {
        uint64_t bits = in[rule->bytes - 1] & 0x80 ? UINT64_MAX : 0;
        int64_t value;

        for (k = rule->bytes; k > 0; k--)
            bits = bits << 8 | in[k - 1];
        memcpy(&value, &bits, sizeof value);
        if (value < INT32_MIN || value > INT32_MAX)
            return dgm_fail(env, DGM_MODEL, "tensor '%s': element %zu is out of range",
                            tensor->name, i);
        out[i] = (int32_t)value;
    }
    return DGM_OK;
}

/* An array of floats: NULL if absent or of another type. */
static inline const struct dgm_gguf_key *gguf_reals(const struct dgm_gguf *file, const char *name,
                                                    size_t *count)
{
    const struct dgm_gguf_key *key = dgm_gguf_find_key(file, name);

    if (key == NULL || !key->is_array ||
        (key->type != DGM_GGUF_VALUE_F32 && key->type != DGM_GGUF_VALUE_F64))
        return NULL;
    *count = key->count;
    return key;
}

#endif
