/*
 * gguf_read.c: from untrusted bytes to a table of keys and tensors.
 *
 * One cursor walks the header. Nothing is taken before it is known that so many bytes remain, and
 * nothing is allocated that is not small beside the bytes already seen to be there. Every failure
 * is DGM_MODEL at the byte where the trouble starts. The layout is checked last: data lie one
 * behind the other in the order of their descriptions, every gap is shorter than the alignment and
 * zero, and the file ends where the last of them ends.
 */
#include "tensor/gguf/gguf_read.h"

#include <string.h>

#include "base/file/magic.h"
#include "base/file/vfs.h"
#include "base/le.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_get.h"

/* ---- the cursor -------------------------------------------------------------------- */

/* The place up to which the header was understood. */
struct cursor {
    struct dgm_env *env;
    struct dgm_gguf *file;
    size_t at;
    int is_short; /* it failed for want of bytes: more of the file may help */
};

/* A failure at a byte of the file. */
#define FAIL(cursor, offset, ...) \
    dgm_fail_byte((cursor)->env, DGM_MODEL, (cursor)->file->name, (long long)(offset), __VA_ARGS__)

/* Bytes behind the cursor. */
static size_t left(const struct cursor *r)
{
    return r->file->size - r->at;
}

/* Whether so many bytes are there; the cursor remembers that they were not. */
static int has(struct cursor *r, uint64_t count)
{
    if (count <= left(r))
        return 1;
    r->is_short = 1;
    return 0;
}

/* `what` names the thing in messages, here and below. */
static dgm_status need(struct cursor *r, uint64_t count, const char *what)
{
    if (has(r, count))
        return DGM_OK;
    return FAIL(r, r->at,
                "%s needs %llu bytes, but only %zu are left; the file is truncated or damaged",
                what, (unsigned long long)count, left(r));
}

static dgm_status take_u32(struct cursor *r, uint32_t *out, const char *what)
{
    DGM_TRY(need(r, 4, what));
    *out = dgm_le32(r->file->bytes + r->at);
    r->at += 4;
    return DGM_OK;
}

static dgm_status take_u64(struct cursor *r, uint64_t *out, const char *what)
{
    DGM_TRY(need(r, 8, what));
    *out = dgm_le64(r->file->bytes + r->at);
    r->at += 8;
    return DGM_OK;
}

/* The bytes of a string of at most `limit` bytes, in place. */
static dgm_status take_string(struct cursor *r, const char **text, size_t *length, size_t limit,
                              const char *what)
{
    size_t start = r->at;
    uint64_t count;

    DGM_TRY(take_u64(r, &count, what));
    if (count > limit)
        return FAIL(r, start, "%s of %llu bytes; at most %zu are allowed", what,
                    (unsigned long long)count, limit);
    DGM_TRY(need(r, count, what));
    *text = (const char *)r->file->bytes + r->at;
    *length = (size_t)count;
    r->at += *length;
    return DGM_OK;
}

/* A name that is new to `map`, entered there; it is copied to `name` for messages. */
static dgm_status take_name(struct cursor *r, struct dgm_map *map, char name[DGM_GGUF_NAME + 1],
                            const char *what)
{
    size_t start = r->at, length = 0;
    const char *text = NULL;
    struct dgm_map_entry *entry;
    int is_new;

    DGM_TRY(take_string(r, &text, &length, DGM_GGUF_NAME, what));
    if (!dgm_gguf_name_is_good(text, length, DGM_GGUF_NAME))
        return FAIL(r, start, "%s is not printable ASCII of 1 to %d bytes", what, DGM_GGUF_NAME);
    memcpy(name, text, length);
    name[length] = '\0';
    DGM_TRY(dgm_map_insert(r->env, map, text, length, &entry, &is_new));
    if (!is_new)
        return FAIL(r, start, "%s '%s' occurs twice", what, name);
    return DGM_OK;
}

/* ---- keys -------------------------------------------------------------------------- */

/* Values stay where they are; a table says where. Only arrays of strings get an index, one number
 * for every eight bytes or more that are seen to be there. */

static dgm_status take_text(struct cursor *r, const char *name)
{
    size_t start = r->at, length = 0;
    const char *text = NULL;

    DGM_TRY(take_string(r, &text, &length, DGM_GGUF_STRING, "string"));
    if (!dgm_gguf_text_is_good(text, length))
        return FAIL(r, start, "the text of key '%s' is not UTF-8, or holds a NUL", name);
    return DGM_OK;
}

