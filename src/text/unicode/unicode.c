/*
 * unicode.c: looks characters up in the tables of unicode_data.c, and lower-cases text.
 */
#include "text/unicode/unicode.h"

#include "text/unicode/unicode_data.h"
#include "text/unicode/utf8.h"

enum { FLAG_BITS = 11 };

/* An entry has several words, whose first one alone has a length on top. */
const uint32_t *dgm_unicode_rewritten(const uint32_t *words, size_t count, uint32_t code,
                                      size_t *length)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        while (words[middle] >> 24 == 0)
            middle--;
        *length = words[middle] >> 24;
        if ((words[middle] & 0xFFFFFF) == code)
            return words + middle + 1;
        if ((words[middle] & 0xFFFFFF) < code)
            low = middle + *length + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The table has a number for each run of characters with the same flags: the first of them, and
 * below it, in FLAG_BITS, the flags. A run ends where the next begins. */
unsigned dgm_unicode_flags(uint32_t code)
{
    if (code < 128)
        return dgm_unicode_ascii[code];
    return code > 0x10FFFF
               ? 0
               : dgm_unicode_run(dgm_unicode_runs, dgm_unicode_run_count, FLAG_BITS, code);
}

int dgm_unicode_is(uint32_t code, unsigned flags)
{
    return (dgm_unicode_flags(code) & flags) != 0;
}

int dgm_unicode_is_blank(uint32_t code)
{
    return (code >= 0x1C && code <= 0x1F) || dgm_unicode_is(code, DGM_UNICODE_SPACE);
}

int dgm_unicode_is_unspaced(uint32_t code)
{
    static const uint32_t blocks[][2] = {
        { 0x0E01, 0x109F },   /* Thai, Lao, Tibetan, Burmese */
        { 0x1780, 0x17FF },   /* Khmer */
        { 0x2E80, 0x30FF },   /* radicals, punctuation, Kana */
        { 0x31F0, 0x31FF },   /* more Katakana */
        { 0x3400, 0x9FFF },   /* Han */
        { 0xF900, 0xFAFF },   /* compatible Han */
        { 0xFF01, 0xFF9F },   /* wide punctuation, narrow Katakana */
        { 0x20000, 0x3FFFF }, /* more Han */
    };

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (code >= blocks[i][0] && code <= blocks[i][1])
            return 1;
    return 0;
}

uint32_t dgm_unicode_lower(uint32_t code)
{
    const struct dgm_unicode_lower_run *run;
    size_t low = 0, high = dgm_unicode_lower_count;

    if (code < 128)
        return code >= 'A' && code <= 'Z' ? code + 32 : code;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (dgm_unicode_lower_runs[middle].first <= code)
            low = middle;
        else
            high = middle;
    }
    run = &dgm_unicode_lower_runs[low];
    if (code < run->first || code > run->last || (code - run->first) % (uint32_t)run->step != 0)
        return code;
    return (uint32_t)((int32_t)code + run->delta);
}

uint32_t dgm_unicode_upper(uint32_t code)
{
    if (code < 128)
        return code >= 'a' && code <= 'z' ? code - 32 : code;
    for (size_t i = 0; i < dgm_unicode_lower_count; i++) {
        const struct dgm_unicode_lower_run *run = &dgm_unicode_lower_runs[i];
        uint32_t from = (uint32_t)((int32_t)code - run->delta);

        if (from >= run->first && from <= run->last &&
            (from - run->first) % (uint32_t)run->step == 0)
            return from;
    }
    return code;
}

static int is_cased(uint32_t code)
{
    /*
     * The titlecase letters, general category Lt, are cased and neither lower nor
     * upper.
     */
    if (code == 0x1C5 || code == 0x1C8 || code == 0x1CB || code == 0x1F2)
        return 1;
    if ((code >= 0x1F88 && code <= 0x1FAF && (code & 8) != 0) || code == 0x1FBC || code == 0x1FCC ||
        code == 0x1FFC)
        return 1;
    return dgm_unicode_is(code, DGM_UNICODE_LOWER | DGM_UNICODE_UPPER);
}

/* Whether a cased letter follows, with nothing but ignorable characters between: the second half of
 * the condition Final_Sigma (Unicode, section 3.13). */
static int cased_follows(const char *bytes, size_t count)
{
    size_t at = 0;
    uint32_t code;

    while (at < count) {
        at += dgm_utf8_decode(&code, bytes + at, count - at);
        if (!dgm_unicode_is(code, DGM_UNICODE_IGNORABLE))
            return is_cased(code);
    }
    return 0;
}

dgm_status dgm_unicode_lower_text(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                                  size_t count)
{
    size_t at = 0, used;
    uint32_t code;
    int after_cased = 0; /* a cased letter precedes; ignorable characters leave this alone */

    for (; at < count; at += used) {
        used = dgm_utf8_decode(&code, bytes + at, count - at);
        if (code == DGM_UTF8_BAD)
            DGM_TRY(dgm_buf_add(env, out, bytes + at, used));
        else if (code == 0x130)
            DGM_TRY(dgm_buf_add_text(env, out, "i\xCC\x87"));
        else if (code == 0x3A3 && after_cased &&
                 !cased_follows(bytes + at + used, count - at - used))
            DGM_TRY(dgm_utf8_add(env, out, 0x3C2));
        else
            DGM_TRY(dgm_utf8_add(env, out, dgm_unicode_lower(code)));
        if (!dgm_unicode_is(code, DGM_UNICODE_IGNORABLE))
            after_cased = is_cased(code);
    }
    return DGM_OK;
}
