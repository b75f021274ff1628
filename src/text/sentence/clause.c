/* clause.c: where a sentence is cut in two that is too long for what reads it. */
#include "text/sentence/clause.h"

#include "text/sentence/breaks.h"
#include "text/unicode/utf8.h"

/* Ranks of a place to cut at, the best last. */
enum { ANYWHERE, AT_BLANK, AT_COMMA, RANKS };

struct cut {
    size_t at;
    int rank;
};

static size_t distance(size_t at, size_t middle)
{
    return at > middle ? at - middle : middle - at;
}

/* A mark and blanks in the outer quarters of the text count as no places but for blanks. */
static void offer(struct cut *best, size_t size, size_t at, int rank)
{
    const size_t middle = size / 2, away = distance(at, middle);

    if (at == 0 || at >= size)
        return;
    if (rank == AT_COMMA && away > size / 4)
        rank = AT_BLANK;
    if (best->at == 0 || rank > best->rank ||
        (rank == best->rank && away < distance(best->at, middle)))
        *best = (struct cut){ at, rank };
}

/* Of a place between a character of class `before` and one of class `behind`; -1: none. */
static int rank_between(enum dgm_break mark, enum dgm_break before, enum dgm_break behind,
                        int is_wide)
{
    if (behind == DGM_BREAK_SP || behind == DGM_BREAK_SEP)
        return -1;
    if (before == DGM_BREAK_SP)
        return mark == DGM_BREAK_SCONTINUE ? AT_COMMA : AT_BLANK;
    return is_wide ? AT_COMMA : ANYWHERE;
}

size_t dgm_clause_cut(const char *text, size_t size)
{
    enum dgm_break mark = DGM_BREAK_OTHER, before = DGM_BREAK_OTHER;
    struct cut best = { 0, ANYWHERE };
    int is_wide = 0;

    for (size_t at = 0, end; at < size; at = end) {
        const enum dgm_break class = dgm_break_next(text, size, at, &end);
        const int rank = rank_between(mark, before, class, is_wide);
        uint32_t code;

        if (rank >= 0)
            offer(&best, size, at, rank);
        dgm_utf8_decode(&code, text + at, size - at);
        is_wide = class == DGM_BREAK_SCONTINUE && code >= 0x3000;
        if (class != DGM_BREAK_SP)
            mark = class;
        before = class;
    }
    return best.at;
}