/* `count` values of fixed size. */
static dgm_status take_values(struct cursor *r, const struct dgm_gguf_key *key, const char *name)
{
    size_t size = dgm_gguf_value_bytes((uint32_t)key->type), i;
    const unsigned char *p = r->file->bytes + r->at;

    if (!has(r, (uint64_t)key->count * size)) /* count is a number of bytes seen */
        return FAIL(r, r->at, "key '%s' has %zu values of %zu bytes, but only %zu bytes are left",
                    name, key->count, size, left(r));
    if (key->type == DGM_GGUF_VALUE_BOOL)
        for (i = 0; i < key->count; i++)
            if (p[i] > 1)
                return FAIL(r, r->at + i, "key '%s': a bool is 0 or 1, not %d", name, p[i]);
    r->at += key->count * size;
    return DGM_OK;
}

static dgm_status take_strings(struct cursor *r, struct dgm_gguf_key *key, const char *name)
{
    size_t i;

    if (!has(r, (uint64_t)key->count * 8))
        return FAIL(r, r->at, "key '%s' has %zu strings, but only %zu bytes are left", name,
                    key->count, left(r));
    key->strings = dgm_alloc(r->env, key->count, sizeof *key->strings);
    if (!key->strings)
        return DGM_MEMORY;
    for (i = 0; i < key->count; i++) {
        key->strings[i] = r->at;
        DGM_TRY(take_text(r, name));
    }
    return DGM_OK;
}

static dgm_status take_array_head(struct cursor *r, struct dgm_gguf_key *key, uint32_t *type,
                                  const char *name)
{
    size_t start = r->at;
    uint64_t count;

    DGM_TRY(take_u32(r, type, "array"));
    if (*type == DGM_GGUF_VALUE_ARRAY)
        return FAIL(r, start, "key '%s' is an array of arrays, which is not supported", name);
    start = r->at;
    DGM_TRY(take_u64(r, &count, "array"));
    if (!has(r, count)) /* every item takes a byte at least */
        return FAIL(r, start, "key '%s' has %llu values, but only %zu bytes are left", name,
                    (unsigned long long)count, left(r));
    key->count = (size_t)count;
    key->is_array = 1;
    return DGM_OK;
}

static dgm_status take_key(struct cursor *r, struct dgm_gguf_key *key)
{
    char name[DGM_GGUF_NAME + 1];
    size_t start;
    uint32_t type;

    DGM_TRY(take_name(r, &r->file->key_map, name, "key"));
    start = r->at;
    DGM_TRY(take_u32(r, &type, "type of a key"));
    key->at = r->at;
    key->count = 1;
    if (type == DGM_GGUF_VALUE_ARRAY)
        DGM_TRY(take_array_head(r, key, &type, name));
    if (type > DGM_GGUF_VALUE_F64)
        return FAIL(r, start, "key '%s' has values of unknown type %u; expected 0 to 12", name,
                    (unsigned)type);
    key->type = (enum dgm_gguf_value)type;
    key->first = r->at;
    if (type != DGM_GGUF_VALUE_STRING)
        DGM_TRY(take_values(r, key, name));
    else if (key->is_array)
        DGM_TRY(take_strings(r, key, name));
    else
        DGM_TRY(take_text(r, name));
    key->bytes = r->at - key->at;
    return DGM_OK;
}

static dgm_status take_keys(struct cursor *r, size_t count)
{
    struct dgm_gguf *file = r->file;

    file->keys = dgm_alloc(r->env, count, sizeof *file->keys);
    if (!file->keys)
        return DGM_MEMORY;
    file->key_count = count;
    for (count = 0; count < file->key_count; count++)
        DGM_TRY(take_key(r, &file->keys[count]));
    /* The map has come to rest: its copies of the names may be pointed to. */
    for (count = 0; count < file->key_count; count++)
        file->keys[count].name = dgm_map_key(&file->key_map, &file->key_map.entries[count]);
    return DGM_OK;
}

/* ---- descriptions of tensors ------------------------------------------------------- */

