/*
 * gguf_write.c: gathers the keys and tensors of a GGUF file, and writes it.
 *
 * Keys are kept as the bytes that will stand in the file, tensors as pointers to their data. The
 * checksums stand before the data, so the data are first converted and hashed, then converted again
 * and written: one scratch block of half a megabyte, whatever the size of the model.
 */
#include "tensor/gguf/gguf_write.h"

#include <string.h>

#include "base/file/writer.h"
#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_contents.h"
#include "tensor/half.h"

#define ALIGNMENT 32
#define MADE_KEYS 4           /* of gguf_contents.h */
#define PIECE ((size_t)65536) /* numbers converted at a time, at most 8 bytes each: 512 KiB */
#define PIECE_BYTES ((size_t)1 << 20)

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

    if (dgm_gguf_is_made(key))
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

dgm_status dgm_gguf_add_bytes(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                              const void *bytes, size_t count)
{
    DGM_TRY(begin_array(env, writer, key, DGM_GGUF_VALUE_U8, count));
    return dgm_buf_add(env, &writer->keys, bytes, count);
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

dgm_status dgm_gguf_add_key(struct dgm_env *env, struct dgm_gguf_writer *writer,
                            const struct dgm_gguf *file, const struct dgm_gguf_key *key)
{
    if (dgm_gguf_is_made(key->name))
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
    const struct dgm_gguf_source source = { .type = type, .kind = DGM_GGUF_REALS, .data = data };

    return add_tensor(env, writer, name, source, rank, dims);
}

dgm_status dgm_gguf_add_raw(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *name,
                            enum dgm_gguf_type type, int rank, const size_t *dims, const void *data)
{
    const struct dgm_gguf_source source = { .type = type, .kind = DGM_GGUF_RAW, .data = data };

    return add_tensor(env, writer, name, source, rank, dims);
}

/* ---- streams ----------------------------------------------------------------------- */

/* Where bytes go: a checksum, a file or a buffer. */
typedef dgm_status sink_fn(struct dgm_env *env, void *user, const void *bytes, size_t count);

static dgm_status to_hash(struct dgm_env *env, void *user, const void *bytes, size_t count)
{
    (void)env;
    dgm_hash_add(user, bytes, count);
    return DGM_OK;
}

static dgm_status to_file(struct dgm_env *env, void *user, const void *bytes, size_t count)
{
    return dgm_writer_add(env, user, bytes, count);
}

static dgm_status to_buffer(struct dgm_env *env, void *user, const void *bytes, size_t count)
{
    return dgm_buf_add(env, user, bytes, count);
}

/* ---- the data of one tensor -------------------------------------------------------- */

static void convert_blocks(unsigned char *out, const dgm_real *in, size_t count)
{
    float block[DGM_HALF_Q8_COUNT];
    size_t i;
    int j;

    for (i = 0; i < count; i += DGM_HALF_Q8_COUNT, out += DGM_HALF_Q8_BYTES) {
        for (j = 0; j < DGM_HALF_Q8_COUNT; j++)
            block[j] = (float)in[i + (size_t)j];
        dgm_half_to_q8(out, block);
    }
}

static void convert_reals(unsigned char *out, enum dgm_gguf_type type, const dgm_real *in,
                          size_t count)
{
    size_t i;

    switch (type) {
    case DGM_GGUF_F32:
        for (i = 0; i < count; i++)
            dgm_le_f32_put(out + 4 * i, (float)in[i]);
        break;
    case DGM_GGUF_F16:
        for (i = 0; i < count; i++)
            dgm_le16_put(out + 2 * i, dgm_half_to_f16((float)in[i]));
        break;
    case DGM_GGUF_BF16:
        for (i = 0; i < count; i++)
            dgm_le16_put(out + 2 * i, dgm_half_to_bf16((float)in[i]));
        break;
    case DGM_GGUF_F64:
        for (i = 0; i < count; i++)
            dgm_le_f64_put(out + 8 * i, (double)in[i]);
        break;
    default: convert_blocks(out, in, count); break;
    }
}

static dgm_status stream_raw(struct dgm_env *env, const struct dgm_gguf_source *source,
                             sink_fn *sink, void *user)
{
    const unsigned char *bytes = source->data;
    size_t at, count;

    for (at = 0; at < source->bytes; at += count) {
        count = source->bytes - at < PIECE_BYTES ? source->bytes - at : PIECE_BYTES;
        DGM_TRY(sink(env, user, bytes + at, count));
    }
    return DGM_OK;
}

/* PIECE is a multiple of every block, so that pieces end where blocks end. */
static dgm_status stream_tensor(struct dgm_env *env, const struct dgm_gguf_source *source,
                                unsigned char *scratch, sink_fn *sink, void *user)
{
    const struct dgm_gguf_type_rule *rule = dgm_gguf_type_find((uint32_t)source->type);
    size_t at, count;

    if (source->kind == DGM_GGUF_RAW)
        return stream_raw(env, source, sink, user);
    for (at = 0; at < source->count; at += count) {
        count = source->count - at < PIECE ? source->count - at : PIECE;
        convert_reals(scratch, source->type, (const dgm_real *)source->data + at, count);
        DGM_TRY(sink(env, user, scratch, count / rule->block * rule->bytes));
    }
    return DGM_OK;
}

/* ---- the header -------------------------------------------------------------------- */

static dgm_status put_key(struct dgm_env *env, struct dgm_buf *head, const char *name,
                          enum dgm_gguf_value type)
{
    DGM_TRY(put_string(env, head, name, strlen(name)));
    return put_u32(env, head, (uint32_t)type);
}

/* First pass over the data: hashed as they will stand in the file, not as they are in memory. */
static dgm_status put_checksums(struct dgm_env *env, struct dgm_buf *head,
                                const struct dgm_gguf_writer *writer, unsigned char *scratch)
{
    struct dgm_hash hash;
    size_t i;

    DGM_TRY(put_key(env, head, DGM_GGUF_KEY_TENSORS, DGM_GGUF_VALUE_ARRAY));
    DGM_TRY(put_u32(env, head, DGM_GGUF_VALUE_U64));
    DGM_TRY(put_u64(env, head, writer->tensor_count));
    for (i = 0; i < writer->tensor_count; i++) {
        dgm_hash_init(&hash, 0);
        DGM_TRY(stream_tensor(env, &writer->tensors[i], scratch, to_hash, &hash));
        DGM_TRY(put_u64(env, head, dgm_hash_value(&hash)));
    }
    return DGM_OK;
}

static dgm_status put_tensor(struct dgm_env *env, struct dgm_buf *head,
                             const struct dgm_gguf_writer *writer,
                             const struct dgm_gguf_source *source, size_t *offset)
{
    /* The name is looked up here: while names were added, the map moved its copies. */
    const struct dgm_map *names = &writer->tensor_names;
    const char *name = dgm_map_key(names, &names->entries[source->name]);
    int i;

    DGM_TRY(put_string(env, head, name, strlen(name)));
    DGM_TRY(put_u32(env, head, (uint32_t)source->rank));
    for (i = source->rank - 1; i >= 0; i--) /* the file has the fastest one first */
        DGM_TRY(put_u64(env, head, source->dims[i]));
    DGM_TRY(put_u32(env, head, (uint32_t)source->type));
    DGM_TRY(put_u64(env, head, *offset));
    if (!dgm_size_add(offset, *offset, source->bytes) || !dgm_size_pad(offset, *offset, ALIGNMENT))
        return dgm_fail(env, DGM_MODEL, "cannot write tensor '%s': the file would be too large",
                        name);
    return DGM_OK;
}

static dgm_status put_padding(struct dgm_env *env, struct dgm_buf *head)
{
    while (head->size % ALIGNMENT != 0)
        DGM_TRY(dgm_buf_add_char(env, head, 0));
    return DGM_OK;
}

/* The sum of what the head says, as a reader finds it; `ahead`: bytes of the data behind it. */
static dgm_status put_contents(struct dgm_env *env, struct dgm_buf *head, size_t at, size_t ahead)
{
    struct dgm_gguf made;
    int is_short;

    DGM_TRY(dgm_gguf_parse_head(env, &made, head->data, head->size, head->size + ahead,
                                "the file to write", &is_short));
    dgm_le64_put((unsigned char *)head->data + at, dgm_gguf_contents(&made));
    dgm_gguf_clear(env, &made);
    return DGM_OK;
}

/* The head's own checksums come first and those of the tensors last, so that no damaged count hides
 * both. */
static dgm_status build_head(struct dgm_env *env, struct dgm_buf *head,
                             const struct dgm_gguf_writer *writer, unsigned char *scratch)
{
    int with = !writer->without_checksums;
    size_t meta = 0, contents = 0, offset = 0, i;

    DGM_TRY(put_u32(env, head, DGM_GGUF_MAGIC));
    DGM_TRY(put_u32(env, head, DGM_GGUF_VERSION));
    DGM_TRY(put_u64(env, head, writer->tensor_count));
    DGM_TRY(put_u64(env, head, writer->key_count + (with ? MADE_KEYS : 1)));
    if (with) {
        DGM_TRY(put_key(env, head, DGM_GGUF_KEY_META, DGM_GGUF_VALUE_U64));
        meta = head->size;
        DGM_TRY(put_u64(env, head, 0));
        DGM_TRY(put_key(env, head, DGM_GGUF_KEY_CONTENTS, DGM_GGUF_VALUE_U64));
        contents = head->size;
        DGM_TRY(put_u64(env, head, 0));
    }
    DGM_TRY(put_key(env, head, DGM_GGUF_KEY_ALIGNMENT, DGM_GGUF_VALUE_U32));
    DGM_TRY(put_u32(env, head, ALIGNMENT));
    DGM_TRY(dgm_buf_add(env, head, writer->keys.data, writer->keys.size));
    if (with)
        DGM_TRY(put_checksums(env, head, writer, scratch));
    for (i = 0; i < writer->tensor_count; i++)
        DGM_TRY(put_tensor(env, head, writer, &writer->tensors[i], &offset));
    DGM_TRY(put_padding(env, head));
    if (!with)
        return DGM_OK;
    DGM_TRY(put_contents(env, head, contents, offset));
    /* The eight bytes of the sum itself are zero while it is taken. */
    dgm_le64_put((unsigned char *)head->data + meta, dgm_hash_bytes(head->data, head->size));
    return DGM_OK;
}

/* ---- the whole file ---------------------------------------------------------------- */

static dgm_status stream_all(struct dgm_env *env, const struct dgm_gguf_writer *writer,
                             const struct dgm_buf *head, unsigned char *scratch, sink_fn *sink,
                             void *user)
{
    static const unsigned char zeros[ALIGNMENT];
    size_t at, count, i;

    for (at = 0; at < head->size; at += count) {
        count = head->size - at < PIECE_BYTES ? head->size - at : PIECE_BYTES;
        DGM_TRY(sink(env, user, head->data + at, count));
    }
    for (i = 0; i < writer->tensor_count; i++) {
        const struct dgm_gguf_source *source = &writer->tensors[i];
        DGM_TRY(stream_tensor(env, source, scratch, sink, user));
        if (source->bytes % ALIGNMENT != 0)
            DGM_TRY(sink(env, user, zeros, ALIGNMENT - source->bytes % ALIGNMENT));
    }
    return DGM_OK;
}

static dgm_status save_file(struct dgm_env *env, const struct dgm_gguf_writer *writer,
                            const struct dgm_buf *head, unsigned char *scratch, const char *path)
{
    struct dgm_writer file = { 0 };
    dgm_status status;

    DGM_TRY(dgm_writer_open_own(env, &file, path));
    status = stream_all(env, writer, head, scratch, to_file, &file);
    if (status != DGM_OK) {
        dgm_writer_abandon(env, &file);
        return status;
    }
    return dgm_writer_close(env, &file);
}

/* To the file at `path`, or to `out` where path is NULL. */
static dgm_status write_all(struct dgm_env *env, const struct dgm_gguf_writer *writer,
                            const char *path, struct dgm_buf *out)
{
    struct dgm_buf head = { 0 };
    unsigned char *scratch = NULL;
    dgm_status status = DGM_MEMORY;

    if (writer->strings_missing > 0)
        return dgm_fail(env, DGM_MODEL, "cannot write: the last array lacks %zu strings",
                        writer->strings_missing);
    if (writer->key_count + 3 > DGM_GGUF_COUNT) /* with those of is_ours */
        return dgm_fail(env, DGM_MODEL, "cannot write %zu keys; at most %d", writer->key_count,
                        DGM_GGUF_COUNT - 3);
    scratch = dgm_alloc(env, PIECE, 8);
    if (!scratch)
        goto out;
    DGM_TRY_OUT(build_head(env, &head, writer, scratch));
    if (path)
        DGM_TRY_OUT(save_file(env, writer, &head, scratch, path));
    else
        DGM_TRY_OUT(stream_all(env, writer, &head, scratch, to_buffer, out));
out:
    dgm_release(env, scratch);
    dgm_buf_clear(env, &head);
    return status;
}

dgm_status dgm_gguf_write(struct dgm_env *env, const struct dgm_gguf_writer *writer,
                          const char *path)
{
    return write_all(env, writer, path, NULL);
}

dgm_status dgm_gguf_write_memory(struct dgm_env *env, const struct dgm_gguf_writer *writer,
                                 struct dgm_buf *out)
{
    return write_all(env, writer, NULL, out);
}
