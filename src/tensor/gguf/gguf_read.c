/*
 * gguf_read.c: from untrusted bytes to a table of keys and tensors.
 *
 * One cursor walks the header; nothing is allocated that is not small beside the bytes
 * already seen to be there. The layout is checked last: data lie one behind the other in
 * the order of their descriptions, every gap is shorter than the alignment and zero, and
 * the file ends where the last of them ends.
 */
#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_cursor.h"

/* ---- descriptions of tensors ------------------------------------------------------- */

/* Dimensions stand fastest first in the file, outermost first in memory. */
static dgm_status take_dims(struct dgm_gguf_cursor *r, struct dgm_gguf_tensor *tensor,
                            const char *name)
{
    size_t start = r->at;
    uint32_t rank;
    uint64_t dim;
    int i;

    DGM_TRY(dgm_gguf_take_u32(r, &rank, "rank of a tensor"));
    if (rank < 1 || rank > DGM_GGUF_RANK)
        return DGM_GGUF_FAIL(r, start, "tensor '%s' has %u dimensions; expected 1 to %d", name,
                             (unsigned)rank, DGM_GGUF_RANK);
    tensor->rank = (int)rank;
    for (i = tensor->rank; i < DGM_GGUF_RANK; i++)
        tensor->dims[i] = 1;
    for (i = tensor->rank - 1; i >= 0; i--) {
        start = r->at;
        DGM_TRY(dgm_gguf_take_u64(r, &dim, "dimension of a tensor"));
        if (dim == 0)
            return DGM_GGUF_FAIL(r, start, "tensor '%s' has a dimension of zero", name);
        if (dim > SIZE_MAX / 2)
            return DGM_GGUF_FAIL(r, start, "tensor '%s': dimension %llu is too large", name,
                                 (unsigned long long)dim);
        tensor->dims[i] = (size_t)dim;
    }
    return DGM_OK;
}

static dgm_status take_type(struct dgm_gguf_cursor *r, struct dgm_gguf_tensor *tensor,
                            const char *name)
{
    const struct dgm_gguf_type_rule *rule;
    size_t start = r->at, row = tensor->dims[tensor->rank - 1];
    uint32_t type;

    DGM_TRY(dgm_gguf_take_u32(r, &type, "type of a tensor"));
    rule = dgm_gguf_type_find(type);
    if (!rule)
        return DGM_GGUF_FAIL(r, start,
                             "tensor '%s' has type %u; supported are f32, f16, bf16, "
                             "q8_0, f64 and i8 to i64",
                             name, (unsigned)type);
    if (row % rule->block != 0)
        return DGM_GGUF_FAIL(
            r, start, "tensor '%s': rows of %zu numbers are no multiple of the %u of a %s block",
            name, row, rule->block, rule->name);
    tensor->type = rule->type;
    if (!dgm_gguf_shape_bytes(&tensor->count, &tensor->bytes, rule, tensor->rank, tensor->dims))
        return DGM_GGUF_FAIL(r, start, "tensor '%s': dimensions %zu x %zu x %zu x %zu overflow",
                             name, tensor->dims[0], tensor->dims[1], tensor->dims[2],
                             tensor->dims[3]);
    return DGM_OK;
}

/* `next` is where the data of this tensor must begin, counted from the data section. */
static dgm_status take_offset(struct dgm_gguf_cursor *r, struct dgm_gguf_tensor *tensor,
                              size_t *next, const char *name)
{
    size_t start = r->at, step = r->file->alignment;
    uint64_t offset;

    DGM_TRY(dgm_gguf_take_u64(r, &offset, "offset of a tensor"));
    if (offset % step != 0)
        return DGM_GGUF_FAIL(r, start,
                             "tensor '%s': offset %llu is no multiple of the alignment %zu", name,
                             (unsigned long long)offset, step);
    if (offset != *next)
        return DGM_GGUF_FAIL(r, start, "tensor '%s': offset %llu %s; expected %zu", name,
                             (unsigned long long)offset,
                             offset < *next ? "overlaps what comes before" : "leaves a hole",
                             *next);
    tensor->at = *next;
    if (!dgm_size_add(next, *next, tensor->bytes) || !dgm_size_pad(next, *next, step))
        return DGM_GGUF_FAIL(r, start, "tensor '%s': its %zu bytes overflow the size of the file",
                             name, tensor->bytes);
    return DGM_OK;
}