/* Dimensions stand fastest first in the file, outermost first in memory. */
static dgm_status take_dims(struct cursor *r, struct dgm_gguf_tensor *tensor, const char *name)
{
    size_t start = r->at;
    uint32_t rank;
    uint64_t dim;
    int i;

    DGM_TRY(take_u32(r, &rank, "rank of a tensor"));
    if (rank < 1 || rank > DGM_GGUF_RANK)
        return FAIL(r, start, "tensor '%s' has %u dimensions; expected 1 to %d", name,
                    (unsigned)rank, DGM_GGUF_RANK);
    tensor->rank = (int)rank;
    for (i = tensor->rank; i < DGM_GGUF_RANK; i++)
        tensor->dims[i] = 1;
    for (i = tensor->rank - 1; i >= 0; i--) {
        start = r->at;
        DGM_TRY(take_u64(r, &dim, "dimension of a tensor"));
        if (dim == 0)
            return FAIL(r, start, "tensor '%s' has a dimension of zero", name);
        if (dim > SIZE_MAX / 2)
            return FAIL(r, start, "tensor '%s': dimension %llu is too large", name,
                        (unsigned long long)dim);
        tensor->dims[i] = (size_t)dim;
    }
    return DGM_OK;
}

static dgm_status take_type(struct cursor *r, struct dgm_gguf_tensor *tensor, const char *name)
{
    const struct dgm_gguf_type_rule *rule;
    size_t start = r->at, row = tensor->dims[tensor->rank - 1];
    uint32_t type;

    DGM_TRY(take_u32(r, &type, "type of a tensor"));
    rule = dgm_gguf_type_find(type);
    if (!rule)
        return FAIL(r, start,
                    "tensor '%s' has type %u; supported are f32, f16, bf16, "
                    "q8_0, f64 and i8 to i64",
                    name, (unsigned)type);
    if (row % rule->block != 0)
        return FAIL(r, start,
                    "tensor '%s': rows of %zu numbers are no multiple of the %u of a %s block",
                    name, row, rule->block, rule->name);
    tensor->type = rule->type;
    if (!dgm_gguf_shape_bytes(&tensor->count, &tensor->bytes, rule, tensor->rank, tensor->dims))
        return FAIL(r, start, "tensor '%s': dimensions %zu x %zu x %zu x %zu overflow", name,
                    tensor->dims[0], tensor->dims[1], tensor->dims[2], tensor->dims[3]);
    return DGM_OK;
}

/* `next` is where the data of this tensor must begin, counted from the data section. Only this one
 * place is right: so nothing overlaps, nothing hides in a hole, and every byte of a file is
 * accounted for. */
static dgm_status take_offset(struct cursor *r, struct dgm_gguf_tensor *tensor, size_t *next,
                              const char *name)
{
    size_t start = r->at, step = r->file->alignment;
    uint64_t offset;

    DGM_TRY(take_u64(r, &offset, "offset of a tensor"));
    if (offset % step != 0)
        return FAIL(r, start, "tensor '%s': offset %llu is no multiple of the alignment %zu", name,
                    (unsigned long long)offset, step);
    if (offset != *next)
        return FAIL(r, start, "tensor '%s': offset %llu %s; expected %zu", name,
                    (unsigned long long)offset,
                    offset < *next ? "overlaps what comes before" : "leaves a hole", *next);
    tensor->at = *next;
    if (!dgm_size_add(next, *next, tensor->bytes) || !dgm_size_pad(next, *next, step))
        return FAIL(r, start, "tensor '%s': its %zu bytes overflow the size of the file", name,
                    tensor->bytes);
    return DGM_OK;
}

/* Offsets are left relative to the data section. */
static dgm_status take_tensors(struct cursor *r, size_t count)
{
    struct dgm_gguf *file = r->file;
    char name[DGM_GGUF_NAME + 1];
    size_t next = 0, i;

    file->tensors = dgm_alloc(r->env, count, sizeof *file->tensors);
    if (!file->tensors)
        return DGM_MEMORY;
    file->tensor_count = count;
    for (i = 0; i < count; i++) {
        struct dgm_gguf_tensor *tensor = &file->tensors[i];
        DGM_TRY(take_name(r, &file->tensor_map, name, "tensor"));
        DGM_TRY(take_dims(r, tensor, name));
        DGM_TRY(take_type(r, tensor, name));
        DGM_TRY(take_offset(r, tensor, &next, name));
    }
    for (i = 0; i < count; i++)
        file->tensors[i].name = dgm_map_key(&file->tensor_map, &file->tensor_map.entries[i]);
    return DGM_OK;
}

/* ---- counts and layout ------------------------------------------------------------- */

