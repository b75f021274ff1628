/*
 * gguf_keys.c: reads the key/value pairs of a GGUF file.
 *
 * Values stay where they are; a table says where. Only arrays of strings get an index,
 * one number for every eight bytes or more that are seen to be there.
 */
#include "base/le.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_cursor.h"

static dgm_status take_text(struct dgm_gguf_cursor *r, const char *name)
{
    size_t start = r->at, length = 0;
    const char *text = NULL;

    DGM_TRY(dgm_gguf_take_string(r, &text, &length, DGM_GGUF_STRING, "string"));
    if (!dgm_gguf_text_is_good(text, length))
        return DGM_GGUF_FAIL(r, start, "the text of key '%s' is not UTF-8, or holds a NUL", name);
    return DGM_OK;
}

/* `count` values of fixed size. */
static dgm_status take_values(struct dgm_gguf_cursor *r, const struct dgm_gguf_key *key,
                              const char *name)
{
    size_t size = dgm_gguf_value_bytes((uint32_t)key->type), i;
    const unsigned char *p = r->file->bytes + r->at;

    if (!dgm_gguf_has(r, (uint64_t)key->count * size)) /* count is a number of bytes seen */
        return DGM_GGUF_FAIL(r, r->at,
                             "key '%s' has %zu values of %zu bytes, but only %zu bytes are left",
                             name, key->count, size, dgm_gguf_left(r));
    if (key->type == DGM_GGUF_VALUE_BOOL)
        for (i = 0; i < key->count; i++)
            if (p[i] > 1)
                return DGM_GGUF_FAIL(r, r->at + i, "key '%s': a bool is 0 or 1, not %d", name,
                                     p[i]);
    r->at += key->count * size;
    return DGM_OK;
}

static dgm_status take_strings(struct dgm_gguf_cursor *r, struct dgm_gguf_key *key,
                               const char *name)
{
    size_t i;

    if (!dgm_gguf_has(r, (uint64_t)key->count * 8))
        return DGM_GGUF_FAIL(r, r->at, "key '%s' has %zu strings, but only %zu bytes are left",
                             name, key->count, dgm_gguf_left(r));
    key->strings = dgm_alloc(r->env, key->count, sizeof *key->strings);
    if (!key->strings)
        return DGM_MEMORY;
    for (i = 0; i < key->count; i++) {
        key->strings[i] = r->at;
        DGM_TRY(take_text(r, name));
    }
    return DGM_OK;
}

static dgm_status take_array_head(struct dgm_gguf_cursor *r, struct dgm_gguf_key *key,
                                  uint32_t *type, const char *name)
{
    size_t start = r->at;
    uint64_t count;

    DGM_TRY(dgm_gguf_take_u32(r, type, "array"));
    if (*type == DGM_GGUF_VALUE_ARRAY)
        return DGM_GGUF_FAIL(r, start, "key '%s' is an array of arrays, which is not supported",
                             name);
    start = r->at;
    DGM_TRY(dgm_gguf_take_u64(r, &count, "array"));
    if (!dgm_gguf_has(r, count)) /* every item takes a byte at least */
        return DGM_GGUF_FAIL(r, start, "key '%s' has %llu values, but only %zu bytes are left",
                             name, (unsigned long long)count, dgm_gguf_left(r));
    key->count = (size_t)count;
    key->is_array = 1;
    return DGM_OK;
}

static dgm_status take_key(struct dgm_gguf_cursor *r, struct dgm_gguf_key *key)
{
    char name[DGM_GGUF_NAME + 1];
    size_t start;
    uint32_t type;

    DGM_TRY(dgm_gguf_take_name(r, &r->file->key_map, name, "key"));
    start = r->at;
    DGM_TRY(dgm_gguf_take_u32(r, &type, "type of a key"));
    key->at = r->at;
    key->count = 1;
    if (type == DGM_GGUF_VALUE_ARRAY)
        DGM_TRY(take_array_head(r, key, &type, name));
    if (type > DGM_GGUF_VALUE_F64)
        return DGM_GGUF_FAIL(r, start, "key '%s' has values of unknown type %u; expected 0 to 12",
                             name, (unsigned)type);
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

dgm_status dgm_gguf_take_keys(struct dgm_gguf_cursor *r, size_t count)
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