/* Offsets are left relative to the data section. */
static dgm_status take_tensors(struct dgm_gguf_cursor *r, size_t count)
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
        DGM_TRY(dgm_gguf_take_name(r, &file->tensor_map, name, "tensor"));
        DGM_TRY(take_dims(r, tensor, name));
        DGM_TRY(take_type(r, tensor, name));
        DGM_TRY(take_offset(r, tensor, &next, name));
    }
    for (i = 0; i < count; i++)
        file->tensors[i].name = dgm_map_key(&file->tensor_map, &file->tensor_map.entries[i]);
    return DGM_OK;
}

/* ---- the whole file ---------------------------------------------------------------- */

static dgm_status take_counts(struct dgm_gguf_cursor *r, size_t *tensors, size_t *keys)
{
    /* The least a tensor takes: length, one letter, rank, one dimension, type, offset. A
     * key: length, one letter, type, one byte. */
    const size_t least_tensor = 8 + 1 + 4 + 8 + 4 + 8, least_key = 8 + 1 + 4 + 1;
    uint64_t t, k;

    r->at = 8;
    DGM_TRY(dgm_gguf_take_u64(r, &t, "number of tensors"));
    DGM_TRY(dgm_gguf_take_u64(r, &k, "number of keys"));
    if (t > DGM_GGUF_COUNT)
        return DGM_GGUF_FAIL(r, 8, "%llu tensors; at most %d are allowed", (unsigned long long)t,
                             DGM_GGUF_COUNT);
    if (k > DGM_GGUF_COUNT)
        return DGM_GGUF_FAIL(r, 16, "%llu keys; at most %d are allowed", (unsigned long long)k,
                             DGM_GGUF_COUNT);
    if (!dgm_gguf_has(r, t * least_tensor + k * least_key))
        return DGM_GGUF_FAIL(r, 8,
                             "%llu tensors and %llu keys do not fit in the %zu bytes that are left",
                             (unsigned long long)t, (unsigned long long)k, dgm_gguf_left(r));
    *tensors = (size_t)t;
    *keys = (size_t)k;
    return DGM_OK;
}

static dgm_status find_alignment(struct dgm_gguf_cursor *r)
{
    const struct dgm_gguf_key *key = dgm_gguf_find_key(r->file, DGM_GGUF_KEY_ALIGNMENT);
    uint32_t value = 32;

    if (key) {
        if (key->is_array || key->type != DGM_GGUF_VALUE_U32)
            return DGM_GGUF_FAIL(r, key->at, DGM_GGUF_KEY_ALIGNMENT " is not of type u32");
        value = dgm_le32(r->file->bytes + key->at);
        if (value < 8 || value > 65536 || (value & (value - 1)) != 0)
            return DGM_GGUF_FAIL(r, key->at,
                                 DGM_GGUF_KEY_ALIGNMENT
                                 " is %u; expected a power of two from 8 to 65536",
                                 (unsigned)value);
    }
    r->file->alignment = value;
    return DGM_OK;
}

/* Bytes from..to-1 are zero. */
static dgm_status check_padding(struct dgm_gguf_cursor *r, size_t from, size_t to)
{
    for (; from < to; from++)
        if (r->file->bytes[from] != 0)
            return DGM_GGUF_FAIL(r, from, "a byte of padding is %d; expected 0",
                                 r->file->bytes[from]);
    return DGM_OK;
}

