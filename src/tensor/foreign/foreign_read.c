/*
 * foreign_read.c: the numbers of a tensor, unpacked, compared with its checksum, piece by piece.
 */
#include <math.h>
#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "tensor/foreign/crc32.h"
#include "tensor/foreign/foreign.h"
#include "tensor/foreign/unpack.h"
#include "tensor/half.h"

/* The unpacked bytes of a tensor, from the first one on. */
struct stream {
    const struct dgm_foreign *file; /* which lists the tensor, ... */
    const struct dgm_foreign *home; /* ... and which has its bytes */
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
    stream->home = tensor->shard > 0 ? &file->shards[tensor->shard - 1] : file;
    stream->tensor = tensor;
    stream->at = tensor->at;
    stream->unpack = NULL;
    if (tensor->has_crc)
        dgm_crc32_init(&stream->crc);
    if (!tensor->is_packed)
        return DGM_OK;
    return dgm_unpack_open(env, &stream->unpack, stream->home, tensor->at, tensor->stored);
}

static dgm_status read_stream(struct dgm_env *env, struct stream *stream, unsigned char *out,
                              size_t count)
{
    if (stream->unpack != NULL) {
        DGM_TRY(dgm_unpack_read(env, stream->unpack, out, count));
    } else {
        DGM_TRY(dgm_foreign_bytes_at(env, stream->home, out, stream->at, count));
        stream->at += count;
    }
    if (stream->tensor->has_crc)
        dgm_crc32_add(&stream->crc, out, count);
    return DGM_OK;
}

/* Behind the last number. */
static dgm_status check_end(struct dgm_env *env, const struct stream *stream)
{
    const struct dgm_foreign_tensor *tensor = stream->tensor;

    if (stream->unpack != NULL)
        DGM_TRY(dgm_unpack_end(env, stream->unpack));
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
    dgm_real *scales; /* of whole numbers: what they are divided by, ... */
    size_t per_scale; /* ... so many by each */
};

static int32_t int_of(const unsigned char *bytes, unsigned count)
{
    return count == 1   ? (int8_t)bytes[0]
           : count == 2 ? (int16_t)dgm_le16(bytes)
                        : (int32_t)dgm_le32(bytes);
}

static dgm_real real_of(const unsigned char *bytes, const struct dgm_foreign_type *type)
{
    switch (type->form) {
    case DGM_FOREIGN_INT: return (dgm_real)int_of(bytes, type->bytes);
    case DGM_FOREIGN_F16: return (dgm_real)dgm_half_from_f16(dgm_le16(bytes));
    case DGM_FOREIGN_BF16: return (dgm_real)dgm_half_from_bf16(dgm_le16(bytes));
    case DGM_FOREIGN_F64: return (dgm_real)dgm_le_f64(bytes);
    case DGM_FOREIGN_F32: break;
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
        reading->values[i] = real_of(reading->bytes + i * type->bytes, type);
        if (reading->scales != NULL)
            reading->values[i] /= reading->scales[(first + i) / reading->per_scale];
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
    return check_end(env, &reading->stream);
}

static void take_scales(void *user, size_t first, size_t count, const dgm_real *values)
{
    memcpy((dgm_real *)user + first, values, count * sizeof *values);
}

/* The number behind those of a tensor. */
static dgm_status read_behind(struct dgm_env *env, const struct dgm_foreign *file,
                              const struct dgm_foreign_tensor *tensor, dgm_real *scale)
{
    unsigned char bytes[4];

    DGM_TRY(dgm_foreign_bytes_at(env, file, bytes, tensor->at + tensor->bytes, sizeof bytes));
    *scale = (dgm_real)dgm_le_f32(bytes);
    return DGM_OK;
}

/* What the whole numbers of a tensor are divided by. */
static dgm_status read_scales(struct dgm_env *env, struct reading *reading,
                              const struct dgm_foreign *file,
                              const struct dgm_foreign_tensor *tensor)
{
    const struct dgm_foreign_tensor *scale = &file->tensors[tensor->scale];
    const size_t count = tensor->scaling == DGM_FOREIGN_SCALED ? scale->count : 1;

    if (tensor->scaling == DGM_FOREIGN_UNSCALED)
        return DGM_OK;
    reading->scales = dgm_resize(env, NULL, count, sizeof *reading->scales);
    if (reading->scales == NULL)
        return DGM_MEMORY;
    reading->scales[0] = 1000;
    reading->per_scale = tensor->count / count;
    return tensor->scaling == DGM_FOREIGN_SCALED
               ? dgm_foreign_read(env, file, scale, take_scales, reading->scales)
           : tensor->scaling == DGM_FOREIGN_SCALED_BEHIND
               ? read_behind(env, file, tensor, reading->scales)
               : DGM_OK;
}

dgm_status dgm_foreign_read(struct dgm_env *env, const struct dgm_foreign *file,
                            const struct dgm_foreign_tensor *tensor, dgm_foreign_fn *fn, void *user)
{
    struct reading *reading;
    dgm_status status;

    if (tensor->type->form == DGM_FOREIGN_INT && tensor->scaling == DGM_FOREIGN_UNSCALED)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tensor \"%s\" has numbers of type %s; expected F32, F16, BF16 or F64",
                           dgm_foreign_name(file, tensor), tensor->type->name);
    reading = dgm_resize(env, NULL, 1, sizeof *reading);
    if (reading == NULL)
        return DGM_MEMORY;
    reading->scales = NULL;
    DGM_TRY_OUT(read_scales(env, reading, file, tensor));
    DGM_TRY_OUT(open_stream(env, &reading->stream, file, tensor));
    status = read_pieces(env, reading, fn, user);
    dgm_unpack_close(env, reading->stream.unpack);
out:
    dgm_release(env, reading->scales);
    dgm_release(env, reading);
    return status;
}

dgm_status dgm_foreign_number(struct dgm_env *env, const struct dgm_foreign *file,
                              const struct dgm_foreign_tensor *tensor, double *value)
{
    unsigned char bytes[8];

    if (tensor->count != 1 || tensor->bytes > (tensor->type->form == DGM_FOREIGN_INT ? 4 : 8))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tensor \"%s\" is not one number; expected one",
                           dgm_foreign_name(file, tensor));
    DGM_TRY(dgm_foreign_read_bytes(env, file, tensor, bytes));
    *value = (double)real_of(bytes, tensor->type);
    return DGM_OK;
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
        status = check_end(env, &reading->stream);
    dgm_unpack_close(env, reading->stream.unpack);
out:
    dgm_release(env, reading);
    return status;
}
