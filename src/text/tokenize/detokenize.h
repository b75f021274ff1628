/*
 * detokenize.h: words and punctuation back to running text, as Moses' detokenizer.perl
 * does.
 */
#ifndef DGM_TEXT_TOKENIZE_DETOKENIZE_H
#define DGM_TEXT_TOKENIZE_DETOKENIZE_H

#include "base/buf.h"
#include "base/env.h"

/*
 * Appends the running text of a tokenised line to out. Escapes (&amp; ...) are undone
 * whether or not they came from the tokeniser. `language`: "en", "de" and "fr" join as Moses does;
 * others, and NULL, as the general rules have cut (general.h). Unlike Moses, curly quotation marks
 * open and close, and a curly apostrophe joins as a straight one does.
 */
dgm_status dgm_detokenize_line(struct dgm_env *env, struct dgm_buf *out, const char *line,
                               size_t bytes, const char *language);

#endif
