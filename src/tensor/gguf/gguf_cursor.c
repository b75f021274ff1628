/*
 * gguf_cursor.c: numbers, strings and names of a GGUF header, never past its end.
 */
#include "tensor/gguf/gguf_cursor.h"

#include <string.h>

#include "base/le.h"

size_t dgm_gguf_left(const struct dgm_gguf_cursor *r)
{
    return r->file->size - r->at;
}

int dgm_gguf_has(struct dgm_gguf_cursor *r, uint64_t count)
{
    if (count <= dgm_gguf_left(r))
        return 1;
    r->is_short = 1;
    return 0;
}

static dgm_status need(struct dgm_gguf_cursor *r, uint64_t count, const char *what)
{
    if (dgm_gguf_has(r, count))
        return DGM_OK;
    return DGM_GGUF_FAIL(
        r, r->at, "%s needs %llu bytes, but only %zu are left; the file is truncated or damaged",
        what, (unsigned long long)count, dgm_gguf_left(r));
}

dgm_status dgm_gguf_take_u32(struct dgm_gguf_cursor *r, uint32_t *out, const char *what)
{
    DGM_TRY(need(r, 4, what));
    *out = dgm_le32(r->file->bytes + r->at);
    r->at += 4;
    return DGM_OK;
}

dgm_status dgm_gguf_take_u64(struct dgm_gguf_cursor *r, uint64_t *out, const char *what)
{
    DGM_TRY(need(r, 8, what));
    *out = dgm_le64(r->file->bytes + r->at);
    r->at += 8;
    return DGM_OK;
}

dgm_status dgm_gguf_take_string(struct dgm_gguf_cursor *r, const char **text, size_t *length,
                                size_t limit, const char *what)
{
    size_t start = r->at;
    uint64_t count;

    DGM_TRY(dgm_gguf_take_u64(r, &count, what));
    if (count > limit)
        return DGM_GGUF_FAIL(r, start, "%s of %llu bytes; at most %zu are allowed", what,
                             (unsigned long long)count, limit);
    DGM_TRY(need(r, count, what));
    *text = (const char *)r->file->bytes + r->at;
    *length = (size_t)count;
    r->at += *length;
    return DGM_OK;
}

dgm_status dgm_gguf_take_name(struct dgm_gguf_cursor *r, struct dgm_map *map,
                              char name[DGM_GGUF_NAME + 1], const char *what)
{
    size_t start = r->at, length = 0;
    const char *text = NULL;
    struct dgm_map_entry *entry;
    int is_new;

    DGM_TRY(dgm_gguf_take_string(r, &text, &length, DGM_GGUF_NAME, what));
    if (!dgm_gguf_name_is_good(text, length, DGM_GGUF_NAME))
        return DGM_GGUF_FAIL(r, start, "%s is not printable ASCII of 1 to %d bytes", what,
                             DGM_GGUF_NAME);
    memcpy(name, text, length);
    name[length] = '\0';
    DGM_TRY(dgm_map_insert(r->env, map, text, length, &entry, &is_new));
    if (!is_new)
        return DGM_GGUF_FAIL(r, start, "%s '%s' occurs twice", what, name);
    return DGM_OK;
}
