/*
 * tag.c: a tag of XML or HTML, and a comment: "<b>", "</b>", "<br/>", "<a href='x'>". A "<" of a
 * text ("a < b", "<3") is none: a tag's name is a letter's neighbour.
 */
#include <string.h>

#include "base/bytes.h"
#include "text/span/span.h"

static size_t comment(const char *text, size_t most, size_t at)
{
    const char *end = text + at + 5; /* of "<!---->", its ">" is the first that counts */

    while (end < text + most &&
           (end = memchr(end + 1, '>', (size_t)(text + most - end - 1))) != NULL)
        if (end[-1] == '-' && end[-2] == '-')
            return (size_t)(end + 1 - text) - at;
    return 0;
}

/* The byte behind a tag's name, or behind one of its attributes' values. */
static size_t rest(const char *text, size_t most, size_t at, size_t end)
{
    for (; end < most && text[end] != '<'; end++) {
        if (text[end] == '>')
            return end + 1 - at;
        if (text[end - 1] == '=' && (text[end] == '"' || text[end] == '\'')) {
            const char *quote = memchr(text + end + 1, text[end], most - end - 1);

            if (quote == NULL)
                return 0;
            end = (size_t)(quote - text);
        }
    }
    return 0;
}

size_t dgm_span_tag(const char *text, size_t bytes, size_t at)
{
    const size_t most = bytes - at < DGM_SPAN_MOST ? bytes : at + DGM_SPAN_MOST;
    size_t end = at + 1;

    if (text[at] != '<')
        return 0;
    if (dgm_bytes_begin(text + at, most - at, "<!--") > 0)
        return comment(text, most, at);
    end += end < most && text[end] == '/';
    if (end >= most || !dgm_span_is_letter(text[end]))
        return 0;
    while (end < most && (dgm_span_is_letter(text[end]) || dgm_span_is_word(text[end]) ||
                          dgm_span_has(".:-", text[end])))
        end++;
    if (end < most && !dgm_span_has(" \t>/", text[end]))
        return 0;
    return rest(text, most, at, end);
}