static dgm_status take_counts(struct cursor *r, size_t *tensors, size_t *keys)
{
    /* The least a tensor takes: length, one letter, rank, one dimension, type, offset. A
     * key: length, one letter, type, one byte. */
    const size_t least_tensor = 8 + 1 + 4 + 8 + 4 + 8, least_key = 8 + 1 + 4 + 1;
    uint64_t t, k;

    r->at = 8;
    DGM_TRY(take_u64(r, &t, "number of tensors"));
    DGM_TRY(take_u64(r, &k, "number of keys"));
    if (t > DGM_GGUF_COUNT)
        return FAIL(r, 8, "%llu tensors; at most %d are allowed", (unsigned long long)t,
                    DGM_GGUF_COUNT);
    if (k > DGM_GGUF_COUNT)
        return FAIL(r, 16, "%llu keys; at most %d are allowed", (unsigned long long)k,
                    DGM_GGUF_COUNT);
    /* Both counts are at most 65536 here, so that the products cannot wrap. */
    if (!has(r, t * least_tensor + k * least_key))
        return FAIL(r, 8, "%llu tensors and %llu keys do not fit in the %zu bytes that are left",
                    (unsigned long long)t, (unsigned long long)k, left(r));
    *tensors = (size_t)t;
    *keys = (size_t)k;
    return DGM_OK;
}

static dgm_status find_alignment(struct cursor *r)
{
    const struct dgm_gguf_key *key = dgm_gguf_find_key(r->file, DGM_GGUF_KEY_ALIGNMENT);
    uint32_t value = 32;

    if (key) {
        if (key->is_array || key->type != DGM_GGUF_VALUE_U32)
            return FAIL(r, key->at, DGM_GGUF_KEY_ALIGNMENT " is not of type u32");
        value = dgm_le32(r->file->bytes + key->at);
        if (value < 8 || value > 65536 || (value & (value - 1)) != 0)
            return FAIL(r, key->at,
                        DGM_GGUF_KEY_ALIGNMENT " is %u; expected a power of two from 8 to 65536",
                        (unsigned)value);
    }
    r->file->alignment = value;
    return DGM_OK;
}

dgm_status dgm_gguf_check_padding(struct dgm_env *env, const struct dgm_gguf *file,
                                  const unsigned char *bytes, size_t at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)(at + i),
                                 "a byte of padding is %d; expected 0", bytes[i]);
    return DGM_OK;
}

/* Bytes from..to-1 are zero. */
static dgm_status check_padding(struct cursor *r, size_t from, size_t to)
{
    return dgm_gguf_check_padding(r->env, r->file, r->file->bytes + from, from, to - from);
}

/* The cursor stands behind the header. Makes offsets absolute; looks at no byte behind it. */
static dgm_status check_layout(struct cursor *r)
{
    struct dgm_gguf *file = r->file;
    size_t end, i;

    file->head = r->at;
    if (!dgm_size_pad(&file->data, r->at, file->alignment) || file->data > file->size)
        return FAIL(r, r->at, "the file ends before its data section; it is truncated");
    end = file->data;
    for (i = 0; i < file->tensor_count; i++) {
        struct dgm_gguf_tensor *tensor = &file->tensors[i];
        tensor->at = end;
        if (tensor->bytes > file->size - end)
            return FAIL(r, end,
                        "tensor '%s' (%s) has %zu bytes, but only %zu are left; "
                        "the file is truncated",
                        tensor->name, dgm_gguf_type_name(tensor->type), tensor->bytes,
                        file->size - end);
        end += tensor->bytes;
        /* Padding counts from the data section, which is itself aligned. */
        if (!dgm_size_pad(&end, end, file->alignment) || end > file->size)
            return FAIL(r, file->size,
                        "the padding of tensor '%s' is missing; the file is truncated",
                        tensor->name);
    }
    if (end != file->size)
        return FAIL(r, end, "%zu bytes follow the last tensor", file->size - end);
    return DGM_OK;
}

/* What stands between header, tensors and end is zero. */
static dgm_status check_gaps(struct cursor *r)
{
    const struct dgm_gguf *file = r->file;
    size_t i;

    DGM_TRY(check_padding(r, file->head, file->data));
    for (i = 0; i < file->tensor_count; i++) {
        const struct dgm_gguf_tensor *tensor = &file->tensors[i];
        size_t next = i + 1 < file->tensor_count ? tensor[1].at : file->size;
        DGM_TRY(check_padding(r, tensor->at + tensor->bytes, next));
    }
    return DGM_OK;
}

/* ---- the beginning of the file ------------------------------------------------------ */

/* Eight bytes of length, then JSON. */
static int is_safetensors(const unsigned char *bytes, size_t count)
{
    return count >= 10 && bytes[8] == '{' && dgm_le64(bytes) <= 100000000 &&
           (bytes[9] == '"' || bytes[9] == '}' || bytes[9] == ' ');
}

