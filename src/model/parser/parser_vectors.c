/*
 * parser_vectors.c: pretrained word vectors of a parser.
 */
#include "model/parser/parser_vectors.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "data/vectors/vector_file.h"
#include "model/file/vocab_file.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_write.h"
#include "tensor/half.h"

#define WORDS "dragoman.parser.vectors.words"
#define DIM "dragoman.parser.vectors.dim"
#define NUMBERS "dragoman.parser.vectors.numbers"
#define MATRIX "parser.vectors.weight"

/* ---- text ------------------------------------------------------------------------------------ */

/* Of words and numbers: the keys of a model file, all together, have DGM_BUF_LIMIT. */
#define MOST_BYTES ((double)(DGM_BUF_LIMIT / 8 * 7))
#define BESIDE_A_WORD 9 /* bytes: its length, and an end that a file may give it */

/* Vectors that are being read. */
struct reading {
    const char *path;
    struct dgm_word_vectors *vectors;
    double bytes; /* that they have in a model file */
};

static dgm_status check_size(struct dgm_env *env, struct reading *reading, size_t bytes,
                             int64_t dim)
{
    reading->bytes += (double)bytes + BESIDE_A_WORD + 2.0 * (double)dim;
    if (reading->bytes <= MOST_BYTES)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, reading->path, 0, 0,
                       "no model file has room for more than %lld of these words, of %lld numbers "
                       "each; expected a smaller --vectors-limit",
                       (long long)dgm_word_vectors_rows(reading->vectors), (long long)dim);
}

static dgm_status take(struct dgm_env *env, void *user, const char *word, size_t bytes,
                       const double *numbers, int64_t dim)
{
    struct reading *reading = user;
    struct dgm_word_vectors *vectors = reading->vectors;
    uint16_t *row;

    if (vectors->dim == 0)
        DGM_TRY(dgm_word_vectors_init(env, vectors, dim));
    if (dgm_map_find(&vectors->words.map, word, bytes) != NULL) /* a special token */
        return DGM_OK;
    DGM_TRY(check_size(env, reading, bytes, dim));
    DGM_TRY(dgm_word_vectors_add(env, vectors, word, bytes, &row));
    for (int64_t i = 0; i < dim; i++)
        row[i] = dgm_half_to_f16((float)numbers[i]);
    return DGM_OK;
}

dgm_status dgm_parser_vectors_read(struct dgm_env *env, struct dgm_word_vectors *vectors,
                                   const char *path, int64_t limit)
{
    struct reading reading = { path, vectors, 0 };
    dgm_status status =
        dgm_vector_file_read(env, path, limit, DGM_WORD_VECTORS_MOST, take, &reading);

    if (status == DGM_OK && dgm_word_vectors_rows(vectors) == 0)
        status = dgm_fail_at(env, DGM_DATA, path, 0, 0,
                             "no words but special tokens; expected vectors of words");
    if (status != DGM_OK)
        dgm_word_vectors_clear(env, vectors);
    return status;
}

/* ---- model files ----------------------------------------------------------------------------- */

static dgm_status fail_key(struct dgm_env *env, const struct dgm_gguf *file, const char *key,
                           const char *expected)
{
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "key %s: expected %s", key, expected);
}

/* An infinity or a NaN would be in every sum that follows. */
static int is_finite(uint16_t half)
{
    return (half & 0x7c00) != 0x7c00;
}

