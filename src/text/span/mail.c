/*
 * mail.c: an address of mail, as people write it: one word, "@", and two words or more with dots
 * between. The quoted forms of RFC 5322 are none.
 */
#include <string.h>

#include "text/span/span.h"

static int is_plain(char c)
{
    return dgm_span_is_word(c) && (unsigned char)c < 0x80;
}

/* Bytes of a name: words with single marks between. */
static size_t name(const char *text, size_t most, size_t at, const char *marks, int *parts)
{
    size_t end = at;

    for (*parts = 1; end < most; end++) {
        if (is_plain(text[end]))
            continue;
        if (!dgm_span_has(marks, text[end]) || end + 1 >= most || !is_plain(text[end + 1]) ||
            end == at)
            break;
        *parts += text[end] == '.';
    }
    return end - at;
}

size_t dgm_span_mail(const char *text, size_t bytes, size_t at)
{
    const size_t most = bytes - at < DGM_SPAN_MOST ? bytes : at + DGM_SPAN_MOST;
    size_t local, domain;
    int parts;

    if (!is_plain(text[at]) || dgm_span_word_before(text, at) ||
        (at > 0 && dgm_span_has(".+-%@", text[at - 1])))
        return 0;
    local = name(text, most, at, ".+-%", &parts);
    if (local > 64 || at + local >= most || text[at + local] != '@')
        return 0;
    domain = name(text, most, at + local + 1, ".-", &parts);
    return domain > 0 && parts > 1 ? local + 1 + domain : 0;
}
