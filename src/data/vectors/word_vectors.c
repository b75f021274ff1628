/*
 * word_vectors.c: words and a vector for each, learned elsewhere.
 */
#include "data/vectors/word_vectors.h"

#include <string.h>

#include "base/mem.h"
#include "text/unicode/unicode.h"

dgm_status dgm_word_vectors_init(struct dgm_env *env, struct dgm_word_vectors *vectors, int64_t dim)
{
    struct dgm_map none = { 0 };

    memset(vectors, 0, sizeof *vectors);
    vectors->dim = dim;
    return dgm_vocab_build(env, &vectors->words, &none, 0, 1);
}

int64_t dgm_word_vectors_rows(const struct dgm_word_vectors *vectors)
{
    return vectors->dim == 0 ? 0 : (int64_t)dgm_vocab_size(&vectors->words) - DGM_VOCAB_SPECIALS;
}

dgm_status dgm_word_vectors_add(struct dgm_env *env, struct dgm_word_vectors *vectors,
                                const char *word, size_t bytes, uint16_t **row)
{
    size_t at = (size_t)(dgm_word_vectors_rows(vectors) * vectors->dim);
    int is_new;

    DGM_TRY(dgm_reserve(env, &vectors->numbers, &vectors->capacity, at + (size_t)vectors->dim,
                        sizeof *vectors->numbers));
    DGM_TRY(dgm_vocab_append(env, &vectors->words, word, bytes, &is_new));
    *row = vectors->numbers + at;
    return DGM_OK;
}

dgm_status dgm_word_vectors_find(struct dgm_env *env, const struct dgm_word_vectors *vectors,
                                 struct dgm_buf *lowered, const char *form, size_t bytes,
                                 int32_t *row)
{
    uint32_t number = dgm_vocab_find(&vectors->words, form, bytes);

    if (number == DGM_VOCAB_UNK) {
        lowered->size = 0;
        DGM_TRY(dgm_unicode_lower_text(env, lowered, form, bytes));
        number = dgm_vocab_find(&vectors->words, lowered->data, lowered->size);
    }
    *row = (int32_t)number - DGM_VOCAB_SPECIALS; /* unknown is the last special */
    return DGM_OK;
}

int dgm_word_vectors_equal(const struct dgm_word_vectors *a, const struct dgm_word_vectors *b)
{
    const int64_t rows = dgm_word_vectors_rows(a);
    const struct dgm_map *x = &a->words.map, *y = &b->words.map;

    if (a->dim != b->dim || rows != dgm_word_vectors_rows(b))
        return 0;
    if (rows == 0)
        return 1;
    return x->byte_count == y->byte_count && memcmp(x->bytes, y->bytes, x->byte_count) == 0 &&
           memcmp(a->numbers, b->numbers, (size_t)(rows * a->dim) * sizeof *a->numbers) == 0;
}

double dgm_word_vectors_bytes(const struct dgm_word_vectors *vectors)
{
    return dgm_map_bytes(&vectors->words.map) +
           (double)(dgm_word_vectors_rows(vectors) * vectors->dim) * sizeof *vectors->numbers;
}

void dgm_word_vectors_clear(struct dgm_env *env, struct dgm_word_vectors *vectors)
{
    dgm_vocab_clear(env, &vectors->words);
    dgm_release(env, vectors->numbers);
    memset(vectors, 0, sizeof *vectors);
}
