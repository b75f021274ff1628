/*
 * normalize.h: raw text in one form: composed letters, Moses' punctuation, lower case.
 *
 * The punctuation rules are those of Moses' normalize-punctuation.perl: quotes, dashes, dots and
 * blanks in the forms that tokenisers and dictionaries expect. They come in steps, as in its port
 * to Python, sacremoses, and like that, or as in the script itself, which differs where it moves a
 * quotation mark: at the end of a line, too, and in every language but Czech.
 */
#ifndef DGM_TEXT_TOKENIZE_NORMALIZE_H
#define DGM_TEXT_TOKENIZE_NORMALIZE_H

#include "base/buf.h"
#include "base/env.h"

/* Steps of punctuation. */
enum {
    DGM_NORMAL_PENN = 1,    /* ` and '' are quotation marks */
    DGM_NORMAL_COMMAS = 2,  /* stops and commas beside a quotation mark as the language has them */
    DGM_NORMAL_NUMBERS = 4, /* the mark between the thousands of a number */
    DGM_NORMAL_FULL = 8,    /* first: punctuation and digits of full width, of Chinese, Japanese */
    DGM_NORMAL_CONTROLS = 16, /* last: no control, format or private characters */
    DGM_NORMAL_MOSES = 32,    /* as the script does, and so the first three of these */
    DGM_NORMAL_USUAL = DGM_NORMAL_PENN | DGM_NORMAL_COMMAS | DGM_NORMAL_NUMBERS
};

/* "moses", "none", or names of steps, separated by commas. */
#define DGM_NORMAL_STEPS "penn,commas,numbers,full-width,controls"
/* DGM_USAGE for anything else; `option` is what it was given for. */
dgm_status dgm_normal_steps_read(struct dgm_env *env, const char *option, const char *list,
                                 unsigned *steps);

struct dgm_normalize_options {
    int compose; /* to Unicode's normal form NFC, before all else */
    int punctuation;
    unsigned steps; /* of it */
    int lower;
    const char *language; /* "en", "de", "fr", ...: commas beside quotes, digits beside blanks */
};

/* Appends the normalised line to out: punctuation before lower case. */
dgm_status dgm_normalize_line(struct dgm_env *env, struct dgm_buf *out, const char *line,
                              size_t bytes, const struct dgm_normalize_options *options);

#endif
