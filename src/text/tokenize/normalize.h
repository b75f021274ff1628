/*
 * normalize.h: raw text in one form: composed letters, Moses' punctuation, lower case.
 *
 * The punctuation rules are those of Moses' normalize-punctuation.perl: quotes, dashes,
 * dots and blanks in the forms that tokenisers and dictionaries expect. They work on
 * bytes, as there.
 */
#ifndef DGM_TEXT_TOKENIZE_NORMALIZE_H
#define DGM_TEXT_TOKENIZE_NORMALIZE_H

#include "base/buf.h"
#include "base/env.h"

struct dgm_normalize_options {
    int compose; /* to Unicode's normal form NFC, before all else */
    int punctuation;
    int lower;
    const char *language; /* "en", "de", "fr", ...: commas beside quotes, digits beside blanks */
};

/* Appends the normalised line to out: punctuation before lower case. */
dgm_status dgm_normalize_line(struct dgm_env *env, struct dgm_buf *out, const char *line,
                              size_t bytes, const struct dgm_normalize_options *options);

#endif