/* DGM_MODEL where the first bytes tell another kind of file. */
static dgm_status check_kind(struct cursor *r)
{
    const struct dgm_gguf *file = r->file;
    const struct dgm_magic *other = dgm_magic_find(file->bytes, file->size, DGM_MAGIC_GGUF);

    if (other != NULL)
        return FAIL(r, 0, "this is %s, not " DGM_MAGIC_GGUF ": %s", other->name, other->advice);
    if (file->size == 0)
        return FAIL(r, 0, "this is an empty file, not " DGM_MAGIC_GGUF);
    if (is_safetensors(file->bytes, file->size))
        return FAIL(r, 0, "this is a safetensors file, not " DGM_MAGIC_GGUF ": import it");
    return DGM_OK;
}

static dgm_status check_magic(struct cursor *r)
{
    const struct dgm_gguf *file = r->file;
    uint32_t version;

    DGM_TRY(check_kind(r));
    if (file->size < DGM_GGUF_HEADER)
        return FAIL(r, 0, "%zu bytes; a GGUF file has at least %d", file->size, DGM_GGUF_HEADER);
    if (dgm_le32(file->bytes) != DGM_GGUF_MAGIC)
        return FAIL(r, 0, "not a GGUF file: it begins with %x %x %x %x, not with the letters GGUF",
                    file->bytes[0], file->bytes[1], file->bytes[2], file->bytes[3]);
    version = dgm_le32(file->bytes + 4);
    if (version != DGM_GGUF_VERSION)
        return FAIL(r, 4, "GGUF version %u, which is %s; expected version %d", (unsigned)version,
                    version < DGM_GGUF_VERSION ? "too old" : "newer than this program",
                    DGM_GGUF_VERSION);
    return DGM_OK;
}

/* ---- the whole ----------------------------------------------------------------------- */

static dgm_status parse_head(struct cursor *r)
{
    size_t tensors = 0, keys = 0;

    DGM_TRY(check_magic(r));
    DGM_TRY(take_counts(r, &tensors, &keys));
    DGM_TRY(take_keys(r, keys));
    DGM_TRY(find_alignment(r));
    return take_tensors(r, tensors);
}

/* Points the cursor at the start of `made`, which holds nothing yet. */
static void begin(struct dgm_env *env, struct cursor *r, struct dgm_gguf *made, const void *bytes,
                  size_t count, const char *name)
{
    size_t length = strlen(name);

    memset(made, 0, sizeof *made);
    memset(r, 0, sizeof *r);
    if (length >= sizeof made->name)
        length = sizeof made->name - 1;
    memcpy(made->name, name, length);
    made->bytes = bytes;
    made->size = count;
    r->env = env;
    r->file = made;
}

dgm_status dgm_gguf_parse(struct dgm_env *env, struct dgm_gguf *file, const void *bytes,
                          size_t count, const char *name)
{
    struct dgm_gguf made;
    struct cursor r;
    dgm_status status;

    begin(env, &r, &made, bytes, count, name);
    DGM_TRY_OUT(parse_head(&r));
    DGM_TRY_OUT(check_layout(&r));
    DGM_TRY_OUT(check_gaps(&r));
    *file = made;
    return DGM_OK;
out:
    dgm_gguf_clear(env, &made);
    return status;
}

dgm_status dgm_gguf_parse_head(struct dgm_env *env, struct dgm_gguf *file, const void *bytes,
                               size_t count, size_t total, const char *name, int *is_short)
{
    struct dgm_gguf made;
    struct cursor r;
    dgm_status status;

    begin(env, &r, &made, bytes, count, name);
    /* The layout is checked against the size of the whole file, of which only the head is here. */
    status = parse_head(&r);
    *is_short = r.is_short;
    made.size = total;
    if (status == DGM_OK)
        status = check_layout(&r);
    if (status != DGM_OK)
        dgm_gguf_clear(env, &made);
    else
        *file = made;
    return status;
}

void dgm_gguf_clear(struct dgm_env *env, struct dgm_gguf *file)
{
    size_t i;

    for (i = 0; file->keys && i < file->key_count; i++)
        dgm_release(env, file->keys[i].strings);
    dgm_release(env, file->keys);
    dgm_release(env, file->tensors);
    dgm_map_clear(env, &file->key_map);
    dgm_map_clear(env, &file->tensor_map);
    if (file->is_open && file->fd >= 0)
        env->vfs->close(env->vfs->user, file->fd);
    dgm_release(env, file->owned);
    memset(file, 0, sizeof *file);
}
