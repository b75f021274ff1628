/*
 * foreign_vocab.h: the vocabulary of another program: tokens by the numbers of its embeddings, and
 * which of our numbers each becomes.
 *
 * Our first four entries are fixed, so that entries move, and rows of matrices with them.
 */
#ifndef DGM_MODEL_FOREIGN_FOREIGN_VOCAB_H
#define DGM_MODEL_FOREIGN_FOREIGN_VOCAB_H

#include "text/bpe/vocab.h"

struct dgm_spm;

/* Zeroed is empty. */
struct dgm_foreign_vocab {
    char name[1024]; /* for messages */
    struct dgm_buf bytes;
    size_t *tokens; /* by number: where the text begins in `bytes`, ended by NUL; SIZE_MAX: no
                     * token has the number */
    size_t count;   /* numbers, the largest and 1 */
    size_t capacity;
    size_t most;      /* numbers are below it */
    int32_t *entries; /* by number: the entry of our vocabulary (dgm_foreign_vocab_order) */
    size_t our_count;
};

/* {"token": number, ...} or ["token", ...]; token: number, on a line each; the pieces of a
 * SentencePiece model, in their order; fairseq's dict.txt and a token on a line each, behind
 * nothing. DGM_DATA: numbers or tokens twice. */
dgm_status dgm_foreign_vocab_json(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                  const char *name, const char *text, size_t size);
dgm_status dgm_foreign_vocab_yml(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                 const char *name, const char *text, size_t size);
dgm_status dgm_foreign_vocab_spm(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                 const char *name, const struct dgm_spm *spm);
dgm_status dgm_foreign_vocab_lines(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                   const char *name, const char *text, size_t size);
void dgm_foreign_vocab_clear(struct dgm_env *env, struct dgm_foreign_vocab *vocab);

/* Gives a number a token; DGM_DATA if it has one, or lies at or beyond vocab->most. */
dgm_status dgm_foreign_vocab_add(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                 int64_t number, const char *token, size_t bytes);
/* The number of a token, or -1; a linear search. */
int64_t dgm_foreign_vocab_find(const struct dgm_foreign_vocab *vocab, const char *token);
/* The token of a number; NULL if there is none. */
const char *dgm_foreign_vocab_token(const struct dgm_foreign_vocab *vocab, size_t number);

/* Their numbers for our first four entries, in our order; -1: there is none. */
struct dgm_foreign_specials {
    int64_t numbers[DGM_VOCAB_SPECIALS];
};
/* Those of the tokens that are spelled like ours; padding is called `pad`, NULL: there is none. */
struct dgm_foreign_specials dgm_foreign_vocab_specials(const struct dgm_foreign_vocab *vocab,
                                                       const char *pad);
extern const char *const dgm_foreign_vocab_ours[DGM_VOCAB_SPECIALS]; /* "<s>" and so on */

/*
 * Our vocabulary: the special entries, then theirs in their order; numbers up to `rows` that have
 * no token, as matrices may be taller, are called madeupword0000 and so on. Fills in
 * vocab->entries. DGM_DATA: more tokens than rows, a token that is spelled like one of our special
 * entries and is another.
 */
dgm_status dgm_foreign_vocab_order(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                   const struct dgm_foreign_specials *specials, size_t rows,
                                   struct dgm_vocab *out);

#endif
