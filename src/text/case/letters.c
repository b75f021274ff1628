/* letters.c: the special cases of upper and lower case, and all others by Unicode's tables. */
#include "text/case/letters.h"

#include <string.h>

#include "text/match/written.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

enum dgm_letters dgm_letters_of(const char *language)
{
    if (language == NULL)
        return DGM_LETTERS_GENERAL;
    if (strcmp(language, "tr") == 0 || strcmp(language, "az") == 0)
        return DGM_LETTERS_TURKIC;
    return strcmp(language, "nl") == 0 ? DGM_LETTERS_DUTCH : DGM_LETTERS_GENERAL;
}

size_t dgm_letters_next(uint32_t *code, const char *bytes, size_t count)
{
    char character;
    const size_t escape = dgm_written_escape(bytes, count, &character);

    if (escape == 0)
        return dgm_utf8_decode(code, bytes, count);
    *code = (unsigned char)character;
    return escape;
}

/* ---- single characters ----------------------------------------------------------------------- */

enum { DOTTED_CAPITAL = 0x130, DOTLESS = 0x131 };

/* Unicode's SpecialCasing.txt, without what only Greek with two accents has. */
static const struct {
    uint32_t code;
    const char *upper, *head;
} specials[] = {
    { 0xDF, "SS", "Ss" },     { 0x149, "\xCA\xBCN", "\xCA\xBCN" },
    { 0xFB00, "FF", "Ff" },   { 0xFB01, "FI", "Fi" },
    { 0xFB02, "FL", "Fl" },   { 0xFB03, "FFI", "Ffi" },
    { 0xFB04, "FFL", "Ffl" }, { 0xFB05, "ST", "St" },
    { 0xFB06, "ST", "St" },
};

/* Small letters that share their capital with another one. */
static const uint32_t variants[][2] = { { 0xB5, 0x39C },  { DOTLESS, 'I' }, { 0x17F, 'S' },
                                        { 0x3C2, 0x3A3 }, { 0x3D0, 0x392 }, { 0x3D1, 0x398 },
                                        { 0x3D5, 0x3A6 }, { 0x3D6, 0x3A0 }, { 0x3F0, 0x39A },
                                        { 0x3F1, 0x3A1 }, { 0x3F5, 0x395 }, { 0x1C5, 0x1C4 },
                                        { 0x1C8, 0x1C7 }, { 0x1CB, 0x1CA }, { 0x1F2, 0x1F1 },
                                        { 0x1FBE, 0x399 } };

static uint32_t upper_of(uint32_t code, enum dgm_letters letters)
{
    if (code == 'i' && letters == DGM_LETTERS_TURKIC)
        return DOTTED_CAPITAL;
    for (size_t i = 0; code > 0x7F && i < sizeof variants / sizeof *variants; i++)
        if (variants[i][0] == code)
            return variants[i][1];
    return dgm_unicode_upper(code);
}

static uint32_t head_of(uint32_t code, enum dgm_letters letters)
{
    const uint32_t upper = upper_of(code, letters);

    if (upper == 0x1C4 || upper == 0x1C7 || upper == 0x1CA || upper == 0x1F1)
        return upper + 1;                                     /* the digraphs */
    return upper >= 0x1C90 && upper <= 0x1CBF ? code : upper; /* Georgian */
}

static const char *find_special(uint32_t code, int is_head)
{
    for (size_t i = 0; code > 0x7F && i < sizeof specials / sizeof *specials; i++)
        if (specials[i].code == code)
            return is_head ? specials[i].head : specials[i].upper;
    return NULL;
}

static dgm_status add_capital(struct dgm_env *env, struct dgm_buf *out, uint32_t code,
                              enum dgm_letters letters, int is_head)
{
    const char *special = find_special(code, is_head);

    if (special != NULL)
        return dgm_buf_add_text(env, out, special);
    return dgm_utf8_add(env, out, is_head ? head_of(code, letters) : upper_of(code, letters));
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Whether what was read is no letter of its own: an escape, an ill-formed part. */
static int is_fixed(uint32_t code, size_t used)
{
    return code == DGM_UTF8_BAD || (code < 0x80 && used > 1);
}

dgm_status dgm_letters_upper(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                             size_t count, enum dgm_letters letters)
{
    size_t used;
    uint32_t code;

    for (size_t at = 0; at < count; at += used) {
        used = dgm_letters_next(&code, bytes + at, count - at);
        DGM_TRY(is_fixed(code, used) ? dgm_buf_add(env, out, bytes + at, used)
                                     : add_capital(env, out, code, letters, 0));
    }
    return DGM_OK;
}

static dgm_status lower_turkic(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                               size_t count)
{
    size_t used;
    uint32_t code;

    for (size_t at = 0; at < count; at += used) {
        used = dgm_utf8_decode(&code, bytes + at, count - at);
        if (code == DGM_UTF8_BAD)
            DGM_TRY(dgm_buf_add(env, out, bytes + at, used));
        else
            DGM_TRY(dgm_utf8_add(env, out,
                                 code == 'I'              ? DOTLESS
                                 : code == DOTTED_CAPITAL ? 'i'
                                                          : dgm_unicode_lower(code)));
    }
    return DGM_OK;
}

dgm_status dgm_letters_lower(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                             size_t count, enum dgm_letters letters)
{
    return letters == DGM_LETTERS_TURKIC ? lower_turkic(env, out, bytes, count)
                                         : dgm_unicode_lower_text(env, out, bytes, count);
}

/* Where the first letter is; `count`: there is none, or a digit stands before it. */
static size_t find_letter(const char *bytes, size_t count, uint32_t *code, size_t *used)
{
    for (size_t at = 0; at < count; at += *used) {
        *used = dgm_letters_next(code, bytes + at, count - at);
        if (*code == DGM_UTF8_BAD)
            continue;
        if (dgm_unicode_is(*code, DGM_UNICODE_NUMBER))
            break;
        if (dgm_unicode_is(*code, DGM_UNICODE_LETTER))
            return at;
    }
    return count;
}

dgm_status dgm_letters_head(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                            size_t count, enum dgm_letters letters)
{
    size_t used = 0;
    uint32_t code = 0;
    const size_t at = find_letter(bytes, count, &code, &used);

    DGM_TRY(dgm_buf_add(env, out, bytes, at));
    if (at == count)
        return DGM_OK;
    DGM_TRY(add_capital(env, out, code, letters, 1));
    if (letters == DGM_LETTERS_DUTCH && code == 'i' && at + 1 < count && bytes[at + 1] == 'j') {
        DGM_TRY(dgm_buf_add_char(env, out, 'J'));
        used++;
    }
    return dgm_buf_add(env, out, bytes + at + used, count - at - used);
}
