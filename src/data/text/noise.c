/* noise.c: changes a line as people do who write in haste. */
#include "data/text/noise.h"

#include <string.h>

#include "base/bytes.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

static int is_letter(uint32_t code)
{
    return code != DGM_UTF8_BAD && dgm_unicode_is(code, DGM_UNICODE_LETTER);
}

/* ---- capitals -------------------------------------------------------------------------------- */

static dgm_status lower_head(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                             enum dgm_letters letters)
{
    size_t at = 0, used = 0;
    uint32_t code = 0;

    for (; at < line->size && !is_letter(code); at += used)
        used = dgm_letters_next(&code, line->data + at, line->size - at);
    if (!is_letter(code))
        return dgm_buf_add(env, out, line->data, line->size);
    DGM_TRY(dgm_buf_add(env, out, line->data, at - used));
    DGM_TRY(dgm_letters_lower(env, out, line->data + at - used, used, letters));
    return dgm_buf_add(env, out, line->data + at, line->size - at);
}

static dgm_status raise_heads(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                              enum dgm_letters letters)
{
    const char *word;
    size_t at = 0, done = 0, length;

    while (dgm_bytes_field(line->data, line->size, &at, &word, &length)) {
        const size_t start = (size_t)(word - line->data);

        DGM_TRY(dgm_buf_add(env, out, line->data + done, start - done));
        DGM_TRY(dgm_letters_head(env, out, word, length, letters));
        done = at;
    }
    return dgm_buf_add(env, out, line->data + done, line->size - done);
}

dgm_status dgm_noise_case(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                          enum dgm_noise_case how, enum dgm_letters letters)
{
    if (how == DGM_NOISE_CAPITALS)
        return dgm_letters_upper(env, out, line->data, line->size, letters);
    return (how == DGM_NOISE_SMALL_HEAD ? lower_head : raise_heads)(env, out, line, letters);
}

/* ---- slips ----------------------------------------------------------------------------------- */

/* Two letters side by side: where each begins, and where the second ends. */
struct pair {
    size_t first, second, end;
};

/* Pair number `wanted` of the line; how many there are up to it, or in all. */
static uint32_t find_pair(const struct dgm_buf *line, uint32_t wanted, struct pair *pair)
{
    size_t at = 0, before = 0, used;
    uint32_t count = 0, code;
    int was_letter = 0;

    for (; at < line->size; at += used) {
        used = dgm_letters_next(&code, line->data + at, line->size - at);
        if (was_letter && is_letter(code) && count++ == wanted) {
            *pair = (struct pair){ before, at, at + used };
            return count;
        }
        was_letter = is_letter(code);
        before = at;
    }
    return count;
}

/* The key beside that of a small letter of ASCII; the letter itself of any other. */
static char key_beside(char c, struct dgm_random *random)
{
    static const char keys[] = " qwertyuiop asdfghjkl zxcvbnm ";
    const char *key = c >= 'a' && c <= 'z' ? strchr(keys, c) : NULL;
    const int left = (int)dgm_random_below(random, 2);

    if (key == NULL)
        return c;
    if (key[-1] == ' ')
        return key[1];
    return left || key[1] == ' ' ? key[-1] : key[1];
}

enum slip { EXCHANGED, LOST, TWICE, BESIDE, SLIPS };

static dgm_status add_slip(struct dgm_env *env, struct dgm_buf *out, const char *text,
                           const struct pair *pair, enum slip slip, struct dgm_random *random)
{
    const char *a = text + pair->first, *b = text + pair->second;
    const size_t a_bytes = pair->second - pair->first, b_bytes = pair->end - pair->second;

    if (slip == EXCHANGED) {
        DGM_TRY(dgm_buf_add(env, out, b, b_bytes));
        return dgm_buf_add(env, out, a, a_bytes);
    }
    if (slip == BESIDE && a_bytes == 1)
        DGM_TRY(dgm_buf_add_char(env, out, key_beside(*a, random)));
    else
        DGM_TRY(dgm_buf_add(env, out, a, a_bytes));
    if (slip == TWICE)
        DGM_TRY(dgm_buf_add(env, out, a, a_bytes));
    return slip == LOST ? DGM_OK : dgm_buf_add(env, out, b, b_bytes);
}

dgm_status dgm_noise_typo(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                          struct dgm_random *random)
{
    struct pair pair = { 0, 0, 0 };
    const uint32_t count = find_pair(line, UINT32_MAX, &pair);
    enum slip slip;

    if (count == 0)
        return dgm_buf_add(env, out, line->data, line->size);
    find_pair(line, dgm_random_below(random, count), &pair);
    slip = (enum slip)dgm_random_below(random, SLIPS);
    DGM_TRY(dgm_buf_add(env, out, line->data, pair.first));
    DGM_TRY(add_slip(env, out, line->data, &pair, slip, random));
    return dgm_buf_add(env, out, line->data + pair.end, line->size - pair.end);
}

/* ---- marks ----------------------------------------------------------------------------------- */

static dgm_status lose_last(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line)
{
    size_t at = 0, last = 0, used;
    uint32_t code = 0;

    for (; at < line->size; at += used) {
        used = dgm_letters_next(&code, line->data + at, line->size - at);
        last = at;
    }
    if (code == DGM_UTF8_BAD || !dgm_unicode_is(code, DGM_UNICODE_PUNCT))
        last = line->size;
    while (last > 0 && last < line->size && line->data[last - 1] == ' ')
        last--;
    return dgm_buf_add(env, out, line->data, last > 0 ? last : line->size);
}

static int is_curly(uint32_t code)
{
    return (code >= 0x201C && code <= 0x201F) || code == 0xAB || code == 0xBB;
}

static dgm_status exchange_quotes(struct dgm_env *env, struct dgm_buf *out,
                                  const struct dgm_buf *line, int escaped)
{
    uint32_t code, next = 0x201C; /* what a straight quote becomes: opening, closing */
    size_t used;

    for (size_t at = 0; at < line->size; at += used) {
        used = dgm_letters_next(&code, line->data + at, line->size - at);
        if (code == '"') {
            DGM_TRY(dgm_utf8_add(env, out, next));
            next ^= 1; /* U+201C, U+201D */
        } else if (is_curly(code)) {
            DGM_TRY(dgm_buf_add_text(env, out, escaped ? "&quot;" : "\""));
        } else {
            DGM_TRY(dgm_buf_add(env, out, line->data + at, used));
        }
    }
    return DGM_OK;
}

static dgm_status double_blank(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                               struct dgm_random *random)
{
    uint32_t count = 0, wanted;

    for (size_t i = 0; i < line->size; i++)
        count += line->data[i] == ' ';
    wanted = count > 0 ? dgm_random_below(random, count) : 0;
    for (size_t i = 0; i < line->size; i++) {
        DGM_TRY(dgm_buf_add_char(env, out, line->data[i]));
        if (line->data[i] == ' ' && wanted-- == 0)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
    }
    return DGM_OK;
}

dgm_status dgm_noise_marks(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                           struct dgm_random *random, int escaped)
{
    switch (dgm_random_below(random, 3)) {
    case 0: return lose_last(env, out, line);
    case 1: return exchange_quotes(env, out, line, escaped);
    default: return double_blank(env, out, line, random);
    }
}
