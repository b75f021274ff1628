/* characters.c: running text as rows of numbers. */
#include "data/tree/characters.h"

#include "base/mem.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

int dgm_character_is_blank(uint32_t code)
{
    return code < 0x20 || dgm_unicode_is_blank(code);
}

static enum dgm_character_kind kind_of(uint32_t code)
{
    unsigned flags = dgm_unicode_flags(code);

    if (flags & DGM_UNICODE_PUNCT)
        return DGM_CHARACTER_PUNCT;
    if (flags & DGM_UNICODE_SYMBOL)
        return DGM_CHARACTER_SYMBOL;
    if (flags & DGM_UNICODE_DECIMAL)
        return DGM_CHARACTER_DIGIT;
    if (flags & DGM_UNICODE_NUMBER)
        return DGM_CHARACTER_NUMBER;
    if (flags & DGM_UNICODE_UPPER)
        return DGM_CHARACTER_UPPER;
    if (flags & DGM_UNICODE_LOWER)
        return DGM_CHARACTER_LOWER;
    if (dgm_unicode_is_unspaced(code))
        return DGM_CHARACTER_UNSPACED;
    return flags & DGM_UNICODE_ALPHA ? DGM_CHARACTER_LETTER : DGM_CHARACTER_OTHER;
}

/* The next row of bytes[*at..to): its first byte; *at moves behind it. White space is a blank. */
static size_t next_row(const char *bytes, size_t *at, size_t to, uint32_t *code)
{
    size_t start = *at, used = dgm_utf8_decode(code, bytes + start, to - start);
    uint32_t next;

    *at += used;
    if (!dgm_character_is_blank(*code))
        return start;
    *code = ' ';
    for (; *at < to; *at += used) {
        used = dgm_utf8_decode(&next, bytes + *at, to - *at);
        if (!dgm_character_is_blank(next))
            break;
    }
    return start;
}

static dgm_status add_row(struct dgm_env *env, struct dgm_characters *to, int32_t id,
                          enum dgm_character_kind kind, size_t start)
{
    const struct dgm_parallel arrays[] = { { &to->ids, sizeof *to->ids },
                                           { &to->kinds, sizeof *to->kinds },
                                           { &to->starts, sizeof *to->starts },
                                           { NULL, 0 } };

    DGM_TRY(dgm_reserve_parallel(env, arrays, &to->capacity, to->count + 1));
    to->ids[to->count] = id;
    to->kinds[to->count] = (int32_t)kind;
    to->starts[to->count++] = (uint32_t)start;
    return DGM_OK;
}

dgm_status dgm_characters_add(struct dgm_env *env, struct dgm_characters *characters,
                              const struct dgm_vocab *vocab, const char *bytes, size_t from,
                              size_t to)
{
    uint32_t code;

    for (size_t at = from; at < to;) {
        size_t start = next_row(bytes, &at, to, &code);
        int is_space = dgm_character_is_blank(code);

        if (is_space && (start == from || at == to))
            continue;
        DGM_TRY(add_row(env, characters,
                        (int32_t)(is_space ? dgm_vocab_find(vocab, " ", 1)
                                           : dgm_vocab_find(vocab, bytes + start, at - start)),
                        is_space ? DGM_CHARACTER_BLANK : kind_of(code), start));
    }
    return DGM_OK;
}

dgm_status dgm_characters_count(struct dgm_env *env, struct dgm_map *counts, const char *text,
                                size_t bytes)
{
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        size_t start = next_row(text, &at, bytes, &code);
        int is_space = dgm_character_is_blank(code);

        DGM_TRY(dgm_map_count(env, counts, is_space ? " " : text + start, is_space ? 1 : at - start,
                              1));
    }
    return DGM_OK;
}

void dgm_characters_clear(struct dgm_env *env, struct dgm_characters *characters)
{
    dgm_release(env, characters->ids);
    dgm_release(env, characters->kinds);
    dgm_release(env, characters->starts);
}
