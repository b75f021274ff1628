/*
 * word_vectors.h: words and a vector for each, learned elsewhere: what a parser knows of words that
 * its treebank does not have.
 *
 * Numbers are kept in 16 bits (IEEE 754 binary16): 100,000 words of 300 numbers take 60 MB, in
 * memory as in a model file. Whoever fills the table rounds (tensor/half.h), so that what is
 * trained on is what a model file gives back.
 */
#ifndef DGM_DATA_VECTORS_WORD_VECTORS_H
#define DGM_DATA_VECTORS_WORD_VECTORS_H

#include "text/bpe/vocab.h"

#define DGM_WORD_VECTORS_MOST 65504.0 /* the largest number of 16 bits */
#define DGM_WORD_VECTORS_DIM 4096     /* most numbers of a word */

/* Zeroed is valid and empty. */
struct dgm_word_vectors {
    int64_t dim;            /* numbers of a word; 0: there are no vectors */
    struct dgm_vocab words; /* number i has row i - DGM_VOCAB_SPECIALS */
    uint16_t *numbers;      /* (rows, dim) */
    size_t capacity;        /* of numbers */
};

/* An empty table of such vectors. */
dgm_status dgm_word_vectors_init(struct dgm_env *env, struct dgm_word_vectors *vectors,
                                 int64_t dim);
/* Appends a word that is not there yet; *row: where its numbers go, until the next call. */
dgm_status dgm_word_vectors_add(struct dgm_env *env, struct dgm_word_vectors *vectors,
                                const char *word, size_t bytes, uint16_t **row);
int64_t dgm_word_vectors_rows(const struct dgm_word_vectors *vectors);
/* The row of a form as it stands or, where there is none, lower-cased; -1 if there is neither.
 * `lowered` is scratch memory. */
dgm_status dgm_word_vectors_find(struct dgm_env *env, const struct dgm_word_vectors *vectors,
                                 struct dgm_buf *lowered, const char *form, size_t bytes,
                                 int32_t *row);
/* Whether two tables have the same words in the same order, and the same numbers. */
int dgm_word_vectors_equal(const struct dgm_word_vectors *a, const struct dgm_word_vectors *b);
/* Bytes of what it holds, without room for more. */
double dgm_word_vectors_bytes(const struct dgm_word_vectors *vectors);
void dgm_word_vectors_clear(struct dgm_env *env, struct dgm_word_vectors *vectors);

#endif
