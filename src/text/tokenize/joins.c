/* joins.c: tables of marks by what they join, and of languages by their apostrophe. */
#include "text/tokenize/joins.h"

#include <stddef.h>
#include <string.h>

#include "text/unicode/unicode.h"

struct range {
    uint32_t first, last;
    enum dgm_joins joins;
};

/* In rising order. Dashes, middle dots, shads of Tibetan, signs of currency and percent are not
 * here: blanks stand on one side or the other. */
/* clang-format off */
static const struct range ranges[] = {
    /* ASCII and Latin-1 */
    { '!', '!', DGM_JOINS_CLOSING },         { '"', '"', DGM_JOINS_QUOTE },
    { '\'', '\'', DGM_JOINS_QUOTE },         { '(', '(', DGM_JOINS_OPENING },
    { ')', ')', DGM_JOINS_CLOSING },         { ',', ',', DGM_JOINS_CLOSING },
    { '.', '.', DGM_JOINS_CLOSING },         { ':', ';', DGM_JOINS_CLOSING },
    { '?', '?', DGM_JOINS_CLOSING },         { '[', '[', DGM_JOINS_OPENING },
    { ']', ']', DGM_JOINS_CLOSING },         { '{', '{', DGM_JOINS_OPENING },
    { '}', '}', DGM_JOINS_CLOSING },         { 0xA1, 0xA1, DGM_JOINS_OPENING },
    { 0xAB, 0xAB, DGM_JOINS_QUOTE },         { 0xBB, 0xBB, DGM_JOINS_QUOTE },
    { 0xBF, 0xBF, DGM_JOINS_OPENING },
    /* Greek, Armenian, Hebrew, Arabic, Syriac, N'Ko */
    { 0x37E, 0x37E, DGM_JOINS_CLOSING },     { 0x589, 0x589, DGM_JOINS_CLOSING },
    { 0x5C3, 0x5C3, DGM_JOINS_CLOSING },     { 0x60C, 0x60C, DGM_JOINS_CLOSING },
    { 0x61B, 0x61B, DGM_JOINS_CLOSING },     { 0x61D, 0x61F, DGM_JOINS_CLOSING },
    { 0x6D4, 0x6D4, DGM_JOINS_CLOSING },     { 0x700, 0x70A, DGM_JOINS_CLOSING },
    { 0x7F8, 0x7F9, DGM_JOINS_CLOSING },
    /* Indic, Sinhala, Tibetan */
    { 0x964, 0x965, DGM_JOINS_CLOSING },     { 0xDF4, 0xDF4, DGM_JOINS_CLOSING },
    { 0xF3A, 0xF3A, DGM_JOINS_OPENING },     { 0xF3B, 0xF3B, DGM_JOINS_CLOSING },
    { 0xF3C, 0xF3C, DGM_JOINS_OPENING },     { 0xF3D, 0xF3D, DGM_JOINS_CLOSING },
    /* Burmese, Ethiopic, Cree, Khmer, Mongolian, Ol Chiki */
    { 0x104A, 0x104B, DGM_JOINS_CLOSING },   { 0x1361, 0x1361, DGM_JOINS_BOTH },
    { 0x1362, 0x1368, DGM_JOINS_CLOSING },   { 0x166E, 0x166E, DGM_JOINS_CLOSING },
    { 0x17D4, 0x17D6, DGM_JOINS_CLOSING },   { 0x1802, 0x1805, DGM_JOINS_CLOSING },
    { 0x1808, 0x1809, DGM_JOINS_CLOSING },   { 0x1C7E, 0x1C7F, DGM_JOINS_CLOSING },
    /* Quotation marks, ellipses, doubled marks */
    { 0x2018, 0x201F, DGM_JOINS_QUOTE },     { 0x2026, 0x2026, DGM_JOINS_CLOSING },
    { 0x2039, 0x203A, DGM_JOINS_QUOTE },     { 0x203C, 0x203D, DGM_JOINS_CLOSING },
    { 0x2047, 0x2049, DGM_JOINS_CLOSING },   { 0x2E18, 0x2E18, DGM_JOINS_OPENING },
    { 0x2E2E, 0x2E2E, DGM_JOINS_CLOSING },
    /* Chinese and Japanese */
    { 0x3000, 0x303F, DGM_JOINS_BOTH },      { 0x30A0, 0x30A0, DGM_JOINS_BOTH },
    { 0x30FB, 0x30FB, DGM_JOINS_BOTH },
    /* Lisu, Vai, Meetei */
    { 0xA4FE, 0xA4FF, DGM_JOINS_CLOSING },   { 0xA60D, 0xA60F, DGM_JOINS_CLOSING },
    { 0xABEB, 0xABEB, DGM_JOINS_CLOSING },
    /* Wide forms */
    { 0xFE10, 0xFE19, DGM_JOINS_BOTH },      { 0xFE30, 0xFE6F, DGM_JOINS_BOTH },
    { 0xFF01, 0xFF65, DGM_JOINS_BOTH },      { 0xFFE0, 0xFFE6, DGM_JOINS_BOTH },
};
/* clang-format on */