static dgm_status load_numbers(struct dgm_env *env, struct dgm_word_vectors *vectors,
                               const struct dgm_gguf *file)
{
    size_t bytes, count;
    const struct dgm_gguf_key *key = dgm_gguf_ints(file, NUMBERS, &bytes);
    const unsigned char *from;

    if (key == NULL || key->type != DGM_GGUF_VALUE_U8 || bytes % 2 != 0 ||
        !dgm_size_mul(&count, (size_t)dgm_word_vectors_rows(vectors), (size_t)vectors->dim) ||
        bytes / 2 != count)
        return fail_key(env, file, NUMBERS, "two bytes for each number of each word");
    DGM_TRY(
        dgm_reserve(env, &vectors->numbers, &vectors->capacity, count, sizeof *vectors->numbers));
    from = file->bytes + key->at + key->bytes - bytes;
    for (size_t i = 0; i < count; i++) {
        vectors->numbers[i] = (uint16_t)(from[2 * i] | from[2 * i + 1] << 8);
        if (!is_finite(vectors->numbers[i]))
            return fail_key(env, file, NUMBERS, "finite numbers");
    }
    return DGM_OK;
}

static dgm_status load(struct dgm_env *env, struct dgm_word_vectors *vectors,
                       const struct dgm_gguf *file)
{
    DGM_TRY(dgm_vocab_from_gguf(env, &vectors->words, file, WORDS));
    if (!dgm_gguf_int(file, DIM, &vectors->dim) || vectors->dim < 1 ||
        vectors->dim > DGM_WORD_VECTORS_DIM)
        return fail_key(env, file, DIM, "how many numbers a word has");
    if (dgm_word_vectors_rows(vectors) == 0)
        return fail_key(env, file, WORDS, "at least one word");
    return load_numbers(env, vectors, file);
}

dgm_status dgm_parser_vectors_load(struct dgm_env *env, struct dgm_word_vectors *vectors,
                                   const struct dgm_gguf *file)
{
    dgm_status status;

    memset(vectors, 0, sizeof *vectors);
    if (dgm_gguf_find_key(file, WORDS) == NULL && dgm_gguf_find_key(file, DIM) == NULL &&
        dgm_gguf_find_key(file, NUMBERS) == NULL)
        return dgm_gguf_find_tensor(file, MATRIX) == NULL
                   ? DGM_OK
                   : fail_key(env, file, WORDS, "the words that tensor " MATRIX " is for");
    status = load(env, vectors, file);
    if (status != DGM_OK)
        dgm_word_vectors_clear(env, vectors);
    return status;
}

dgm_status dgm_parser_vectors_save(struct dgm_env *env, const struct dgm_word_vectors *vectors,
                                   struct dgm_gguf_writer *writer)
{
    size_t count = (size_t)dgm_word_vectors_rows(vectors) * (size_t)vectors->dim;
    unsigned char *bytes;
    dgm_status status;

    if (count == 0)
        return DGM_OK;
    DGM_TRY(dgm_vocab_to_gguf(env, &vectors->words, writer, WORDS));
    DGM_TRY(dgm_gguf_add_i64(env, writer, DIM, vectors->dim));
    bytes = dgm_resize(env, NULL, count, 2);
    if (bytes == NULL)
        return DGM_MEMORY;
    for (size_t i = 0; i < count; i++) {
        bytes[2 * i] = (unsigned char)vectors->numbers[i];
        bytes[2 * i + 1] = (unsigned char)(vectors->numbers[i] >> 8);
    }
    status = dgm_gguf_add_bytes(env, writer, NUMBERS, bytes, 2 * count);
    dgm_release(env, bytes);
    return status;
}

/* ---- batches --------------------------------------------------------------------------------- */

dgm_status dgm_parser_vectors_stage(struct dgm_env *env, struct dgm_feed *feed, dgm_slot *slot,
                                    const struct dgm_word_vectors *vectors,
                                    const struct dgm_treebank *bank, const int32_t *forms,
                                    int64_t count)
{
    const int64_t dim = vectors->dim;
    dgm_real *to;

    DGM_TRY(dgm_feed_take(env, feed, slot, &to, (size_t)(count * dim) * sizeof *to));
    for (int64_t f = 0; f < count; f++) {
        const int32_t row = bank->vectors[forms[f]];

        for (int64_t i = 0; row >= 0 && i < dim; i++)
            to[f * dim + i] = (dgm_real)dgm_half_from_f16(vectors->numbers[row * dim + i]);
    }
    return DGM_OK;
}
