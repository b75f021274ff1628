/*
 * gguf_write.c: gathers the keys and tensors of a GGUF file to be written.
 *
 * Keys are kept as the bytes that will stand in the file; tensors as pointers to their
 * data.
 */
#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_rules.h"

void dgm_gguf_writer_clear(struct dgm_env *env, struct dgm_gguf_writer *writer)
{
    dgm_buf_clear(env, &writer->keys);
    dgm_release(env, writer->tensors);
    dgm_map_clear(env, &writer->key_names);
    dgm_map_clear(env, &writer->tensor_names);
    memset(writer, 0, sizeof *writer);
}

/* ---- keys -------------------------------------------------------------------------- */

static dgm_status put_u32(struct dgm_env *env, struct dgm_buf *buf, uint32_t value)
{
    unsigned char bytes[4];

    dgm_le32_put(bytes, value);
    return dgm_buf_add(env, buf, bytes, sizeof bytes);
}

static dgm_status put_u64(struct dgm_env *env, struct dgm_buf *buf, uint64_t value)
{
    unsigned char bytes[8];

    dgm_le64_put(bytes, value);
    return dgm_buf_add(env, buf, bytes, sizeof bytes);
}

static dgm_status put_string(struct dgm_env *env, struct dgm_buf *buf, const char *text,
                             size_t length)
{
    DGM_TRY(put_u64(env, buf, length));
    return dgm_buf_add(env, buf, text, length);
}

static int is_ours(const char *key)
{
    return strcmp(key, DGM_GGUF_KEY_ALIGNMENT) == 0 || strcmp(key, DGM_GGUF_KEY_META) == 0 ||
           strcmp(key, DGM_GGUF_KEY_TENSORS) == 0;
}

/* A name that is new to `map`; *number becomes its entry. */
static dgm_status claim_name(struct dgm_env *env, struct dgm_map *map, const char *name,
                             size_t limit, const char *what, size_t *number)
{
    struct dgm_map_entry *entry;
    size_t length = strlen(name);
    int is_new;

    if (!dgm_gguf_name_is_good(name, length, limit))
        return dgm_fail(env, DGM_MODEL,
                        "cannot write %s '%s': a name is printable ASCII of 1 to "
                        "%zu bytes",
                        what, name, limit);
    if (map->count >= DGM_GGUF_COUNT)
        return dgm_fail(env, DGM_MODEL, "cannot write %s '%s': a file holds at most %d", what, name,
                        DGM_GGUF_COUNT);
    DGM_TRY(dgm_map_insert(env, map, name, length, &entry, &is_new));
    if (!is_new)
        return dgm_fail(env, DGM_MODEL, "cannot write %s '%s' twice", what, name);
    *number = (size_t)(entry - map->entries);
    return DGM_OK;
}

static dgm_status begin_key(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            enum dgm_gguf_value type)
{
    size_t number;

    if (is_ours(key))
        return dgm_fail(env, DGM_MODEL, "key '%s' is made by the writer", key);
    if (writer->strings_missing > 0)
        return dgm_fail(env, DGM_MODEL, "key '%s': the array before it lacks %zu strings", key,
                        writer->strings_missing);
    DGM_TRY(claim_name(env, &writer->key_names, key, DGM_GGUF_NAME, "key", &number));
    DGM_TRY(put_string(env, &writer->keys, key, strlen(key)));
    DGM_TRY(put_u32(env, &writer->keys, (uint32_t)type));
    writer->key_count++;
    return DGM_OK;
}

static dgm_status begin_array(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                              enum dgm_gguf_value type, size_t count)
{
    DGM_TRY(begin_key(env, writer, key, DGM_GGUF_VALUE_ARRAY));
    DGM_TRY(put_u32(env, &writer->keys, (uint32_t)type));
    return put_u64(env, &writer->keys, count);
}

