/*
 * url.c: an address of the web: a scheme with "://", or "www.". It ends before a blank or one of
 * the marks <>"`, and marks that end a sentence or close a bracket which it does not open are none
 * of it. Schemes and what follows: RFC 3986, section 3.
 */
#include <string.h>

#include "text/span/span.h"

/* Whether a word of ASCII goes on here. Scripts without blanks set none before an address. */
static int is_inside(const char *text, size_t at)
{
    return at > 0 && dgm_span_is_word(text[at - 1]) && (unsigned char)text[at - 1] < 0x80;
}

/* Bytes of "scheme://" or "www." at `at`; 0: there is none. */
static size_t beginning(const char *text, size_t most, size_t at)
{
    size_t end = at;

    if (most - at > 4 && (memcmp(text + at, "www.", 4) == 0 || memcmp(text + at, "WWW.", 4) == 0))
        return 4;
    while (
        end < most && end - at < 16 &&
        (dgm_span_is_letter(text[end]) || (end > at && dgm_span_has("0123456789+-.", text[end]))))
        end++;
    return end - at > 1 && most - end > 3 && memcmp(text + end, "://", 3) == 0 ? end + 3 - at : 0;
}

/* Of the bytes from start to end: how many close a bracket that none of them opens. */
static int is_left_open(const char *text, size_t start, size_t end, char opening, char closing)
{
    int depth = 0;

    for (size_t i = start; i < end; i++)
        depth += (text[i] == opening) - (text[i] == closing);
    return depth < 0;
}

static size_t without_marks(const char *text, size_t start, size_t end)
{
    for (; end > start; end--) {
        const char last = text[end - 1];

        if (dgm_span_has(".,;:!?'*_", last) ||
            (last == ')' && is_left_open(text, start, end, '(', ')')) ||
            (last == ']' && is_left_open(text, start, end, '[', ']')) ||
            (last == '}' && is_left_open(text, start, end, '{', '}')))
            continue;
        return end;
    }
    return end;
}

/* Blanks, marks that no address has, and Unicode's blanks, quotes and CJK marks (U+2000, U+3000
 * and what follows them, U+FF00 to U+FF0F). */
static int ends(const char *text, size_t most, size_t at)
{
    const unsigned char c = (unsigned char)text[at];

    if (c <= ' ' || dgm_span_has("<>\"`", (char)c))
        return 1;
    return most - at > 2 && ((c == 0xE2 && (unsigned char)text[at + 1] == 0x80) ||
                             (c == 0xE3 && (unsigned char)text[at + 1] == 0x80) ||
                             (c == 0xEF && (unsigned char)text[at + 1] == 0xBC));
}

size_t dgm_span_url(const char *text, size_t bytes, size_t at)
{
    const size_t most = bytes - at < DGM_SPAN_MOST ? bytes : at + DGM_SPAN_MOST;
    size_t start, end;

    if (!dgm_span_is_letter(text[at]) || is_inside(text, at))
        return 0;
    start = beginning(text, most, at);
    if (start == 0)
        return 0;
    for (end = start += at; end < most && !ends(text, most, end); end++)
        continue;
    end = without_marks(text, start, end);
    return end > start ? end - at : 0;
}
