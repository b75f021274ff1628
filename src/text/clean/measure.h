/* measure.h: what rules for a corpus ask of a line: its tokens, words and letters. */
#ifndef DGM_TEXT_CLEAN_MEASURE_H
#define DGM_TEXT_CLEAN_MEASURE_H

#include "text/unicode/script.h"

/*
 * A token is what stands between blanks; but a character of a script that sets no blanks between
 * words (Han, Kana, Thai, ...) is a token by itself.
 */
struct dgm_line_measure {
    size_t tokens;
    size_t longest;  /* characters of the longest token */
    size_t letters;  /* that belong to one script; counted only where a set is given */
    size_t expected; /* of these, how many belong to a script of the set */
    int is_bad;      /* ill-formed UTF-8, or a NUL */
};

/* `scripts` may be empty. An ill-formed part counts as a character that is no letter. */
void dgm_measure_line(struct dgm_line_measure *measure, const struct dgm_script_set *scripts,
                      const char *bytes, size_t count);

#endif
