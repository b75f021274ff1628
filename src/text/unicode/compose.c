/* compose.c: canonical compositions, by the table of piece_data.c and the rule for Hangul. */
#include "text/unicode/compose.h"

#include "text/unicode/mark.h"
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

/* The table is in the order of what is composed, so all of it is looked at: most text has no such
 * marks. */
uint32_t dgm_unicode_compose(uint32_t first, uint32_t second)
{
    const uint32_t *words = dgm_piece_nfkc_pair_words;

    if (second >= HANGUL_V && second < HANGUL_T + HANGUL_TS)
        return compose_hangul(first, second);
    if (!dgm_unicode_is_mark(second))
        return 0;
    for (size_t i = 0; i < dgm_piece_nfkc_pair_word_count; i += 3)
        if (words[i] == first && words[i + 1] == second)
            return words[i + 2];
    return 0;
}
