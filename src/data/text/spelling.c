/*
 * spelling.c: how a part of an encoded line was written in the line as it came.
 *
 * Both texts are matched character by character (text/match/match.h). A part is found where both
 * of its ends are: there the characters on one side are the same in both texts.
 */
#include "data/text/spelling.h"

#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

dgm_status dgm_spelling_read(struct dgm_env *env, struct dgm_raw_spelling *spelling,
                             const char *raw, size_t raw_bytes, const char *cut, size_t cut_bytes)
{
    spelling->raw = raw;
    spelling->raw_bytes = raw_bytes;
    spelling->line.count = spelling->cut.count = 0;
    DGM_TRY(dgm_written_add(env, &spelling->line, raw, raw_bytes, 0));
    DGM_TRY(dgm_written_add(env, &spelling->cut, cut, cut_bytes, 0));
    return dgm_match_find(env, &spelling->match, &spelling->cut, &spelling->line);
}

/* The first unit that begins at a byte of the text, or behind it. */
static size_t unit_at(const struct dgm_written *written, size_t byte)
{
    size_t low = 0, high = written->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (written->starts[middle] < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_same(const struct dgm_raw_spelling *spelling, size_t unit)
{
    const size_t place = spelling->match.places[unit];

    return unit < spelling->cut.count && place < spelling->line.count &&
           spelling->cut.units[unit] == spelling->line.units[place];
}

/* Whether the place of a unit is certain: both texts have it, or have what is before it, or begin
 * or end there. */
static int is_anchor(const struct dgm_raw_spelling *spelling, size_t unit)
{
    const uint32_t *places = spelling->match.places;

    return unit == 0 || unit == spelling->cut.count || is_same(spelling, unit) ||
           (is_same(spelling, unit - 1) && places[unit] == places[unit - 1] + 1);
}

/* Bytes of a text up to its first blank; 0 where that comes before byte `least`. */
static size_t word_bytes(const char *text, size_t bytes, size_t least)
{
    size_t at = 0, used;

    for (; at < bytes; at += used) {
        uint32_t code;

        used = dgm_utf8_decode(&code, text + at, bytes - at);
        if (dgm_unicode_is_blank(code))
            return at > least ? at : 0;
    }
    return at;
}

dgm_status dgm_spelling_add(struct dgm_env *env, const struct dgm_raw_spelling *spelling,
                            struct dgm_buf *out, size_t start, size_t end, int *done)
{
    const struct dgm_written *line = &spelling->line;
    const uint32_t *places = spelling->match.places;
    const size_t first = unit_at(&spelling->cut, start), last = unit_at(&spelling->cut, end);
    size_t from, to, bytes;

    *done = 0;
    if (first == last || !is_anchor(spelling, first) || !is_anchor(spelling, last) ||
        places[first] >= places[last])
        return DGM_OK;
    from = line->starts[places[first]];
    to = places[last] < line->count ? line->starts[places[last]] : spelling->raw_bytes;
    /* What nobody sees, a joiner or a selector, goes with the character before it. */
    bytes = word_bytes(spelling->raw + from, to - from, line->starts[places[last] - 1] - from);
    *done = bytes > 0;
    return *done ? dgm_utf8_repair(env, out, spelling->raw + from, bytes, NULL) : DGM_OK;
}

void dgm_spelling_clear(struct dgm_env *env, struct dgm_raw_spelling *spelling)
{
    dgm_written_clear(env, &spelling->line);
    dgm_written_clear(env, &spelling->cut);
    dgm_match_clear(env, &spelling->match);
    memset(spelling, 0, sizeof *spelling);
}
