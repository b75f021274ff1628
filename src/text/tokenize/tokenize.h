/*
 * tokenize.h: cutting raw text into words and punctuation, as Moses' tokenizer.perl
 * does.
 *
 * English, German and French have Moses' rules for apostrophes and abbreviations; other languages
 * have general ones (general.h), by which detokenising gives the text back.
 */
#ifndef DGM_TEXT_TOKENIZE_TOKENIZE_H
#define DGM_TEXT_TOKENIZE_TOKENIZE_H

#include "base/buf.h"
#include "base/env.h"

struct dgm_tokenize_options {
    const char *language; /* "en", "de", "fr", ... */
    int aggressive;       /* split hyphens between letters or digits: a @-@ b */
    int escape;           /* write & | < > ' " [ ] as &amp; &#124; &lt; &gt; &apos; &quot; ... */
};

/*
 * Appends the tokens of a line to out, one blank between; a blank line yields nothing.
 * Ill-formed bytes become U+FFFD. Differences from Moses: the general rules; a mark, a joiner, a
 * soft hyphen and half of a flag belong to what stands before them (unicode/mark.h), where Moses
 * cuts; U+2019 is an apostrophe; no blank is ever doubled or ends the line (there, both happen when
 * the line ends in a full stop and an apostrophe).
 */
dgm_status dgm_tokenize_line(struct dgm_env *env, struct dgm_buf *out, const char *line,
                             size_t bytes, const struct dgm_tokenize_options *options);

#endif
