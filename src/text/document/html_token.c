/* html_token.c: where in HTML tags, comments and texts begin and end. */
#include "text/document/html_token.h"

#include <string.h>

#include "base/bytes.h"
#include "text/document/maker.h"
#include "text/span/span.h"

/* ---- attributes ------------------------------------------------------------------------------ */

static size_t skip_white(const char *text, size_t end, size_t at)
{
    while (at < end && dgm_is_white(text[at]))
        at++;
    return at;
}

/* A value from `at` on, behind its =; the byte behind it. Quotes that are not closed end nowhere:
 * SIZE_MAX. */
static size_t read_value(const char *text, size_t end, size_t at,
                         struct dgm_html_attribute *attribute)
{
    const char *close;

    attribute->quote = 0;
    if (at < end && (text[at] == '"' || text[at] == '\'')) {
        attribute->quote = text[at++];
        close = at < end ? memchr(text + at, attribute->quote, end - at) : NULL;
        if (close == NULL)
            return SIZE_MAX;
        attribute->start = at;
        attribute->end = (size_t)(close - text);
        return attribute->end + 1;
    }
    attribute->start = at;
    while (at < end && !dgm_is_white(text[at]) && text[at] != '>')
        at++;
    attribute->end = at;
    return at;
}

/* An attribute from `at` on, where one begins; the byte behind it, or SIZE_MAX. */
static size_t read_attribute(const char *text, size_t end, size_t at,
                             struct dgm_html_attribute *attribute)
{
    size_t value;

    attribute->name = at++; /* = may be the first letter of a name */
    while (at < end && !dgm_is_white(text[at]) && !dgm_span_has("/>=", text[at]))
        at++;
    attribute->name_bytes = at - attribute->name;
    attribute->start = attribute->end = at;
    attribute->quote = 0;
    value = skip_white(text, end, at);
    if (value >= end || text[value] != '=')
        return at;
    return read_value(text, end, skip_white(text, end, value + 1), attribute);
}

static size_t skip_between(const char *text, size_t end, size_t at)
{
    while (at < end && (dgm_is_white(text[at]) || text[at] == '/'))
        at++;
    return at;
}

int dgm_html_attribute(const char *text, const struct dgm_html_token *token, size_t *at,
                       struct dgm_html_attribute *attribute)
{
    const size_t end = token->end - 1, start = skip_between(text, end, *at);

    if (start >= end)
        return 0;
    *at = read_attribute(text, end, start, attribute);
    return *at != SIZE_MAX;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* A tag whose name begins at `at`; the byte behind it, or that behind the text. */
static size_t read_tag(const char *text, size_t bytes, size_t at, struct dgm_html_token *token)
{
    struct dgm_html_attribute attribute;
    size_t length = 0;

    for (; at < bytes && !dgm_is_white(text[at]) && text[at] != '/' && text[at] != '>'; at++)
        if (length < DGM_HTML_NAME)
            token->name[length++] = lower(text[at]);
    token->name[length < DGM_HTML_NAME ? length : 0] = '\0';
    token->name_end = at;
    while ((at = skip_between(text, bytes, at)) < bytes && text[at] != '>') {
        at = read_attribute(text, bytes, at, &attribute);
        if (at == SIZE_MAX)
            break;
    }
    if (at < bytes)
        return at + 1;
    token->kind = DGM_HTML_OTHER;
    return bytes;
}

/* A comment, from <!-- on. */
static size_t read_comment(const char *text, size_t bytes, size_t at)
{
    for (at += 4; at < bytes; at++) {
        const char *close = memchr(text + at, '>', bytes - at);

        if (close == NULL)
            return bytes;
        at = (size_t)(close - text);
        if (text[at - 1] == '-' && text[at - 2] == '-')
            return at + 1;
        if (text[at - 1] == '!' && text[at - 2] == '-' && text[at - 3] == '-')
            return at + 1;
    }
    return bytes;
}

static size_t read_other(const char *text, size_t bytes, size_t at)
{
    const char *close;

    if (dgm_bytes_begin(text + at, bytes - at, "<!--") > 0)
        return read_comment(text, bytes, at);
    close = memchr(text + at, '>', bytes - at);
    return close != NULL ? (size_t)(close - text) + 1 : bytes;
}

/* What begins with a < at `at`: the byte behind it; 0: it is text. */
static size_t read_markup(const char *text, size_t bytes, size_t at, struct dgm_html_token *token)
{
    const char next = at + 1 < bytes ? text[at + 1] : '\0';

    if (dgm_span_is_letter(next)) {
        token->kind = DGM_HTML_START;
        return read_tag(text, bytes, at + 1, token);
    }
    if (next == '/' && at + 2 < bytes && dgm_span_is_letter(text[at + 2])) {
        token->kind = DGM_HTML_END;
        return read_tag(text, bytes, at + 2, token);
    }
    token->kind = DGM_HTML_OTHER;
    return next == '!' || next == '?' || next == '/' ? read_other(text, bytes, at) : 0;
}

/* ---- contents without tags ------------------------------------------------------------------- */

static int is_raw(const char *name)
{
    static const char *const names[] = { "script", "style",   "title",    "textarea", "xmp",
                                         "iframe", "noembed", "noframes", "plaintext" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

/* Whether the tag that closes an element begins at `at`. */
static int closes(const char *text, size_t bytes, size_t at, const char *name)
{
    size_t i = 0;

    if (text[at] != '<' || at + 1 >= bytes || text[at + 1] != '/')
        return 0;
    for (at += 2; name[i] != '\0' && at < bytes && lower(text[at]) == name[i]; i++)
        at++;
    return name[i] == '\0' && at < bytes &&
           (dgm_is_white(text[at]) || dgm_span_has("/>", text[at]));
}

static size_t read_raw(const char *text, size_t bytes, size_t at, const char *name)
{
    while (at < bytes && !closes(text, bytes, at, name)) {
        const char *next = memchr(text + at + 1, '<', bytes - at - 1);

        at = next != NULL ? (size_t)(next - text) : bytes;
    }
    return at;
}

int dgm_html_next(const char *text, size_t bytes, size_t *at, struct dgm_html_token *token)
{
    const size_t start = *at;
    size_t end = start;

    if (start >= bytes)
        return 0;
    if (token->kind == DGM_HTML_START && is_raw(token->name)) {
        end = read_raw(text, bytes, start, token->name);
        token->kind = DGM_HTML_RAW;
    }
    if (end == start)
        end = text[start] == '<' ? read_markup(text, bytes, start, token) : 0;
    if (end == 0) {
        const char *next = memchr(text + start + 1, '<', bytes - start - 1);

        token->kind = DGM_HTML_TEXT;
        end = next != NULL ? (size_t)(next - text) : bytes;
    }
    token->start = start;
    token->end = *at = end;
    return 1;
}