enum dgm_joins dgm_joins_of(uint32_t code)
{
    size_t low = 0, high = sizeof ranges / sizeof ranges[0];

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (code > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == sizeof ranges / sizeof ranges[0] || code < ranges[low].first)
        return DGM_JOINS_NONE;
    /* Among the wide marks are iteration marks, numerals and wide letters. */
    if (ranges[low].joins == DGM_JOINS_BOTH &&
        dgm_unicode_is(code, DGM_UNICODE_ALNUM | DGM_UNICODE_NUMBER))
        return DGM_JOINS_NONE;
    return ranges[low].joins;
}

/* ---- quotation marks ------------------------------------------------------------------------- */

enum { SINGLE, DOUBLE, GUILLEMETS, SINGLE_GUILLEMETS };

static int kind_of(uint32_t code)
{
    if (code == 0xAB || code == 0xBB)
        return GUILLEMETS;
    if (code == 0x2039 || code == 0x203A)
        return SINGLE_GUILLEMETS;
    return code == '"' || code >= 0x201C ? DOUBLE : SINGLE;
}

int dgm_quotes_opens(const struct dgm_quotes *quotes, uint32_t code)
{
    const uint32_t opened = quotes->opened[kind_of(code)];

    if (opened == 0 || code == 0x201A || code == 0x201E)
        return 1;
    if (code == '"' || code == '\'' || code == 0x2019 || code == 0x201D)
        return 0;
    return opened == code;
}

void dgm_quotes_meet(struct dgm_quotes *quotes, uint32_t code)
{
    quotes->opened[kind_of(code)] = dgm_quotes_opens(quotes, code) ? code : 0;
}

void dgm_quotes_pass(struct dgm_quotes *quotes, uint32_t code)
{
    if (dgm_joins_of(code) == DGM_JOINS_QUOTE && kind_of(code) != SINGLE &&
        !dgm_quotes_opens(quotes, code))
        dgm_quotes_meet(quotes, code);
}

/* ---- languages ------------------------------------------------------------------------------- */

/* Whether a language's code stands in a list of codes, set off by blanks. */
static int is_listed(const char *list, const char *code)
{
    const size_t bytes = code != NULL ? strlen(code) : 0;
    const char *at = list;

    while (bytes > 0 && (at = strstr(at + 1, code)) != NULL)
        if (at[-1] == ' ' && at[bytes] == ' ')
            return 1;
    return 0;
}

enum dgm_apostrophe dgm_apostrophe_of(const char *language)
{
    /* As in Moses' rules for French, Italian, Catalan and Irish, and in their kin. */
    if (is_listed(" it ita ca cat ga gle oc oci co cos sc srd wa wln fur lij lmo pms scn vec ",
                  language))
        return DGM_APOSTROPHE_LEFT;
    if (is_listed(" tr tur az aze crh ", language))
        return DGM_APOSTROPHE_RIGHT;
    return DGM_APOSTROPHE_WITHIN;
}

int dgm_han_joins(const char *language)
{
    return !is_listed(" ko kor ", language);
}
