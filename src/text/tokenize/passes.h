/*
 * passes.h: a line as an array of characters, which passes write anew.
 *
 * Marks, joiners and their like (mark.h) are no characters of their own to any pass: they hang on
 * what stands before them, which stays a letter, a digit or a symbol.
 */
#ifndef DGM_TEXT_TOKENIZE_PASSES_H
#define DGM_TEXT_TOKENIZE_PASSES_H

#include <stdint.h>

#include "base/buf.h"
#include "base/env.h"
#include "text/tokenize/moses.h"

/*
 * A full stop within "..", which tokenizer.perl writes as DOTMULTI until the end: no full stop for
 * any later pass, but a letter.
 */
#define DGM_KEPT_DOT (0x110000U + '.')
/* A letter that is not written: what a mark without anything before it hangs on. */
#define DGM_NO_LETTER 0x110000U

/*
 * A character's code and, in the upper half, where its followers begin among those of the line,
 * counted from 1; 0 for none. So what has followers is equal to no plain character.
 */
typedef uint64_t dgm_character;

struct dgm_character_row {
    dgm_character *items;
    size_t count, capacity;
};

/* The followers of all characters of a line, each row with a 0 behind. */
struct dgm_followers {
    uint32_t *codes;
    size_t count, capacity;
};

/* Zeroed but for env; every pass reads `text` and writes `spare`. */
struct dgm_passes {
    struct dgm_env *env;
    enum dgm_moses_language language;
    struct dgm_character_row text, spare;
    struct dgm_followers followers;
};

/* The code without the followers. */
static inline uint32_t dgm_character_base(dgm_character c)
{
    return (uint32_t)c;
}

/* The flags of unicode.h; a letter for what stands for others. */
unsigned dgm_character_flags(dgm_character c);
int dgm_character_is(dgm_character c, unsigned flags);

/* An apostrophe, straight or curly. */
int dgm_character_is_apostrophe(dgm_character c);

/* The line becomes the text: all white space as single blanks, none at the ends, no control bytes;
 * U+FFFD for ill-formed bytes. */
dgm_status dgm_passes_read(struct dgm_passes *passes, const char *line, size_t bytes);

dgm_status dgm_passes_put(struct dgm_passes *passes, dgm_character c);
dgm_status dgm_passes_put_all(struct dgm_passes *passes, dgm_character a, dgm_character b,
                              dgm_character c);
/* What a pass has put becomes the text. */
void dgm_passes_end(struct dgm_passes *passes);

/* Appends the text, blanks in a row as one, none at the ends; `escape`: with Moses' escapes. */
dgm_status dgm_passes_write(struct dgm_passes *passes, struct dgm_buf *out, int escape);
void dgm_passes_clear(struct dgm_passes *passes);

#endif
