/*
 * cut_words.h: the words of a token that was cut from running text: itself, or the several that it
 * stands for.
 */
#ifndef DGM_DECODE_PARSE_CUT_WORDS_H
#define DGM_DECODE_PARSE_CUT_WORDS_H

#include "text/tokenize/multiword.h"

/*
 * Appends the form of the token text[0..bytes), in which white space is one blank, and behind it,
 * where it stands for several words, these: each ended by NUL. *count: these, or 1 for the token
 * itself, also where nothing tells what its words are.
 */
dgm_status dgm_cut_words_add(struct dgm_env *env, struct dgm_buf *forms,
                             const struct dgm_multiwords *multiwords, const char *text,
                             size_t bytes, int is_multiword, int32_t *count);

#endif
