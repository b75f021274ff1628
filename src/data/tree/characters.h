/*
 * characters.h: running text as rows of numbers, for what learns where words and sentences end.
 *
 * A row is a character, or a run of white space; white space at both ends of a text has no row. A
 * row has two numbers: that of its character, unknown where the treebank shows it too rarely, and
 * that of its kind, letter or digit or punctuation, which is known of every character.
 */
#ifndef DGM_DATA_TREE_CHARACTERS_H
#define DGM_DATA_TREE_CHARACTERS_H

#include "text/bpe/vocab.h"

enum dgm_character_kind {
    DGM_CHARACTER_BLANK,
    DGM_CHARACTER_LOWER,
    DGM_CHARACTER_UPPER,
    DGM_CHARACTER_LETTER,   /* of a script without cases */
    DGM_CHARACTER_UNSPACED, /* of one that sets no blanks between words */
    DGM_CHARACTER_DIGIT,
    DGM_CHARACTER_NUMBER,
    DGM_CHARACTER_PUNCT,
    DGM_CHARACTER_SYMBOL,
    DGM_CHARACTER_OTHER,
    DGM_CHARACTER_KINDS
};

/* White space, and control characters, which are treated like it. */
int dgm_character_is_blank(uint32_t code);

/* Zeroed is empty. */
struct dgm_characters {
    int32_t *ids, *kinds;
    uint32_t *starts; /* bytes of the text where rows begin */
    size_t count, capacity;
};

/* Appends the rows of bytes[from..to) of a text of less than 2 GiB; `starts` counts from byte 0. */
dgm_status dgm_characters_add(struct dgm_env *env, struct dgm_characters *characters,
                              const struct dgm_vocab *vocab, const char *bytes, size_t from,
                              size_t to);
/* Counts the characters of a text, a run of white space as one blank. */
dgm_status dgm_characters_count(struct dgm_env *env, struct dgm_map *counts, const char *text,
                                size_t bytes);
void dgm_characters_clear(struct dgm_env *env, struct dgm_characters *characters);

#endif
