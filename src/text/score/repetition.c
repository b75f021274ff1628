/*
 * repetition.c: blocks of tokens that are followed by themselves, or nearly so.
 */
#include "text/score/repetition.h"

#include <string.h>

#include "base/mem.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

enum { NEAR_LEAST = 4, NEAR_MOST = 12 };

/* ---- tokens --------------------------------------------------------------------------------- */

/* Whether a token is more than punctuation, symbols and digits. */
static int is_word(const char *token, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        uint32_t code;

        at += dgm_utf8_decode(&code, token + at, bytes - at);
        if (!dgm_unicode_is(code, DGM_UNICODE_PUNCT | DGM_UNICODE_SYMBOL | DGM_UNICODE_NUMBER))
            return 1;
    }
    return 0;
}

static dgm_status add_token(struct dgm_env *env, struct dgm_repetition *repetition,
                            const char *token, size_t bytes)
{
    struct dgm_map_entry *entry;
    const size_t used = (size_t)repetition->starts[repetition->count];
    int is_new;

    DGM_TRY(dgm_reserve(env, &repetition->items, &repetition->capacity, used + 1,
                        sizeof *repetition->items));
    DGM_TRY(dgm_map_insert(env, &repetition->words, token, bytes, &entry, &is_new));
    if (is_new)
        entry->value = is_word(token, bytes);
    repetition->items[used] = (int32_t)(entry - repetition->words.entries);
    repetition->starts[repetition->count]++;
    return DGM_OK;
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

dgm_status dgm_repetition_add(struct dgm_env *env, struct dgm_repetition *repetition,
                              const char *text, size_t bytes)
{
    size_t at = 0;
    int left = DGM_REPETITION_TOKENS;

    DGM_TRY(dgm_reserve(env, &repetition->starts, &repetition->start_capacity,
                        repetition->count + 2, sizeof *repetition->starts));
    repetition->count++;
    repetition->starts[repetition->count] = repetition->starts[repetition->count - 1];
    while (left-- > 0) {
        size_t first;

        while (at < bytes && is_space(text[at]))
            at++;
        for (first = at; at < bytes && !is_space(text[at]); at++)
            ;
        if (first == at)
            break;
        DGM_TRY(add_token(env, repetition, text + first, at - first));
    }
    return DGM_OK;
}

dgm_status dgm_repetition_begin(struct dgm_env *env, struct dgm_repetition *repetition,
                                const char *text, size_t bytes)
{
    DGM_TRY(dgm_reserve(env, &repetition->starts, &repetition->start_capacity, 1,
                        sizeof *repetition->starts));
    repetition->count = 0;
    repetition->starts[0] = 0;
    return dgm_repetition_add(env, repetition, text, bytes);
}

void dgm_repetition_clear(struct dgm_env *env, struct dgm_repetition *repetition)
{
    dgm_map_clear(env, &repetition->words);
    dgm_release(env, repetition->items);
    dgm_release(env, repetition->starts);
    memset(repetition, 0, sizeof *repetition);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Whether a block is a shorter one several times over. */
static int is_power(const int32_t *block, int32_t n)
{
    for (int32_t p = 1; p <= n / 2; p++)
        if (n % p == 0 && memcmp(block, block + p, (size_t)(n - p) * sizeof *block) == 0)
            return 1;
    return 0;
}

static int has_word(const struct dgm_repetition *repetition, const int32_t *block, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (repetition->words.entries[block[i]].value)
            return 1;
    return 0;
}

/* Whether some reference says these n tokens one after the other. */
static int is_in_reference(const struct dgm_repetition *repetition, const int32_t *tokens,
                           int32_t n)
{
    for (size_t r = 1; r < repetition->count; r++)
        for (int32_t i = repetition->starts[r]; i + n <= repetition->starts[r + 1]; i++)
            if (memcmp(repetition->items + i, tokens, (size_t)n * sizeof *tokens) == 0)
                return 1;
    return 0;
}

/* `hits` tokens from `at` on are those n further on: hits - n + 1 blocks, turned by one each. */
static int counts(const struct dgm_repetition *repetition, const int32_t *at, int32_t hits,
                  int32_t n)
{
    const int32_t turns = hits - n < n - 1 ? hits - n : n - 1;

    if (is_power(at, n) || !has_word(repetition, at, n))
        return 0;
    for (int32_t k = 0; k <= turns; k++)
        if (is_in_reference(repetition, at + k, 2 * n))
            return 0;
    return 1;
}

/*
 * Tries each length n from the longest on. At each, the run of places at which a token is equal to
 * the one n further on is found once and then left behind: m steps for each n, m^2 / 2 for a line
 * of m tokens, which is why a line has at most DGM_REPETITION_TOKENS of them.
 */
int32_t dgm_repetition_longest(const struct dgm_repetition *repetition)
{
    const int32_t *y = repetition->items, m = repetition->starts[1];

    for (int32_t n = m / 2; n > 0; n--)
        for (int32_t i = 0, hits; i + n < m; i += hits + 1) {
            hits = 0;
            while (i + hits + n < m && y[i + hits] == y[i + hits + n])
                hits++;
            if (hits >= n && counts(repetition, y + i, hits, n))
                return n;
        }
    return 0;
}

/* Whether one insertion, removal or exchange at most makes a block the other: what lies between
 * their common beginning and their common end. */
static int is_one_apart(const int32_t *a, int32_t n, const int32_t *b, int32_t k)
{
    const int32_t least = n < k ? n : k, most = n < k ? k : n;
    int32_t front = 0, back = 0;

    while (front < least && a[front] == b[front])
        front++;
    while (back < least - front && a[n - 1 - back] == b[k - 1 - back])
        back++;
    return front + back >= most - 1;
}

int dgm_repetition_is_near(const struct dgm_repetition *repetition)
{
    const int32_t *y = repetition->items, m = repetition->starts[1];

    for (int32_t i = 0; i + 2 * NEAR_LEAST <= m; i++)
        for (int32_t n = NEAR_LEAST; n <= NEAR_MOST; n++)
            for (int32_t k = n - 1; k <= n + 1; k++)
                if (k >= NEAR_LEAST && k <= NEAR_MOST && i + n + k <= m &&
                    is_one_apart(y + i, n, y + i + n, k) && !is_power(y + i, n) &&
                    !is_power(y + i + n, k) && has_word(repetition, y + i, n) &&
                    !is_in_reference(repetition, y + i, n + k))
                    return 1;
    return 0;
}
