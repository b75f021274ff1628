/* heads.c: reads the tokens of a line up to the mark that ends a sentence. */
#include "text/case/heads.h"

#include <string.h>

#include "base/bytes.h"
#include "text/case/letters.h"
#include "text/unicode/mark.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* What a letter adds to a token that looks like `looks` so far. */
static unsigned add_letter(unsigned looks, unsigned flags, int is_title)
{
    unsigned added = DGM_TOKEN_LETTER;

    if ((flags & DGM_UNICODE_LOWER) != 0)
        added |= DGM_TOKEN_SMALL;
    else if ((flags & DGM_UNICODE_UPPER) != 0 || is_title)
        added |= (looks & DGM_TOKEN_CAPITAL) != 0 ? DGM_TOKEN_CAPITALS : DGM_TOKEN_CAPITAL;
    if ((looks & DGM_TOKEN_LETTER) == 0 && (added & DGM_TOKEN_CAPITAL) != 0)
        added |= DGM_TOKEN_HEAD;
    return added;
}

size_t dgm_heads_word(const char *text, size_t bytes)
{
    size_t at = 0, used;
    uint32_t code;

    for (; at < bytes; at += used) {
        used = dgm_letters_next(&code, text + at, bytes - at);
        if (code == DGM_UTF8_BAD ||
            !(dgm_unicode_is(code, DGM_UNICODE_LETTER) || (at > 0 && dgm_unicode_is_mark(code))))
            break;
    }
    return at;
}

unsigned dgm_heads_looks(const char *token, size_t bytes)
{
    unsigned looks = 0;
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        unsigned flags;

        at += dgm_letters_next(&code, token + at, bytes - at);
        flags = code == DGM_UTF8_BAD ? 0 : dgm_unicode_flags(code);
        if ((flags & DGM_UNICODE_LETTER) != 0)
            looks |= add_letter(looks, flags, dgm_unicode_lower(code) != code);
        else if ((flags & DGM_UNICODE_NUMBER) != 0)
            looks |= DGM_TOKEN_NUMBER;
    }
    if ((looks & DGM_TOKEN_CAPITALS) != 0)
        looks &= ~(unsigned)DGM_TOKEN_HEAD;
    return looks;
}

/* A full stop, or question and exclamation marks in any number. */
static int ends_sentence(const char *token, size_t bytes)
{
    size_t i = 0;

    while (i < bytes && (token[i] == '?' || token[i] == '!'))
        i++;
    return i == bytes || dgm_bytes_are(token, bytes, ".");
}

int dgm_heads_next(const char *line, size_t bytes, size_t at, struct dgm_headed *sentence)
{
    const char *token;
    unsigned all = 0;
    size_t length, words = 0;

    memset(sentence, 0, sizeof *sentence);
    if (at >= bytes)
        return 0;
    while (dgm_bytes_field(line, bytes, &at, &token, &length)) {
        const unsigned looks = dgm_heads_looks(token, length);

        all |= looks;
        words += (looks & DGM_TOKEN_CAPITAL) != 0;
        if (sentence->head_bytes > 0 && ends_sentence(token, length))
            break;
        if (sentence->head_bytes == 0 && (looks & (DGM_TOKEN_LETTER | DGM_TOKEN_NUMBER)) != 0) {
            sentence->head = (size_t)(token - line);
            sentence->head_bytes = length;
        }
    }
    sentence->end = at;
    sentence->is_shouted =
        words > 1 && (all & DGM_TOKEN_CAPITALS) != 0 && (all & DGM_TOKEN_SMALL) == 0;
    return 1;
}
