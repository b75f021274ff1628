/*
 * skip_gram_text.h: plain text as skip_gram.h learns from it: its vocabulary, and its words as
 * numbers.
 *
 * Words are what lies between white space of ASCII. A line is a context of its own: no window goes
 * over its end. Words rarer than the vocabulary takes are left out, as if they were not there.
 */
#ifndef DGM_TRAIN_VECTORS_SKIP_GRAM_TEXT_H
#define DGM_TRAIN_VECTORS_SKIP_GRAM_TEXT_H

#include "text/bpe/vocab.h"

struct dgm_skip_gram_text {
    struct dgm_vocab words; /* word i is entry i + DGM_VOCAB_SPECIALS, frequent ones first */
    int32_t *ids;           /* (count) words in their order; -1 at the end of a line */
    size_t count, capacity;
    int64_t tokens; /* ids that are words */
};

struct dgm_skip_gram_reading {
    int64_t min_count; /* rarer words are left out */
    int64_t most;      /* words of the vocabulary; 0: no limit */
    int lower;         /* the text is lower-cased first */
};

/* Reads the files, each twice. DGM_DATA with file and line for ill-formed UTF-8, and where no two
 * words are left; DGM_USAGE for standard input or a pipe. */
dgm_status dgm_skip_gram_text_read(struct dgm_env *env, struct dgm_skip_gram_text *text,
                                   const char *const *paths, size_t count,
                                   const struct dgm_skip_gram_reading *reading);
/* Words of the vocabulary. */
int64_t dgm_skip_gram_text_words(const struct dgm_skip_gram_text *text);
/* Word i, its length, and how often it stands in the text. */
const char *dgm_skip_gram_text_word(const struct dgm_skip_gram_text *text, int64_t i, size_t *bytes,
                                    int64_t *times);
void dgm_skip_gram_text_clear(struct dgm_env *env, struct dgm_skip_gram_text *text);

#endif
