/* span.c: from left to right through a line: where a span of some kind begins, and which kinds. */
#include "text/span/span.h"

#include <string.h>

#include "base/mem.h"
#include "base/bytes.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

static size_t (*const finders[DGM_SPAN_KINDS])(const char *text, size_t bytes, size_t at) = {
#define SPAN(name) [DGM_SPAN_##name] = dgm_span_##name,
#include "text/span/span_list.h"
};

static const char *const names[DGM_SPAN_KINDS] = {
#define SPAN(name) [DGM_SPAN_##name] = #name,
#include "text/span/span_list.h"
};

int dgm_span_is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

int dgm_span_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

int dgm_span_is_word(char byte)
{
    return dgm_span_is_letter(byte) || dgm_span_is_digit(byte) || byte == '_' ||
           (unsigned char)byte >= 0x80;
}

int dgm_span_has(const char *marks, char byte)
{
    return byte != '\0' && strchr(marks, byte) != NULL;
}

int dgm_span_word_at(const char *text, size_t bytes, size_t at)
{
    uint32_t code;

    if (at >= bytes || !dgm_span_is_word(text[at]))
        return 0;
    dgm_utf8_decode(&code, text + at, bytes - at);
    return code != DGM_UTF8_BAD && !dgm_unicode_is_unspaced(code);
}

int dgm_span_word_before(const char *text, size_t at)
{
    size_t start = at;

    if (at == 0)
        return 0;
    do
        start--;
    while (start > 0 && at - start < 4 && ((unsigned char)text[start] & 0xC0) == 0x80);
    return dgm_span_word_at(text, at, start);
}

static dgm_status add(struct dgm_env *env, struct dgm_span_list *spans, int kind, size_t start,
                      size_t end)
{
    struct dgm_line_span span = { .start = start, .end = end };

    span.kind = (enum dgm_span_kind)kind;
    DGM_TRY(dgm_grow(env, &spans->items, &spans->capacity, spans->count, sizeof span));
    spans->items[spans->count++] = span;
    return DGM_OK;
}

dgm_status dgm_spans_find(struct dgm_env *env, struct dgm_span_list *spans, const char *text,
                          size_t bytes, unsigned kinds)
{
    uint32_t code;

    spans->count = 0;
    for (size_t at = 0, taken; at < bytes; at += taken) {
        int kind = 0;

        taken = 0;
        for (; kind < DGM_SPAN_KINDS && taken == 0; kind++)
            if ((kinds & 1U << kind) != 0)
                taken = finders[kind](text, bytes, at);
        if (taken > 0)
            DGM_TRY(add(env, spans, kind - 1, at, at + taken));
        else
            taken = dgm_utf8_decode(&code, text + at, bytes - at);
    }
    return DGM_OK;
}

void dgm_spans_clear(struct dgm_env *env, struct dgm_span_list *spans)
{
    dgm_release(env, spans->items);
    memset(spans, 0, sizeof *spans);
}

dgm_status dgm_span_kinds_read(struct dgm_env *env, const char *option, const char *list,
                               unsigned *kinds)
{
    *kinds = 0;
    if (strcmp(list, "all") == 0)
        *kinds = (1U << DGM_SPAN_KINDS) - 1;
    if (strcmp(list, "all") == 0 || strcmp(list, "none") == 0)
        return DGM_OK;
    for (const char *name = list;; name++) {
        const size_t length = strcspn(name, ",");
        const size_t kind = dgm_bytes_which(name, length, names, DGM_SPAN_KINDS);

        if (kind == DGM_SPAN_KINDS)
            return dgm_fail(env, DGM_USAGE,
                            "%s: \"%.*s\"; expected auto, all, none, or some of "
                            "code,tag,url,mail,placeholder,emoji,number",
                            option, (int)length, name);
        *kinds |= 1U << kind;
        name += length;
        if (*name == '\0')
            return DGM_OK;
    }
}
