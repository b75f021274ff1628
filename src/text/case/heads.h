/*
 * heads.h: where the sentences of a line begin, as tokens show it, and which word is the first
 * of each: the one that has a capital whatever word it is.
 */
#ifndef DGM_TEXT_CASE_HEADS_H
#define DGM_TEXT_CASE_HEADS_H

#include "base/env.h"

/*
 * A sentence ends behind a token of . ? or ! (of several marks too, but for an ellipsis). Tokens
 * without a letter or a digit before its first word, quotes and brackets for the most part, may
 * still belong to the sentence before.
 */
struct dgm_headed {
    size_t end;              /* where the next one begins */
    size_t head, head_bytes; /* its first word; bytes 0: it has none */
    int is_shouted;          /* capitals alone, of two words and more */
};

/* What a token is made of. */
enum {
    DGM_TOKEN_LETTER = 1, /* of any kind */
    DGM_TOKEN_SMALL = 2,
    DGM_TOKEN_CAPITAL = 4,
    DGM_TOKEN_CAPITALS = 8, /* two and more */
    DGM_TOKEN_NUMBER = 16,
    DGM_TOKEN_HEAD = 32 /* its first letter is a capital, no other one is */
};
unsigned dgm_heads_looks(const char *token, size_t bytes);

/* The bytes of the word that a text begins with: letters and their marks; 0: it begins with none.
 */
size_t dgm_heads_word(const char *text, size_t bytes);

/* The sentence of a line that begins at byte `at`; 0: there is none. */
int dgm_heads_next(const char *line, size_t bytes, size_t at, struct dgm_headed *sentence);

#endif
