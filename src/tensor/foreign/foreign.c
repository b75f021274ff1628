/*
 * foreign.c: a file of another program: its bytes, and the list of its tensors.
 */
#include "tensor/foreign/foreign.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_rules.h"

enum { MOST_NAME = 255 };

void dgm_foreign_clear(struct dgm_env *env, struct dgm_foreign *file)
{
    for (size_t i = 0; i < file->shard_count; i++)
        dgm_foreign_clear(env, &file->shards[i]);
    dgm_release(env, file->shards);
    dgm_release(env, file->tensors);
    dgm_map_clear(env, &file->names);
    if (file->fd > 2)
        dgm_file_close(env, file->fd);
    memset(file, 0, sizeof *file);
    file->fd = -1;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static dgm_status read_file(struct dgm_env *env, const struct dgm_foreign *file, unsigned char *to,
                            uint64_t from, size_t left)
{
    size_t got;

    if (dgm_file_read_at(env, file->fd, to, left, (long long)from, &got) != 0)
        return dgm_file_fail(env, DGM_MODEL, file->name, NULL);
    return got == left ? DGM_OK
                       : dgm_fail_byte(env, DGM_MODEL, file->name, (long long)(from + got),
                                       "the file became shorter while it was read");
}

dgm_status dgm_foreign_bytes_at(struct dgm_env *env, const struct dgm_foreign *file, void *out,
                                uint64_t from, size_t count)
{
    if (from > file->size || count > file->size - from)
        return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)file->size,
                             "the file ends here; expected %zu bytes from byte %llu on", count,
                             (unsigned long long)from);
    if (file->fd >= 0)
        return read_file(env, file, out, from, count);
    if (count > 0)
        memcpy(out, file->bytes + from, count);
    return DGM_OK;
}

/* ---- names and shapes ----------------------------------------------------------------------- */

const struct dgm_foreign_tensor *dgm_foreign_find(const struct dgm_foreign *file, const char *name)
{
    const struct dgm_map_entry *entry = dgm_map_find(&file->names, name, strlen(name));

    return entry != NULL ? &file->tensors[entry - file->names.entries] : NULL;
}

const char *dgm_foreign_name(const struct dgm_foreign *file,
                             const struct dgm_foreign_tensor *tensor)
{
    return dgm_map_key(&file->names, &file->names.entries[tensor - file->tensors]);
}

void dgm_foreign_shape(char *out, const struct dgm_foreign_tensor *tensor)
{
    size_t used = 0;

    for (int i = 0; i < tensor->rank; i++)
        used += (size_t)snprintf(out + used, DGM_FOREIGN_SHAPE - used, "%s%llu",
                                 i == 0 ? "(" : ", ", (unsigned long long)tensor->dims[i]);
    snprintf(out + used, DGM_FOREIGN_SHAPE - used, "%s", tensor->rank == 0 ? "()" : ")");
}

dgm_status dgm_foreign_fail_type(struct dgm_env *env, const struct dgm_foreign *file,
                                 const char *tensor, const char *type, size_t length)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, type, length);
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "tensor \"%s\" has numbers of type \"%s\"; expected little-endian floats or "
                       "integers",
                       tensor, quoted);
}

static dgm_status measure(struct dgm_env *env, const struct dgm_foreign *file,
                          struct dgm_foreign_tensor *tensor, const char *name)
{
    char shape[DGM_FOREIGN_SHAPE];
    size_t count = 1;
    int fits = 1;

    for (int i = 0; i < tensor->rank; i++)
        fits &= tensor->dims[i] > 0 && dgm_size_mul(&count, count, tensor->dims[i]);
    fits = fits && dgm_size_mul(&tensor->bytes, count, tensor->type->bytes);
    tensor->count = count;
    dgm_foreign_shape(shape, tensor);
    return fits ? DGM_OK
                : dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                              "tensor \"%s\" has the shape %s; expected one with numbers that fit "
                              "in memory",
                              name, shape);
}

dgm_status dgm_foreign_add(struct dgm_env *env, struct dgm_foreign *file,
                           struct dgm_foreign_tensor *tensor, const char *name, size_t length)
{
    struct dgm_map_entry *entry;
    char quoted[DGM_QUOTE_SIZE];
    int is_new;

    dgm_quote(quoted, sizeof quoted, name, length);
    if (!dgm_gguf_name_is_good(name, length, MOST_NAME))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "a tensor is called \"%s\"; expected at most %d bytes of printable "
                           "ASCII without blanks",
                           quoted, (int)MOST_NAME);
    if (file->count >= DGM_FOREIGN_COUNT)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "more than %d tensors",
                           DGM_FOREIGN_COUNT);
    DGM_TRY(measure(env, file, tensor, quoted));
    DGM_TRY(dgm_grow(env, &file->tensors, &file->capacity, file->count, sizeof *file->tensors));
    DGM_TRY(dgm_map_insert(env, &file->names, name, length, &entry, &is_new));
    if (!is_new)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tensor \"%s\" stands there twice; expected names that differ", quoted);
    file->tensors[file->count++] = *tensor;
    return DGM_OK;
}