static dgm_status put_text(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *text,
                           size_t length)
{
    if (length > DGM_GGUF_STRING)
        return dgm_fail(env, DGM_MODEL, "cannot write a string of %zu bytes; at most %zu", length,
                        DGM_GGUF_STRING);
    if (!dgm_gguf_text_is_good(text, length))
        return dgm_fail(env, DGM_MODEL, "cannot write a string that is not UTF-8, or holds a NUL");
    return put_string(env, &writer->keys, text, length);
}

dgm_status dgm_gguf_add_u32(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            uint32_t value)
{
    DGM_TRY(begin_key(env, writer, key, DGM_GGUF_VALUE_U32));
    return put_u32(env, &writer->keys, value);
}

dgm_status dgm_gguf_add_i64(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            int64_t value)
{
    DGM_TRY(begin_key(env, writer, key, DGM_GGUF_VALUE_I64));
    return put_u64(env, &writer->keys, (uint64_t)value);
}

dgm_status dgm_gguf_add_u64(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            uint64_t value)
{
    DGM_TRY(begin_key(env, writer, key, DGM_GGUF_VALUE_U64));
    return put_u64(env, &writer->keys, value);
}

dgm_status dgm_gguf_add_f32(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            float value)
{
    unsigned char bytes[4];

    DGM_TRY(begin_key(env, writer, key, DGM_GGUF_VALUE_F32));
    dgm_le_f32_put(bytes, value);
    return dgm_buf_add(env, &writer->keys, bytes, sizeof bytes);
}

dgm_status dgm_gguf_add_f64(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            double value)
{
    unsigned char bytes[8];

    DGM_TRY(begin_key(env, writer, key, DGM_GGUF_VALUE_F64));
    dgm_le_f64_put(bytes, value);
    return dgm_buf_add(env, &writer->keys, bytes, sizeof bytes);
}

dgm_status dgm_gguf_add_bool(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             int value)
{
    DGM_TRY(begin_key(env, writer, key, DGM_GGUF_VALUE_BOOL));
    return dgm_buf_add_char(env, &writer->keys, value != 0);
}

dgm_status dgm_gguf_add_text(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const char *text, size_t length)
{
    DGM_TRY(begin_key(env, writer, key, DGM_GGUF_VALUE_STRING));
    return put_text(env, writer, text, length);
}

dgm_status dgm_gguf_begin_strings(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                  const char *key, size_t count)
{
    DGM_TRY(begin_array(env, writer, key, DGM_GGUF_VALUE_STRING, count));
    writer->strings_missing = count;
    return DGM_OK;
}

dgm_status dgm_gguf_add_item(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *text,
                             size_t length)
{
    if (writer->strings_missing == 0)
        return dgm_fail(env, DGM_MODEL, "a string too many for the array being written");
    writer->strings_missing--;
    return put_text(env, writer, text, length);
}

dgm_status dgm_gguf_add_strings(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                const char *key, const char *const *items, const size_t *lengths,
                                size_t count)
{
    size_t i;

    DGM_TRY(dgm_gguf_begin_strings(env, writer, key, count));
    for (i = 0; i < count; i++)
        DGM_TRY(dgm_gguf_add_item(env, writer, items[i], lengths ? lengths[i] : strlen(items[i])));
    return DGM_OK;
}

dgm_status dgm_gguf_add_i32s(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const int32_t *items, size_t count)
{
    size_t i;

    DGM_TRY(begin_array(env, writer, key, DGM_GGUF_VALUE_I32, count));
    for (i = 0; i < count; i++)
        DGM_TRY(put_u32(env, &writer->keys, (uint32_t)items[i]));
    return DGM_OK;
}

dgm_status dgm_gguf_add_u64s(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const uint64_t *items, size_t count)
{
    size_t i;

    DGM_TRY(begin_array(env, writer, key, DGM_GGUF_VALUE_U64, count));
    for (i = 0; i < count; i++)
        DGM_TRY(put_u64(env, &writer->keys, items[i]));
    return DGM_OK;
}

