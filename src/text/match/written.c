/* written.c: a text as the characters that every way of writing it has in common. */
#include "text/match/written.h"

#include <string.h>

#include "base/mem.h"
#include "text/unicode/piece_data.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* NFKC leaves all characters before this one as they are. */
enum { FIRST_REWRITTEN = 0xA0, BLANK_MARK = 0x2581 };

/* ---- escapes --------------------------------------------------------------------------------- */

static const struct {
    char text[8];
    char character;
} escapes[] = { { "&amp;", '&' },   { "&#124;", '|' }, { "&lt;", '<' },  { "&gt;", '>' },
                { "&apos;", '\'' }, { "&quot;", '"' }, { "&#91;", '[' }, { "&#93;", ']' },
                { "&bar;", '|' },   { "&bra;", '[' },  { "&ket;", ']' } };

size_t dgm_written_escape(const char *text, size_t bytes, char *character)
{
    for (size_t i = 0; bytes > 0 && *text == '&' && i < sizeof escapes / sizeof *escapes; i++) {
        const size_t length = strlen(escapes[i].text);

        if (bytes < length || memcmp(text, escapes[i].text, length) != 0)
            continue;
        *character = escapes[i].character;
        return length;
    }
    return 0;
}

dgm_status dgm_written_unescape(struct dgm_env *env, struct dgm_buf *out, const char *text,
                                size_t bytes)
{
    static const char hyphen[] = " @-@ ";
    size_t used;
    char character;

    for (size_t at = 0; at < bytes; at += used) {
        used = dgm_written_escape(text + at, bytes - at, &character);
        if (bytes - at >= sizeof hyphen - 1 && memcmp(text + at, hyphen, sizeof hyphen - 1) == 0) {
            used = sizeof hyphen - 1;
            character = '-';
        }
        DGM_TRY(dgm_buf_add_char(env, out, used > 0 ? character : text[at]));
        used += used == 0;
    }
    return DGM_OK;
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Quotes and dashes as a keyboard has them. */
static uint32_t plain(uint32_t code)
{
    switch (code) {
    case 0x60:
    case 0xB4:
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x201B: return '\'';
    case 0xAB:
    case 0xBB:
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x201F: return '"';
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2212: return '-';
    default: return code;
    }
}

static int is_unseen(uint32_t code)
{
    return code < ' ' || code == 0x7F || dgm_unicode_is_blank(code) || code == BLANK_MARK ||
           code == 0xAD || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2060 && code <= 0x2064) || (code >= 0xFE00 && code <= 0xFE0F) ||
           code == 0xFEFF;
}

/* An escape that ends the units becomes the character that it stands for. */
static void join_escape(struct dgm_written *written)
{
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        const size_t length = strlen(escapes[i].text);
        size_t same = 0;

        while (same < length && same < written->count &&
               written->units[written->count - 1 - same] ==
                   (uint32_t)escapes[i].text[length - 1 - same])
            same++;
        if (same < length)
            continue;
        written->count -= length - 1;
        written->units[written->count - 1] = (unsigned char)escapes[i].character;
        return;
    }
}

static dgm_status add_unit(struct dgm_env *env, struct dgm_written *written, uint32_t code,
                           size_t start)
{
    const struct dgm_parallel arrays[] = { { &written->units, sizeof *written->units },
                                           { &written->starts, sizeof *written->starts },
                                           { NULL, 0 } };

    if (is_unseen(code))
        return DGM_OK;
    DGM_TRY(dgm_reserve_parallel(env, arrays, &written->capacity, written->count + 1));
    written->units[written->count] = dgm_unicode_lower(plain(code));
    written->starts[written->count++] = (uint32_t)start;
    if (code == ';')
        join_escape(written);
    return DGM_OK;
}

static dgm_status add_character(struct dgm_env *env, struct dgm_written *written, uint32_t code,
                                size_t start)
{
    size_t count = 0;
    const uint32_t *codes =
        code >= FIRST_REWRITTEN && code <= 0xFFFFFF && plain(code) == code
            ? dgm_unicode_rewritten(dgm_piece_nfkc_words, dgm_piece_nfkc_word_count, code, &count)
            : NULL;

    if (is_unseen(code))
        return DGM_OK;
    if (codes == NULL)
        return add_unit(env, written, code, start);
    for (size_t i = 0; i < count; i++)
        DGM_TRY(add_unit(env, written, codes[i], start));
    return DGM_OK;
}

dgm_status dgm_written_add(struct dgm_env *env, struct dgm_written *written, const char *text,
                           size_t bytes, size_t from)
{
    size_t used;

    for (size_t at = 0; at < bytes; at += used) {
        uint32_t code;

        used = dgm_utf8_decode(&code, text + at, bytes - at);
        DGM_TRY(add_character(env, written, code == DGM_UTF8_BAD ? DGM_UTF8_REPLACEMENT : code,
                              from + at));
    }
    return DGM_OK;
}

void dgm_written_clear(struct dgm_env *env, struct dgm_written *written)
{
    dgm_release(env, written->units);
    dgm_release(env, written->starts);
    memset(written, 0, sizeof *written);
}
