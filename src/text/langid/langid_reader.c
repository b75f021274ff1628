/* langid_reader.c: one pass over the characters of a text, with hashes of all n-grams that end at
 * each. */
#include "text/langid/langid_reader.h"

#include "text/unicode/compose.h"
#include "text/unicode/mark.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

enum kind { LETTER, MARK, UNSEEN, OTHER };

static enum kind kind_of(uint32_t code)
{
    if (code < 128)
        return (code | 0x20) >= 'a' && (code | 0x20) <= 'z' ? LETTER : OTHER;
    if (code == DGM_UTF8_BAD)
        return OTHER;
    if (dgm_unicode_is_mark(code))
        return MARK;
    if (dgm_unicode_is(code, DGM_UNICODE_ALPHA))
        return LETTER;
    return dgm_unicode_is_follower(code) ? UNSEEN : OTHER;
}

/* ---- characters ------------------------------------------------------------------------------ */

/* What begins a character that composes with the one before it is no lower byte. */
static int may_be_mark(const struct dgm_langid_reader *reader)
{
    return reader->at < reader->bytes && (unsigned char)reader->text[reader->at] >= 0xCC;
}

/* The next character, with what composes with it. */
static uint32_t take(struct dgm_langid_reader *reader)
{
    uint32_t code = (unsigned char)reader->text[reader->at], next, both;

    if (code < 0x80)
        reader->at++;
    else
        reader->at += dgm_utf8_decode(&code, reader->text + reader->at, reader->bytes - reader->at);
    while (may_be_mark(reader)) {
        const size_t size =
            dgm_utf8_decode(&next, reader->text + reader->at, reader->bytes - reader->at);

        both = dgm_unicode_compose(code, next);
        if (both == 0)
            break;
        code = both;
        reader->at += size;
    }
    return code;
}

/* ---- guests ---------------------------------------------------------------------------------- */

static int is_latin(uint32_t code)
{
    return code < 0x250 || (code >= 0x1E00 && code < 0x1F00) || (code >= 0xFF21 && code <= 0xFF5A);
}

/* Whether a fifth of the letters and more are not Latin. */
static int is_host(const char *text, size_t bytes)
{
    size_t latin = 0, others = 0;
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        at += dgm_utf8_decode(&code, text + at, bytes - at);
        if (kind_of(code) != LETTER)
            continue;
        latin += (size_t)is_latin(code);
        others += (size_t)!is_latin(code);
    }
    return others > 0 && 4 * others >= latin;
}

/* ---- n-grams --------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint32_t code)
{
    hash = (hash ^ code) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* All n-grams that end here get one character more. */
static void go_on(struct dgm_langid_reader *reader, struct dgm_langid_grams *grams, uint32_t code)
{
    int most = reader->length + 1;

    most = most > reader->reach ? reader->reach : most;
    for (int n = most; n >= 1; n--) {
        reader->hash[n] = mix(reader->hash[n - 1], code);
        grams->key[n] = (uint32_t)(reader->hash[n] >> 32);
    }
    grams->most = reader->length = most;
    grams->weight = reader->weight;
}

/* How much a word counts, by its first letter. */
static int weight_of(struct dgm_langid_reader *reader, int is_capital)
{
    const int is_first = reader->weight == 0;

    if (!is_capital)
        return DGM_LANGID_WORD;
    return is_first ? DGM_LANGID_FIRST : DGM_LANGID_NAME;
}

static void take_letter(struct dgm_langid_reader *reader, struct dgm_langid_grams *grams,
                        uint32_t code, int is_letter)
{
    const uint32_t small = dgm_unicode_lower(code);

    if (reader->length == 1)
        reader->weight = weight_of(reader, small != code);
    reader->reach = dgm_unicode_is_unspaced(code) ? DGM_LANGID_UNSPACED : DGM_LANGID_ORDERS;
    grams->least = 1;
    grams->is_letter = is_letter;
    go_on(reader, grams, small);
}

/* A blank ends the n-grams, and begins others. */
static void take_blank(struct dgm_langid_reader *reader, struct dgm_langid_grams *grams)
{
    grams->least = 2;
    grams->is_letter = 0;
    go_on(reader, grams, ' ');
    reader->length = 1;
    reader->reach = DGM_LANGID_ORDERS;
}

void dgm_langid_reader_init(struct dgm_langid_reader *reader, const char *text, size_t bytes)
{
    struct dgm_langid_grams none;

    reader->has_guests = is_host(text, bytes);
    reader->weight = 0;
    reader->text = text;
    reader->bytes = bytes;
    reader->at = 0;
    reader->hash[0] = 0;
    reader->length = 0;
    reader->reach = DGM_LANGID_ORDERS;
    take_blank(reader, &none);
}

int dgm_langid_reader_next(struct dgm_langid_reader *reader, struct dgm_langid_grams *grams)
{
    while (reader->at < reader->bytes) {
        const uint32_t code = take(reader);
        enum kind kind = kind_of(code);

        if (reader->has_guests && kind == LETTER && is_latin(code))
            kind = OTHER;
        if (kind == LETTER || (kind == MARK && reader->length > 1)) {
            take_letter(reader, grams, code, kind == LETTER);
            return 1;
        }
        if (kind != UNSEEN && reader->length > 1) {
            take_blank(reader, grams);
            return 1;
        }
    }
    if (reader->length <= 1)
        return 0;
    take_blank(reader, grams);
    return 1;
}
