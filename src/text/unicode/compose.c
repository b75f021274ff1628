/* compose.c: canonical compositions, by the table of piece_data.c and the rule for Hangul. */
#include "text/unicode/compose.h"

#include "text/unicode/mark.h"
#include "text/unicode/nfc_data.h"
#include "text/unicode/piece_data.h"

/* Unicode, 3.12. */
enum {
    HANGUL = 0xAC00,
    HANGUL_L = 0x1100,
    HANGUL_V = 0x1161,
    HANGUL_T = 0x11A7,
    HANGUL_LS = 19,
    HANGUL_VS = 21,
    HANGUL_TS = 28
};

static uint32_t compose_hangul(uint32_t first, uint32_t second)
{
    const uint32_t lead = first - HANGUL_L, vowel = second - HANGUL_V;
    const uint32_t syllable = first - HANGUL, tail = second - HANGUL_T;

    if (lead < HANGUL_LS && vowel < HANGUL_VS)
        return HANGUL + (lead * HANGUL_VS + vowel) * HANGUL_TS;
    if (syllable < HANGUL_LS * HANGUL_VS * HANGUL_TS && syllable % HANGUL_TS == 0 && tail > 0 &&
        tail < HANGUL_TS)
        return first + tail;
    return 0;
}

/* Both tables are in the order of what is composed. */
static const struct {
    const uint32_t *words;
    const size_t *count;
} tables[] = { { dgm_piece_nfkc_pair_words, &dgm_piece_nfkc_pair_word_count },
               { dgm_nfc_pair_words, &dgm_nfc_pair_word_count } };
enum { TABLES = 2 };

/* All of them is looked at: most text has no such marks. */
uint32_t dgm_unicode_compose(uint32_t first, uint32_t second)
{
    if (second >= HANGUL_V && second < HANGUL_T + HANGUL_TS)
        return compose_hangul(first, second);
    if (!dgm_unicode_is_mark(second))
        return 0;
    for (int t = 0; t < TABLES; t++) {
        const uint32_t *words = tables[t].words;

        for (size_t i = 0; i < *tables[t].count; i += 3)
            if (words[i] == first && words[i + 1] == second)
                return words[i + 2];
    }
    return 0;
}

/* In one of the tables. */
static const uint32_t *find_pair(const uint32_t *words, size_t count, uint32_t code)
{
    size_t low = 0, high = count / 3;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (words[3 * middle + 2] == code)
            return words + 3 * middle;
        if (words[3 * middle + 2] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const uint32_t *dgm_unicode_decompose(uint32_t code)
{
    const uint32_t *pair = NULL;

    for (int t = 0; t < TABLES && pair == NULL; t++)
        pair = find_pair(tables[t].words, *tables[t].count, code);
    return pair;
}

/* Those of the second table are in the first one, too. */
int dgm_unicode_is_second(uint32_t code)
{
    const uint32_t *words = dgm_piece_nfkc_pair_words;

    if (code - HANGUL_V < HANGUL_VS || (code > HANGUL_T && code < HANGUL_T + HANGUL_TS))
        return 1;
    if (!dgm_unicode_is_mark(code))
        return 0;
    for (size_t i = 0; i < dgm_piece_nfkc_pair_word_count; i += 3)
        if (words[i + 1] == code)
            return 1;
    return 0;
}
