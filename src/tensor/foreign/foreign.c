/*
 * foreign.c: opening the files of other programs, and their numbers, piece by piece.
 */
#include "tensor/foreign/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/vfs.h"
#include "base/le.h"
#include "base/mem.h"
#include "tensor/foreign/crc32.h"
#include "tensor/foreign/unpack.h"
#include "tensor/gguf/gguf_rules.h"
#include "tensor/half.h"

enum { MOST_NAME = 255 };

/* ---- bytes ---------------------------------------------------------------------------------- */

static dgm_status read_file(struct dgm_env *env, const struct dgm_foreign *file, unsigned char *to,
                            uint64_t from, size_t left)
{
    const size_t most = (size_t)1 << 30;

    while (left > 0) {
        long got = env->vfs->pread(env->vfs->user, file->fd, to, left < most ? left : most,
                                   (long long)from);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return dgm_file_fail(env, DGM_MODEL, file->name, NULL);
        if (got == 0)
            return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)from,
                                 "the file became shorter while it was read");
        to += got;
        from += (uint64_t)got;
        left -= (size_t)got;
    }
    return DGM_OK;
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

/* The unpacked bytes of a tensor, from the first one on. */
struct stream {
    const struct dgm_foreign *file;
    const struct dgm_foreign_tensor *tensor;
    uint64_t at; /* of bytes that are not packed */
    struct dgm_unpack *unpack;
    struct dgm_crc32 crc;
};

static dgm_status open_stream(struct dgm_env *env, struct stream *stream,
                              const struct dgm_foreign *file,
                              const struct dgm_foreign_tensor *tensor)
{
    stream->file = file;
    stream->tensor = tensor;
    stream->at = tensor->at;
    stream->unpack = NULL;
    if (tensor->has_crc)
        dgm_crc32_init(&stream->crc);
    if (!tensor->is_packed)
        return DGM_OK;
    return dgm_unpack_open(env, &stream->unpack, file, tensor->at, tensor->stored);
}

static dgm_status read_stream(struct dgm_env *env, struct stream *stream, unsigned char *out,
                              size_t count)
{
    if (stream->unpack != NULL) {
        DGM_TRY(dgm_unpack_read(env, stream->unpack, out, count));
    } else {
        DGM_TRY(dgm_foreign_bytes_at(env, stream->file, out, stream->at, count));
        stream->at += count;
    }
    if (stream->tensor->has_crc)
        dgm_crc32_add(&stream->crc, out, count);
    return DGM_OK;
}

static dgm_status check_crc(struct dgm_env *env, const struct stream *stream)
{
    const struct dgm_foreign_tensor *tensor = stream->tensor;

    if (!tensor->has_crc || dgm_crc32_value(&stream->crc) == tensor->crc)
        return DGM_OK;
    return dgm_fail_byte(env, DGM_MODEL, stream->file->name, (long long)tensor->at,
                         "tensor \"%s\" has the checksum %08x; expected %08x (damaged file)",
                         dgm_foreign_name(stream->file, tensor), dgm_crc32_value(&stream->crc),
                         tensor->crc);
}

dgm_status dgm_foreign_begin_at(struct dgm_env *env, const struct dgm_foreign *file,
                                const struct dgm_foreign_tensor *tensor, void *out, size_t count)
{
    struct stream stream;
    dgm_status status;

    DGM_TRY(open_stream(env, &stream, file, tensor));
    status = read_stream(env, &stream, out, count);
    dgm_unpack_close(env, stream.unpack);
    return status;
}

/* ---- numbers -------------------------------------------------------------------------------- */

enum { PIECE = 8192 }; /* numbers */

/* A tensor on its way. */
struct reading {
    struct stream stream;
    unsigned char bytes[PIECE * 8];
    dgm_real values[PIECE];
};

static dgm_real real_of(const unsigned char *bytes, enum dgm_foreign_form form)
{
    switch (form) {
    case DGM_FOREIGN_F16: return (dgm_real)dgm_half_from_f16(dgm_le16(bytes));
    case DGM_FOREIGN_BF16: return (dgm_real)dgm_half_from_bf16(dgm_le16(bytes));
    case DGM_FOREIGN_F64: return (dgm_real)dgm_le_f64(bytes);
    case DGM_FOREIGN_F32:
    case DGM_FOREIGN_INT: break;
    }
    return (dgm_real)dgm_le_f32(bytes);
}

static dgm_status fail_finite(struct dgm_env *env, const struct reading *reading, size_t number)
{
    return dgm_fail_at(env, DGM_MODEL, reading->stream.file->name, 0, 0,
                       "tensor \"%s\": number %zu is NaN, infinite or too large; expected a finite "
                       "one",
                       dgm_foreign_name(reading->stream.file, reading->stream.tensor), number);
}

static dgm_status read_piece(struct dgm_env *env, struct reading *reading, size_t first,
                             size_t count)
{
    const struct dgm_foreign_type *type = reading->stream.tensor->type;

    DGM_TRY(read_stream(env, &reading->stream, reading->bytes, count * type->bytes));
    for (size_t i = 0; i < count; i++) {
        reading->values[i] = real_of(reading->bytes + i * type->bytes, type->form);
        if (!isfinite(reading->values[i]))
            return fail_finite(env, reading, first + i);
    }
    return DGM_OK;
}

