/*
 * multiword.h: tokens that are several words of syntax, "don't" or "zum", and what their words are.
 *
 * What a treebank shows stands in a dictionary. From its entries come rules for tokens that it does
 * not hold: an entry and its first word begin alike, and what the token has behind that is replaced
 * by what the words have. So "John's" is "John" and "'s" because "Mary's" was "Mary" and "'s". The
 * longest ending that is known decides, of several replacements the one of most entries. All of
 * that is in lower case; the words take the capitals of the token.
 */
#ifndef DGM_TEXT_TOKENIZE_MULTIWORD_H
#define DGM_TEXT_TOKENIZE_MULTIWORD_H

#include "base/buf.h"
#include "base/map.h"

/* Zeroed is valid and empty. */
struct dgm_multiwords {
    struct dgm_buf text;  /* the dictionary: lines of token TAB word TAB word ... */
    struct dgm_map known; /* token -> where its words begin in `text` */
    struct dgm_map pairs; /* ending TAB replacement -> entries that show it */
    struct dgm_map rules; /* ending -> number of its best pair */
};

/*
 * Counts a token and its words, each ended by NUL in `words`, in a map that becomes a dictionary.
 * The map's keys are lines of the dictionary. What cannot be one, as a token of one word, is left
 * out.
 */
dgm_status dgm_multiwords_count(struct dgm_env *env, struct dgm_map *counts, const char *token,
                                const char *words, int32_t count);
/* A dictionary of the most frequent words of each token; of equally frequent ones the first. */
dgm_status dgm_multiwords_build(struct dgm_env *env, struct dgm_multiwords *multiwords,
                                const struct dgm_map *counts);
/* From the text of a dictionary, which may be hostile. DGM_DATA with `name` and line. */
dgm_status dgm_multiwords_parse(struct dgm_env *env, struct dgm_multiwords *multiwords,
                                const char *text, size_t bytes, const char *name);
void dgm_multiwords_clear(struct dgm_env *env, struct dgm_multiwords *multiwords);

/* Appends the words of a token to out, each ended by NUL; *count becomes their number, 0 where
 * neither an entry nor a rule tells them. */
dgm_status dgm_multiwords_expand(struct dgm_env *env, const struct dgm_multiwords *multiwords,
                                 const char *token, size_t bytes, struct dgm_buf *out,
                                 int32_t *count);

#endif
