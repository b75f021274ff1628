/*
 * gguf_fetch.c: tensors of a file of which only the head is in memory, one at a time.
 *
 * A tensor comes in pieces that the second cache holds: each is read, added to the checksum, turned
 * into numbers and looked at while it is there. The file is read, not mapped: a mapped model would
 * change, or end the program, with a file that somebody writes to while it is in use.
 */
#include "tensor/gguf/gguf_fetch.h"

#include <string.h>

#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "config.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"

/* Bytes of a piece: whole numbers of every type, q8_0's blocks of 34 among them. */
enum { PIECE = 34 * 8192 };

/* A tensor on its way. */
struct fetch {
    const struct dgm_gguf *file;
    const struct dgm_gguf_tensor *tensor;
    const struct dgm_gguf_type_rule *rule;
    dgm_real *out;
    unsigned char *buffer; /* (PIECE); NULL: bytes go straight to `out` */
    struct dgm_hash hash;
    size_t bad; /* the first number that is not finite, or tensor->count */
};

/* Whether the numbers of a file are those of this machine. */
static int is_native(const struct fetch *fetch)
{
#ifdef DGM_BIG_ENDIAN
    (void)fetch;
    return 0;
#else
    return fetch->tensor->type == DGM_GGUF_F32 && sizeof(dgm_real) == 4;
#endif
}

/* The numbers of a piece, from byte `at` of the tensor on. */
static void take_numbers(struct fetch *fetch, const unsigned char *bytes, size_t at, size_t count)
{
    const size_t first = at / fetch->rule->bytes * fetch->rule->block;
    const size_t numbers = count / fetch->rule->bytes * fetch->rule->block;
    size_t bad;

    if (fetch->buffer != NULL)
        dgm_gguf_convert(fetch->out + first, bytes, fetch->tensor->type, numbers);
    if (fetch->bad < fetch->tensor->count)
        return;
    bad = dgm_gguf_find_bad(fetch->out + first, numbers);
    if (bad < numbers)
        fetch->bad = first + bad;
}

static dgm_status take_pieces(struct dgm_env *env, struct fetch *fetch)
{
    const struct dgm_gguf_tensor *tensor = fetch->tensor;

    for (size_t at = 0, count; at < tensor->bytes; at += count) {
        unsigned char *bytes =
            fetch->buffer != NULL ? fetch->buffer : (unsigned char *)fetch->out + at;

        count = tensor->bytes - at < PIECE ? tensor->bytes - at : PIECE;
        DGM_TRY(dgm_gguf_read_range(env, fetch->file, bytes, tensor->at + at, count));
        dgm_hash_add(&fetch->hash, bytes, count);
        if (fetch->out != NULL)
            take_numbers(fetch, bytes, at, count);
    }
    return DGM_OK;
}

static dgm_status check_sum(struct dgm_env *env, const struct fetch *fetch)
{
    const struct dgm_gguf *file = fetch->file;
    const struct dgm_gguf_key *key = dgm_gguf_find_key(file, DGM_GGUF_KEY_TENSORS);
    const size_t i = (size_t)(fetch->tensor - file->tensors);

    if (key != NULL && dgm_hash_value(&fetch->hash) != dgm_le64(file->bytes + key->first + 8 * i))
        return dgm_gguf_fail_sum(env, file, fetch->tensor);
    return DGM_OK;
}

static dgm_status check_padding(struct dgm_env *env, const struct fetch *fetch)
{
    const struct dgm_gguf_tensor *tensor = fetch->tensor;
    const struct dgm_gguf *file = fetch->file;
    const size_t end = tensor->at + tensor->bytes;
    const size_t i = (size_t)(tensor - file->tensors);
    size_t left = (i + 1 < file->tensor_count ? tensor[1].at : file->size) - end;

    for (size_t from = end; left > 0;) {
        unsigned char bytes[64];
        const size_t count = left < sizeof bytes ? left : sizeof bytes;

        DGM_TRY(dgm_gguf_read_range(env, file, bytes, from, count));
        DGM_TRY(dgm_gguf_check_padding(env, file, bytes, from, count));
        from += count;
        left -= count;
    }
    return DGM_OK;
}

dgm_status dgm_gguf_fetch(struct dgm_env *env, const struct dgm_gguf *file, size_t i, dgm_real *out)
{
    const struct dgm_gguf_tensor *tensor = &file->tensors[i];
    struct fetch fetch = { .file = file, .tensor = tensor, .out = out, .bad = tensor->count };
    dgm_status status;

    if (out != NULL)
        DGM_TRY(dgm_gguf_check_reals(env, file, tensor));
    fetch.rule = dgm_gguf_type_find((uint32_t)tensor->type);
    dgm_hash_init(&fetch.hash, 0);
    if (out == NULL || !is_native(&fetch)) {
        fetch.buffer = dgm_resize(env, NULL, PIECE, 1);
        if (fetch.buffer == NULL)
            return DGM_MEMORY;
    }
    DGM_TRY_OUT(take_pieces(env, &fetch));
    DGM_TRY_OUT(check_sum(env, &fetch));
    DGM_TRY_OUT(check_padding(env, &fetch));
    if (fetch.bad < tensor->count)
        status = dgm_gguf_fail_finite(env, file, tensor, fetch.bad, out[fetch.bad]);
out:
    dgm_release(env, fetch.buffer);
    return status;
}