/* The cursor stands behind the header. Makes offsets absolute; looks at no byte behind it. */
static dgm_status check_layout(struct dgm_gguf_cursor *r)
{
    struct dgm_gguf *file = r->file;
    size_t end, i;

    if (!dgm_size_pad(&file->data, r->at, file->alignment) || file->data > file->size)
        return DGM_GGUF_FAIL(r, r->at, "the file ends before its data section; it is truncated");
    end = file->data;
    for (i = 0; i < file->tensor_count; i++) {
        struct dgm_gguf_tensor *tensor = &file->tensors[i];
        tensor->at = end;
        if (tensor->bytes > file->size - end)
            return DGM_GGUF_FAIL(r, end,
                                 "tensor '%s' (%s) has %zu bytes, but only %zu are left; "
                                 "the file is truncated",
                                 tensor->name, dgm_gguf_type_name(tensor->type), tensor->bytes,
                                 file->size - end);
        end += tensor->bytes;
        /* Padding counts from the data section, which is itself aligned. */
        if (!dgm_size_pad(&end, end, file->alignment) || end > file->size)
            return DGM_GGUF_FAIL(r, file->size,
                                 "the padding of tensor '%s' is missing; the file is truncated",
                                 tensor->name);
    }
    if (end != file->size)
        return DGM_GGUF_FAIL(r, end, "%zu bytes follow the last tensor", file->size - end);
    return DGM_OK;
}

/* What stands between header, tensors and end is zero. */
static dgm_status check_gaps(struct dgm_gguf_cursor *r)
{
    const struct dgm_gguf *file = r->file;
    size_t i;

    DGM_TRY(check_padding(r, r->at, file->data));
    for (i = 0; i < file->tensor_count; i++) {
        const struct dgm_gguf_tensor *tensor = &file->tensors[i];
        size_t next = i + 1 < file->tensor_count ? tensor[1].at : file->size;
        DGM_TRY(check_padding(r, tensor->at + tensor->bytes, next));
    }
    return DGM_OK;
}

static dgm_status check_magic(struct dgm_gguf_cursor *r)
{
    const struct dgm_gguf *file = r->file;
    const char *other = dgm_gguf_recognise(file->bytes, file->size);
    uint32_t version;

    if (other)
        return DGM_GGUF_FAIL(r, 0, "this is %s, not a GGUF file", other);
    if (file->size < DGM_GGUF_HEADER)
        return DGM_GGUF_FAIL(r, 0, "%zu bytes; a GGUF file has at least %d", file->size,
                             DGM_GGUF_HEADER);
    if (dgm_le32(file->bytes) != DGM_GGUF_MAGIC)
        return DGM_GGUF_FAIL(
            r, 0, "not a GGUF file: it begins with %x %x %x %x, not with the letters GGUF",
            file->bytes[0], file->bytes[1], file->bytes[2], file->bytes[3]);
    version = dgm_le32(file->bytes + 4);
    if (version != DGM_GGUF_VERSION)
        return DGM_GGUF_FAIL(r, 4, "GGUF version %u, which is %s; expected version %d",
                             (unsigned)version,
                             version < DGM_GGUF_VERSION ? "too old" : "newer than this program",
                             DGM_GGUF_VERSION);
    return DGM_OK;
}

static dgm_status parse_head(struct dgm_gguf_cursor *r)
{
    size_t tensors = 0, keys = 0;

    DGM_TRY(check_magic(r));
    DGM_TRY(take_counts(r, &tensors, &keys));
    DGM_TRY(dgm_gguf_take_keys(r, keys));
    DGM_TRY(find_alignment(r));
    return take_tensors(r, tensors);
}

/* Points the cursor at the start of `made`, which holds nothing yet. */
static void begin(struct dgm_env *env, struct dgm_gguf_cursor *r, struct dgm_gguf *made,
                  const void *bytes, size_t count, const char *name)
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
    struct dgm_gguf_cursor r;
    dgm_status status;

    begin(env, &r, &made, bytes, count, name);
    status = parse_head(&r);
    if (status == DGM_OK)
        status = check_layout(&r);
    if (status == DGM_OK)
        status = check_gaps(&r);
    if (status != DGM_OK)
        dgm_gguf_clear(env, &made);
    else
        *file = made;
    return status;
}

dgm_status dgm_gguf_parse_head(struct dgm_env *env, struct dgm_gguf *file, const void *bytes,
                               size_t count, size_t total, const char *name, int *is_short)
{
    struct dgm_gguf made;
    struct dgm_gguf_cursor r;
    dgm_status status;

    begin(env, &r, &made, bytes, count, name);
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
    dgm_release(env, file->owned);
    memset(file, 0, sizeof *file);
}
