/*
 * placeholder.c: what a program fills in: {name}, {0}, {{ x }}, %s, %1$d, %(name)s, $NAME, ${name}.
 * "100 %", "$5" and "{a, b}" are text.
 */
#include <string.h>

#include "text/span/span.h"

static int is_name(char c)
{
    return (dgm_span_is_word(c) && (unsigned char)c < 0x80) || c == '.' || c == '-';
}

/* A name between an opening mark, which ends before `end`, and a closing one; the byte behind that,
 * or 0. */
static size_t closed(const char *text, size_t most, size_t end, const char *closing)
{
    const size_t length = strlen(closing), start = end;
    size_t after;

    while (end < most && text[end] == ' ' && length == 2)
        end++;
    after = end;
    while (after < most && is_name(text[after]))
        after++;
    if (after == end)
        return 0;
    while (after < most && text[after] == ' ' && length == 2)
        after++;
    return after > start && most - after >= length && memcmp(text + after, closing, length) == 0
               ? after + length
               : 0;
}

static size_t in_braces(const char *text, size_t most, size_t at)
{
    const int is_double = most - at > 1 && text[at + 1] == '{';

    return is_double ? closed(text, most, at + 2, "}}") : closed(text, most, at + 1, "}");
}

/* A conversion of printf, without blanks: those of "50 % sure" are text. */
static size_t conversion(const char *text, size_t most, size_t at)
{
    size_t end = at + 1;

    if (at > 0 && (dgm_span_is_digit(text[at - 1]) || text[at - 1] == '%'))
        return 0;
    if (end < most && text[end] == '(') {
        end = closed(text, most, end + 1, ")");
        if (end == 0)
            return 0;
    }
    while (end < most && (dgm_span_is_digit(text[end]) || dgm_span_has("$+#.*-", text[end])))
        end++;
    while (end < most && dgm_span_has("hlzjt", text[end]))
        end++;
    if (end >= most || !dgm_span_has("sdiufgexXc@", text[end]))
        return 0;
    return dgm_span_word_at(text, most, end + 1) ? 0 : end + 1;
}

static size_t variable(const char *text, size_t most, size_t at)
{
    size_t end = at + 1;

    if (end < most && text[end] == '{')
        return closed(text, most, end + 1, "}");
    if (end >= most || dgm_span_is_digit(text[end]))
        return 0;
    while (end < most && ((text[end] >= 'A' && text[end] <= 'Z') || text[end] == '_' ||
                          dgm_span_is_digit(text[end])))
        end++;
    return end > at + 1 && !dgm_span_word_at(text, most, end) ? end : 0;
}

size_t dgm_span_placeholder(const char *text, size_t bytes, size_t at)
{
    const size_t most = bytes - at < DGM_SPAN_MOST ? bytes : at + DGM_SPAN_MOST;
    size_t end = 0;

    switch (text[at]) {
    case '{': end = in_braces(text, most, at); break;
    case '%': end = conversion(text, most, at); break;
    case '$': end = variable(text, most, at); break;
    }
    return end > at ? end - at : 0;
}
