/*
 * text_words.h: the words that a parser found in a line, and the tokens that a translation model
 * makes of the same line, in units of one text (text/match/written.h), ready for a tree to be laid
 * over (syntax/tree/overlay.h).
 *
 * Many sentences stand one behind the other. Of each: begin, its tokens as the parser cut them,
 * end.
 */
#ifndef DGM_DATA_TREE_TEXT_WORDS_H
#define DGM_DATA_TREE_TEXT_WORDS_H

#include "data/text/pipeline.h"
#include "syntax/tree/overlay.h"
#include "text/match/match.h"

/* What became of the arcs of a parser's words. */
struct dgm_laid_counts {
    int64_t words; /* of sentences that were parsed, or should have been */
    int64_t kept;  /* whose tokens are together, or hang together, as they and their heads do */
    int64_t lines;
};
/* Logs how many, where there are any: "NAME: of 512 words of the parser, 511 keep their heads". */
void dgm_laid_counts_report(struct dgm_env *env, const struct dgm_laid_counts *counts,
                            const char *name);

/* Zeroed is empty; reused; cleared. */
struct dgm_text_words {
    struct dgm_stretch *words, *tokens; /* in units of the tokens' text, 0 at each sentence */
    unsigned char *joins;               /* (token_count) blanks alone, which go with what follows */
    size_t word_count, token_count;     /* of all sentences */
    size_t word_capacity, token_capacity;
    int is_one_text; /* of the latest sentence: the parser's words and the tokens are one text */

    /* Of the sentence at hand: */
    size_t first_word, first_token;
    size_t unit; /* the text's unit behind the latest token */
    struct dgm_written text, cut;
    struct dgm_match match;
};

/* The text that the tokens to come were cut from, in order. */
dgm_status dgm_text_words_begin(struct dgm_env *env, struct dgm_text_words *words, const char *text,
                                size_t bytes);
/* Bytes start..end-1 of the text are a token, or `count` words, whose forms stand in `forms`, each
 * ended by NUL. Words that have as many characters as the token share it out, in their order;
 * others have all of it each: "don't" is "do" and "n't", but both words of "zum" are all of it.
 * forms may be NULL where count is 1. */
dgm_status dgm_text_words_add(struct dgm_env *env, struct dgm_text_words *words, size_t start,
                              size_t end, const char *forms, int32_t count);
/* The tokens of the model: the words of an encoded line. */
dgm_status dgm_text_words_end(struct dgm_env *env, struct dgm_text_words *words, const char *line,
                              size_t bytes, int32_t n_words);
void dgm_text_words_reset(struct dgm_text_words *words);
void dgm_text_words_clear(struct dgm_env *env, struct dgm_text_words *words);

#endif
