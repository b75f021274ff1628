/* entity.c: characters that HTML spells, read and written. */
#include "text/document/entity.h"

#include <string.h>

#include "base/bytes.h"
#include "text/span/span.h"
#include "text/unicode/utf8.h"

static const struct entity {
    const char *name;
    uint32_t code;
} entities[] = {
#define E(name, code) { #name, code },
#include "text/document/entity_list.h"
};

enum { ENTITIES = sizeof entities / sizeof *entities };

static uint32_t find(const char *name, size_t bytes)
{
    size_t low = 0, high = ENTITIES;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const char *other = entities[middle].name;
        const int order = dgm_bytes_compare(name, bytes, other, strlen(other));

        if (order == 0)
            return entities[middle].code;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

static int is_letter_or_digit(char byte)
{
    return dgm_span_is_letter(byte) || dgm_span_is_digit(byte);
}

/* "#160;", "#xA0;" from `at` on: the byte behind it, or 0. */
static size_t read_number(const char *text, size_t bytes, size_t at, uint32_t *code)
{
    const int is_hex = at < bytes && (text[at] == 'x' || text[at] == 'X');
    const uint32_t base = is_hex ? 16 : 10;
    size_t start;

    at += (size_t)is_hex;
    *code = 0;
    for (start = at; at < bytes && *code < 0x110000; at++) {
        const int digit = dgm_hex_digit(text[at]);

        if (digit < 0 || (uint32_t)digit >= base)
            break;
        *code = *code * base + (uint32_t)digit;
    }
    return at > start && at < bytes && text[at] == ';' ? at + 1 : 0;
}

/* Names of Latin-1 need no semicolon where nothing stands behind that could be part of them. */
static size_t read_name(const char *text, size_t bytes, uint32_t *code)
{
    size_t end = 1;

    while (end < bytes && end < 12 && is_letter_or_digit(text[end]))
        end++;
    *code = find(text + 1, end - 1);
    if (*code != 0 && end < bytes && text[end] == ';')
        return end + 1;
    return *code != 0 && *code < 0x100 && (end == bytes || text[end] != '=') ? end : 0;
}

size_t dgm_entity_read(const char *text, size_t bytes, char out[4], size_t *length)
{
    uint32_t code;
    const size_t taken = bytes > 1 && text[1] == '#' ? read_number(text, bytes, 2, &code)
                                                     : read_name(text, bytes, &code);

    if (taken == 0 || code < 0x20 || (code >= 0x7F && code < 0xA0) || code > 0x10FFFF ||
        (code >= 0xD800 && code < 0xE000))
        return 0;
    *length = dgm_utf8_encode(out, code);
    return taken;
}

size_t dgm_entity_named(const char *text, size_t bytes)
{
    size_t end = 1 + (bytes > 1 && text[1] == '#');

    while (end < bytes && end < 64 && is_letter_or_digit(text[end]))
        end++;
    return end > 1 && end < bytes && text[end] == ';' ? end + 1 : 0;
}

dgm_status dgm_entity_add(struct dgm_env *env, struct dgm_maker *maker,
                          const struct dgm_document_parts *document, size_t at, size_t end,
                          size_t *taken)
{
    const char *text = document->bytes + at;
    char character[4];
    size_t length;

    *taken = dgm_entity_read(text, end - at, character, &length);
    if (*taken > 0)
        return dgm_maker_text(env, maker, at, at + *taken, character, length);
    *taken = dgm_entity_named(text, end - at);
    return *taken == 0 ? DGM_OK
                       : dgm_maker_markup(env, maker, DGM_PIECE_THING, at, at + *taken, "", 0);
}

dgm_status dgm_entity_spell(struct dgm_env *env, const struct dgm_document_parts *document,
                            struct dgm_buf *out, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        switch (text[i]) {
        case '&': DGM_TRY(dgm_buf_add_text(env, out, "&amp;")); break;
        case '<': DGM_TRY(dgm_buf_add_text(env, out, "&lt;")); break;
        case '>': DGM_TRY(dgm_buf_add_text(env, out, "&gt;")); break;
        case '\n': DGM_TRY(dgm_buf_add_text(env, out, document->newline)); break;
        default: DGM_TRY(dgm_buf_add_char(env, out, text[i]));
        }
    }
    return DGM_OK;
}
