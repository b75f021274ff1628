/*
 * gguf_fetch.c: tensors of a file of which only the head is in memory, one at a time.
 *
 * A tensor comes in pieces that the second cache holds: each is read, added to the checksum, turned
 * into numbers and looked at while it is there. The file is read, not mapped: a mapped model would
 * change, or end the program, with a file that somebody writes to while it is in use.
 */
#include "tensor/gguf/gguf_fetch.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "config.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"

/* Bytes of a piece: whole numbers of every type, q8_0's blocks of 34 among them. */
enum { PIECE = 34 * 8192 };

/* Rows of a matrix that devices like to take at a time: a multiple of the panels of all of them,
 * which are powers of two. */
enum { ROWS = 64 };

/* A tensor on its way. */
struct fetch {
    const struct dgm_gguf *file;
    const struct dgm_gguf_tensor *tensor;
    const struct dgm_gguf_type_rule *rule;
    dgm_real *out;         /* all numbers, or those of a piece */
    unsigned char *buffer; /* bytes of a piece; NULL: they go straight to `out` */
    size_t piece;          /* bytes, a multiple of the type's blocks */
    dgm_gguf_rows_fn *fn;  /* NULL: `out` has room for all numbers */
    void *user;
    struct dgm_hash hash;
    size_t bad; /* the first number that is not finite, or tensor->count */
    dgm_real bad_value;
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
    const size_t cols = fetch->tensor->dims[1];
    dgm_real *out = fetch->fn != NULL ? fetch->out : fetch->out + first;
    size_t bad;

    if (fetch->buffer != NULL)
        dgm_gguf_convert(out, bytes, fetch->tensor->type, numbers);
    if (fetch->bad < fetch->tensor->count)
        return;
    bad = dgm_gguf_find_bad(out, numbers);
    if (bad < numbers) {
        fetch->bad = first + bad;
        fetch->bad_value = out[bad];
    } else if (fetch->fn != NULL) {
        fetch->fn(fetch->user, (int64_t)(first / cols), (int64_t)(numbers / cols), out);
    }
}

/* Where the bytes of a piece are read to, from byte `at` of the tensor on. */
static unsigned char *place_of(const struct fetch *fetch, size_t at)
{
    if (fetch->buffer != NULL)
        return fetch->buffer;
    return (unsigned char *)fetch->out + (fetch->fn != NULL ? 0 : at);
}

static dgm_status take_pieces(struct dgm_env *env, struct fetch *fetch)
{
    const struct dgm_gguf_tensor *tensor = fetch->tensor;

    for (size_t at = 0, count; at < tensor->bytes; at += count) {
        unsigned char *bytes = place_of(fetch, at);

        count = tensor->bytes - at < fetch->piece ? tensor->bytes - at : fetch->piece;
        DGM_TRY(dgm_gguf_read_range(env, fetch->file, bytes, tensor->at + at, count));
        if (!fetch->file->is_trusted)
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

    if (key != NULL && !file->is_trusted &&
        dgm_hash_value(&fetch->hash) != dgm_le64(file->bytes + key->first + 8 * i))
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

static dgm_status fetch_all(struct dgm_env *env, struct fetch *fetch)
{
    const struct dgm_gguf_tensor *tensor = fetch->tensor;
    dgm_status status;

    fetch->bad = tensor->count;
    dgm_hash_init(&fetch->hash, 0);
    if (fetch->out == NULL || !is_native(fetch)) {
        fetch->buffer = dgm_resize(env, NULL, fetch->piece, 1);
        if (fetch->buffer == NULL)
            return DGM_MEMORY;
    }
    DGM_TRY_OUT(take_pieces(env, fetch));
    DGM_TRY_OUT(check_sum(env, fetch));
    DGM_TRY_OUT(check_padding(env, fetch));
    if (fetch->bad < tensor->count)
        status = dgm_gguf_fail_finite(env, fetch->file, tensor, fetch->bad, fetch->bad_value);
out:
    dgm_release(env, fetch->buffer);
    return status;
}

static struct fetch begin(const struct dgm_gguf *file, size_t i)
{
    struct fetch fetch = { .file = file, .tensor = &file->tensors[i], .piece = PIECE };

    fetch.rule = dgm_gguf_type_find((uint32_t)fetch.tensor->type);
    return fetch;
}

dgm_status dgm_gguf_fetch(struct dgm_env *env, const struct dgm_gguf *file, size_t i, dgm_real *out)
{
    struct fetch fetch = begin(file, i);

    if (out != NULL)
        DGM_TRY(dgm_gguf_check_reals(env, file, fetch.tensor));
    fetch.out = out;
    return fetch_all(env, &fetch);
}

/* Whole rows, about as many as a piece has, in bunches of ROWS; of half as many, and so on, where
 * rows are long: every piece begins where most panels do. */
static size_t rows_of_piece(const struct fetch *fetch)
{
    const size_t row = fetch->tensor->bytes / fetch->tensor->dims[0];
    const size_t rows = row < PIECE ? PIECE / row : 1;
    size_t bunch = ROWS;

    while (bunch > rows)
        bunch /= 2;
    return rows / bunch * bunch;
}

dgm_status dgm_gguf_fetch_rows(struct dgm_env *env, const struct dgm_gguf *file, size_t i,
                               dgm_gguf_rows_fn *fn, void *user)
{
    struct fetch fetch = begin(file, i);
    const size_t cols = fetch.tensor->dims[1];
    size_t rows;
    dgm_status status;

    assert(fetch.tensor->rank == 2);
    DGM_TRY(dgm_gguf_check_reals(env, file, fetch.tensor));
    rows = rows_of_piece(&fetch);
    fetch.piece = rows * (fetch.tensor->bytes / fetch.tensor->dims[0]);
    fetch.fn = fn;
    fetch.user = user;
    fetch.out = dgm_resize(env, NULL, rows * cols, sizeof *fetch.out);
    if (fetch.out == NULL)
        return DGM_MEMORY;
    status = fetch_all(env, &fetch);
    dgm_release(env, fetch.out);
    return status;
}
