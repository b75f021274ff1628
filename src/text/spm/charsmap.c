/*
 * charsmap.c: replacement rules in a double-array trie.
 *
 * A unit, from its lowest bit: 8 label, 8 "a value follows", 9 and 10..30 the offset of its
 * children; a unit with bit 31 is a value. The child of unit u by byte c is u ^ offset(u) ^ c, and
 * is one if its label is c; the value of u is the unit u ^ offset(u). Yata, "Darts-clone: a clone
 * of Darts (Double-ARray Trie System)", https://github.com/s-yata/darts-clone.
 */
#include "text/spm/charsmap.h"

#include <string.h>

#include "base/le.h"
#include "text/unicode/utf8.h"

/* The library looks at no more rules than this for one place; the shortest come first. */
enum { MOST_HITS = 32 };

static dgm_status fail(struct dgm_env *env, const char *name, const char *what)
{
    return dgm_fail_at(env, DGM_DATA, name, 0, 0, "precompiled_charsmap: %s", what);
}

/* A NUL ends each replacement, so that none runs on beyond the last. */
static int are_texts(const char *texts, size_t size)
{
    size_t at = 0;

    if (size == 0 || texts[size - 1] != '\0')
        return 0;
    while (at < size) {
        uint32_t code;

        at += dgm_utf8_decode(&code, texts + at, size - at);
        if (code == DGM_UTF8_BAD)
            return 0;
    }
    return 1;
}

dgm_status dgm_charsmap_read(struct dgm_env *env, struct dgm_charsmap *map, const char *bytes,
                             size_t size, const char *name)
{
    size_t trie;

    memset(map, 0, sizeof *map);
    if (size == 0)
        return DGM_OK;
    if (size <= 4)
        return fail(env, name, "the length of its trie is cut off");
    trie = dgm_le32((const unsigned char *)bytes);
    if (trie == 0 || trie % 4 != 0 || trie >= size - 4)
        return fail(env, name, "the length of its trie is no multiple of 4 below its own");
    if (!are_texts(bytes + 4 + trie, size - 4 - trie))
        return fail(env, name, "its replacements are no UTF-8, each ended by a NUL");
    map->units = (const unsigned char *)bytes + 4;
    map->unit_count = trie / 4;
    map->texts = bytes + 4 + trie;
    map->text_bytes = size - 4 - trie;
    return DGM_OK;
}

static size_t offset_of(uint32_t unit)
{
    /* With bit 9 the offset counts blocks of 256 units: a shift by 512 >> 6 = 8. */
    return (size_t)(unit >> 10) << ((unit & (UINT32_C(1) << 9)) >> 6);
}

/* Whether a replacement may begin there: inside of them, and between two characters. */
static int is_text(const struct dgm_charsmap *map, size_t value)
{
    return value < map->text_bytes && ((unsigned char)map->texts[value] & 0xC0) != 0x80;
}

size_t dgm_charsmap_find(const struct dgm_charsmap *map, const char *text, size_t size,
                         const char **with, size_t *with_bytes)
{
    size_t found = 0, value = 0, place, i;
    int hits = 0;

    if (map->unit_count == 0)
        return 0;
    place = offset_of(dgm_le32(map->units));
    for (i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        uint32_t unit;

        place ^= byte;
        if (place >= map->unit_count)
            break;
        unit = dgm_le32(map->units + 4 * place);
        if ((unit & UINT32_C(0x800000FF)) != byte)
            break;
        place ^= offset_of(unit);
        if ((unit >> 8 & 1) == 0)
            continue;
        if (place >= map->unit_count || hits++ == MOST_HITS)
            break;
        found = i + 1;
        value = dgm_le32(map->units + 4 * place) & 0x7FFFFFFF;
    }
    if (found == 0 || !is_text(map, value))
        return 0;
    *with = map->texts + value;
    *with_bytes = strlen(*with);
    return found;
}