dgm_status dgm_gguf_add_f32s(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const float *items, size_t count)
{
    unsigned char bytes[4];
    size_t i;

    DGM_TRY(begin_array(env, writer, key, DGM_GGUF_VALUE_F32, count));
    for (i = 0; i < count; i++) {
        dgm_le_f32_put(bytes, items[i]);
        DGM_TRY(dgm_buf_add(env, &writer->keys, bytes, sizeof bytes));
    }
    return DGM_OK;
}

dgm_status dgm_gguf_add_key(struct dgm_env *env, struct dgm_gguf_writer *writer,
                            const struct dgm_gguf *file, const struct dgm_gguf_key *key)
{
    if (is_ours(key->name))
        return DGM_OK;
    DGM_TRY(begin_key(env, writer, key->name, key->is_array ? DGM_GGUF_VALUE_ARRAY : key->type));
    return dgm_buf_add(env, &writer->keys, file->bytes + key->at, key->bytes);
}

/* ---- tensors ----------------------------------------------------------------------- */

static dgm_status check_shape(struct dgm_env *env, struct dgm_gguf_source *source, const char *name)
{
    const struct dgm_gguf_type_rule *rule = dgm_gguf_type_find((uint32_t)source->type);

    if (!rule || (source->kind == DGM_GGUF_REALS && !rule->is_real))
        return dgm_fail(env, DGM_MODEL, "cannot write tensor '%s' as type %d", name,
                        (int)source->type);
    if (source->dims[source->rank - 1] % rule->block != 0)
        return dgm_fail(env, DGM_MODEL,
                        "cannot write tensor '%s' as %s: rows of %zu numbers are no multiple of %u",
                        name, rule->name, source->dims[source->rank - 1], rule->block);
    if (!dgm_gguf_shape_bytes(&source->count, &source->bytes, rule, source->rank, source->dims) ||
        source->count == 0)
        return dgm_fail(env, DGM_MODEL,
                        "cannot write tensor '%s': its dimensions are zero or too large", name);
    return DGM_OK;
}

static dgm_status add_tensor(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *name,
                             struct dgm_gguf_source source, int rank, const size_t *dims)
{
    size_t limit = writer->name_limit ? writer->name_limit : DGM_GGUF_NAME_WRITE;

    if (rank < 1 || rank > DGM_GGUF_RANK)
        return dgm_fail(env, DGM_MODEL, "cannot write tensor '%s' of rank %d; expected 1 to %d",
                        name, rank, DGM_GGUF_RANK);
    source.rank = rank;
    memcpy(source.dims, dims, (size_t)rank * sizeof *dims);
    DGM_TRY(check_shape(env, &source, name));
    DGM_TRY(dgm_grow(env, &writer->tensors, &writer->tensor_capacity, writer->tensor_count,
                     sizeof *writer->tensors));
    DGM_TRY(claim_name(env, &writer->tensor_names, name,
                       limit < DGM_GGUF_NAME ? limit : DGM_GGUF_NAME, "tensor", &source.name));
    writer->tensors[writer->tensor_count++] = source;
    return DGM_OK;
}

dgm_status dgm_gguf_add_reals(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *name,
                              enum dgm_gguf_type type, int rank, const size_t *dims,
                              const dgm_real *data)
{
    struct dgm_gguf_source source = { 0 };

    source.type = type;
    source.kind = DGM_GGUF_REALS;
    source.data = data;
    return add_tensor(env, writer, name, source, rank, dims);
}

dgm_status dgm_gguf_add_ints(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *name,
                             int rank, const size_t *dims, const int32_t *data)
{
    struct dgm_gguf_source source = { 0 };

    source.type = DGM_GGUF_I32;
    source.kind = DGM_GGUF_INTS;
    source.data = data;
    return add_tensor(env, writer, name, source, rank, dims);
}

dgm_status dgm_gguf_add_raw(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *name,
                            enum dgm_gguf_type type, int rank, const size_t *dims, const void *data)
{
    struct dgm_gguf_source source = { 0 };

    source.type = type;
    source.kind = DGM_GGUF_RAW;
    source.data = data;
    return add_tensor(env, writer, name, source, rank, dims);
}
