/*
 * unicode.h: what a character is (letter, number, ...) and its lower case, by Unicode
 * 14.0.
 *
 * The flags are the properties that the tokenisers' definitions name: \p{L},
 * \p{Alphabetic} and so on, so that Moses' and sacreBLEU's rules can be written down as
 * they are.
 */
#ifndef DGM_TEXT_UNICODE_UNICODE_H
#define DGM_TEXT_UNICODE_UNICODE_H

#include "base/buf.h"
#include "base/env.h"

enum {
    DGM_UNICODE_LETTER = 0x001,    /* general category L */
    DGM_UNICODE_ALPHA = 0x002,     /* Alphabetic: letters, letter numbers, vowel signs */
    DGM_UNICODE_NUMBER = 0x004,    /* N */
    DGM_UNICODE_DECIMAL = 0x008,   /* Nd */
    DGM_UNICODE_PUNCT = 0x010,     /* P */
    DGM_UNICODE_SYMBOL = 0x020,    /* S */
    DGM_UNICODE_CURRENCY = 0x040,  /* Sc */
    DGM_UNICODE_SPACE = 0x080,     /* White_Space */
    DGM_UNICODE_LOWER = 0x100,     /* Lowercase */
    DGM_UNICODE_UPPER = 0x200,     /* Uppercase */
    DGM_UNICODE_IGNORABLE = 0x400, /* Case_Ignorable */
    DGM_UNICODE_ALNUM = DGM_UNICODE_ALPHA | DGM_UNICODE_DECIMAL
};

/* Of runs in their order, each `first character << bits | what holds from there on`: what holds for
 * a character. The first run begins at 0. */
static inline uint32_t dgm_unicode_run(const uint32_t *runs, size_t count, unsigned bits,
                                       uint32_t code)
{
    size_t low = 0, high = count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (runs[middle] >> bits <= code)
            low = middle;
        else
            high = middle;
    }
    return runs[low] & ((UINT32_C(1) << bits) - 1);
}

/* Of entries in the order of their characters, each `length << 24 | character`, then so many
 * characters: those that one is rewritten as, *length of them; NULL: it has no entry. */
const uint32_t *dgm_unicode_rewritten(const uint32_t *words, size_t count, uint32_t code,
                                      size_t *length);

/* The flags of a character; 0 for what is none. */
unsigned dgm_unicode_flags(uint32_t code);

/* Whether a character has one of the flags. */
int dgm_unicode_is(uint32_t code, unsigned flags);

/* White_Space and U+001C..U+001F: where Python's str.split() splits. */
int dgm_unicode_is_blank(uint32_t code);

/* Whether it belongs to a script that sets no blanks between words: Han, Kana, Thai, Lao, Tibetan,
 * Burmese, Khmer; their full stops too. */
int dgm_unicode_is_unspaced(uint32_t code);

/* The lower case of a single character (the simple mapping). */
uint32_t dgm_unicode_lower(uint32_t code);
/* The first character whose lower case it is, or itself. */
uint32_t dgm_unicode_upper(uint32_t code);

/*
 * Appends text in lower case as Python's str.lower: the simple mapping, and U+0130
 * becomes "i" + U+0307, and a capital sigma at the end of a word becomes a final sigma.
 * Ill-formed bytes are copied.
 */
dgm_status dgm_unicode_lower_text(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                                  size_t count);

#endif