static dgm_status skip_head(struct dgm_env *env, struct reading *reading)
{
    size_t left = reading->stream.tensor->skip, piece;

    for (; left > 0; left -= piece) {
        piece = left < sizeof reading->bytes ? left : sizeof reading->bytes;
        DGM_TRY(read_stream(env, &reading->stream, reading->bytes, piece));
    }
    return DGM_OK;
}

static dgm_status read_pieces(struct dgm_env *env, struct reading *reading, dgm_foreign_fn *fn,
                              void *user)
{
    const size_t total = reading->stream.tensor->count;

    DGM_TRY(skip_head(env, reading));
    for (size_t first = 0, count; first < total; first += count) {
        count = total - first < PIECE ? total - first : PIECE;
        DGM_TRY(read_piece(env, reading, first, count));
        fn(user, first, count, reading->values);
        DGM_TRY(dgm_poll(env));
    }
    return check_crc(env, &reading->stream);
}

dgm_status dgm_foreign_read(struct dgm_env *env, const struct dgm_foreign *file,
                            const struct dgm_foreign_tensor *tensor, dgm_foreign_fn *fn, void *user)
{
    struct reading *reading;
    dgm_status status;

    if (tensor->type->form == DGM_FOREIGN_INT)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tensor \"%s\" has numbers of type %s; expected F32, F16, BF16 or F64",
                           dgm_foreign_name(file, tensor), tensor->type->name);
    reading = dgm_resize(env, NULL, 1, sizeof *reading);
    if (reading == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(open_stream(env, &reading->stream, file, tensor));
    status = read_pieces(env, reading, fn, user);
    dgm_unpack_close(env, reading->stream.unpack);
out:
    dgm_release(env, reading);
    return status;
}

dgm_status dgm_foreign_read_bytes(struct dgm_env *env, const struct dgm_foreign *file,
                                  const struct dgm_foreign_tensor *tensor, unsigned char *out)
{
    struct reading *reading = dgm_resize(env, NULL, 1, sizeof *reading);
    dgm_status status;

    if (reading == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(open_stream(env, &reading->stream, file, tensor));
    status = skip_head(env, reading);
    if (status == DGM_OK)
        status = read_stream(env, &reading->stream, out, tensor->bytes);
    if (status == DGM_OK)
        status = check_crc(env, &reading->stream);
    dgm_unpack_close(env, reading->stream.unpack);
out:
    dgm_release(env, reading);
    return status;
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

/* ---- opening -------------------------------------------------------------------------------- */

void dgm_foreign_clear(struct dgm_env *env, struct dgm_foreign *file)
{
    dgm_release(env, file->tensors);
    dgm_map_clear(env, &file->names);
    if (file->fd > 2)
        dgm_file_close(env, file->fd);
    memset(file, 0, sizeof *file);
    file->fd = -1;
}

static dgm_status list(struct dgm_env *env, struct dgm_foreign *file)
{
    unsigned char head[9] = { 0 };

    if (file->size < sizeof head)
        return dgm_fail_byte(env, DGM_MODEL, file->name, 0,
                             "%llu bytes; expected an archive of NumPy (.npz) or a safetensors "
                             "file",
                             (unsigned long long)file->size);
    DGM_TRY(dgm_foreign_bytes_at(env, file, head, 0, sizeof head));
    if (memcmp(head, "PK\3\4", 4) == 0)
        return dgm_npz_list(env, file);
    if (head[8] == '{') /* behind eight bytes of length */
        return dgm_safetensors_list(env, file);
    return dgm_fail_byte(env, DGM_MODEL, file->name, 0,
                         "neither an archive of NumPy (.npz) nor a safetensors file; expected one "
                         "of them");
}

static void begin(struct dgm_foreign *file, const char *name)
{
    memset(file, 0, sizeof *file);
    snprintf(file->name, sizeof file->name, "%s", name);
    file->fd = -1;
}

dgm_status dgm_foreign_open_memory(struct dgm_env *env, struct dgm_foreign *file, const void *bytes,
                                   size_t size, const char *name)
{
    dgm_status status;

    begin(file, name);
    file->bytes = bytes;
    file->size = size;
    status = list(env, file);
    if (status != DGM_OK)
        dgm_foreign_clear(env, file);
    return status;
}

static dgm_status open_path(struct dgm_env *env, struct dgm_foreign *file, const char *path)
{
    long long size = 0;
    int is_regular = 0;

    do /* without O_NONBLOCK a pipe would wait for its writer before it could be refused */
        file->fd = env->vfs->open(env->vfs->user, path, O_RDONLY | O_NONBLOCK, 0);
    while (file->fd < 0 && errno == EINTR);
    if (file->fd < 0 || env->vfs->size(env->vfs->user, file->fd, &size, &is_regular) != 0)
        return dgm_file_fail(env, DGM_MODEL, path, "expected a file of weights");
    if (!is_regular || size < 0)
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0, "not a regular file");
    file->size = (uint64_t)size;
    return list(env, file);
}

dgm_status dgm_foreign_open(struct dgm_env *env, struct dgm_foreign *file, const char *path)
{
    dgm_status status;

    begin(file, path);
    status = open_path(env, file, path);
    if (status != DGM_OK)
        dgm_foreign_clear(env, file);
    return status;
}
