/* passes.c: characters with what follows them: read, put, written. */
#include "text/tokenize/passes.h"

#include "base/mem.h"
#include "text/unicode/mark.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

#define CURLY_APOSTROPHE 0x2019

unsigned dgm_character_flags(dgm_character c)
{
    uint32_t base = dgm_character_base(c);

    return base >= DGM_NO_LETTER ? DGM_UNICODE_ALPHA | DGM_UNICODE_UPPER : dgm_unicode_flags(base);
}

int dgm_character_is(dgm_character c, unsigned flags)
{
    return (dgm_character_flags(c) & flags) != 0;
}

int dgm_character_is_apostrophe(dgm_character c)
{
    return c == '\'' || c == CURLY_APOSTROPHE;
}

/* ---- reading --------------------------------------------------------------------------------- */

dgm_status dgm_passes_put(struct dgm_passes *passes, dgm_character c)
{
    struct dgm_character_row *to = &passes->spare;

    DGM_TRY(dgm_grow(passes->env, &to->items, &to->capacity, to->count, sizeof *to->items));
    to->items[to->count++] = c;
    return DGM_OK;
}

dgm_status dgm_passes_put_all(struct dgm_passes *passes, dgm_character a, dgm_character b,
                              dgm_character c)
{
    DGM_TRY(dgm_passes_put(passes, a));
    DGM_TRY(dgm_passes_put(passes, b));
    return dgm_passes_put(passes, c);
}

/* Every pass writes to `spare`; this makes its result the text. */
void dgm_passes_end(struct dgm_passes *passes)
{
    struct dgm_character_row text = passes->text;

    passes->text = passes->spare;
    passes->spare = text;
    passes->spare.count = 0;
}

static dgm_status add_follower(struct dgm_passes *passes, uint32_t code)
{
    struct dgm_followers *to = &passes->followers;

    DGM_TRY(dgm_grow(passes->env, &to->codes, &to->capacity, to->count, sizeof *to->codes));
    to->codes[to->count++] = code;
    return DGM_OK;
}

/* Hangs a code on the last character, whose followers, if it has some, are the last of all. */
static dgm_status follow(struct dgm_passes *passes, uint32_t code)
{
    dgm_character *last = &passes->spare.items[passes->spare.count - 1];

    if (*last == dgm_character_base(*last))
        *last |= (dgm_character)(passes->followers.count + 1) << 32;
    else
        passes->followers.count--;
    DGM_TRY(add_follower(passes, code));
    return add_follower(passes, 0);
}

/* A symbol goes on with what a joiner ends: a family is one pictograph. A flag begins behind
 * punctuation. `last`: the dgm_character before it. */
static int is_following(const struct dgm_passes *passes, dgm_character last, uint32_t c)
{
    const struct dgm_followers *all = &passes->followers;

    if (last != dgm_character_base(last) && all->codes[all->count - 2] == DGM_ZERO_WIDTH_JOINER &&
        dgm_unicode_is(c, DGM_UNICODE_SYMBOL))
        return 1;
    if (dgm_unicode_is_regional(c) && dgm_character_is(last, DGM_UNICODE_PUNCT))
        return 0;
    return dgm_unicode_is_follower(c);
}

/* Adds a character, or what follows the one before it; `is_first`: nothing or a blank is there. */
static dgm_status read_character(struct dgm_passes *passes, uint32_t c, int is_first)
{
    if (!is_first && is_following(passes, passes->spare.items[passes->spare.count - 1], c))
        return follow(passes, c);
    if (!dgm_unicode_is_follower(c))
        return dgm_passes_put(passes, c);
    DGM_TRY(dgm_passes_put(passes, DGM_NO_LETTER));
    return follow(passes, c);
}

/*
 * Characters with all white space as single blanks, none at the ends, and no control
 * bytes.
 */
dgm_status dgm_passes_read(struct dgm_passes *passes, const char *line, size_t bytes)
{
    size_t at = 0;
    uint32_t c;
    int blank = 0;

    while (at < bytes) {
        at += dgm_utf8_decode(&c, line + at, bytes - at);
        if (c == DGM_UTF8_BAD)
            c = DGM_UTF8_REPLACEMENT;
        if (dgm_character_is(c, DGM_UNICODE_SPACE)) {
            blank = 1;
            continue;
        }
        if (c < 0x20)
            continue;
        if (blank && passes->spare.count > 0)
            DGM_TRY(dgm_passes_put(passes, ' '));
        DGM_TRY(read_character(passes, c, blank || passes->spare.count == 0));
        blank = 0;
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */

static const char *escape_of(uint32_t c)
{
    switch (c) {
    case '&': return "&amp;";
    case '|': return "&#124;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '\'': return "&apos;";
    case '"': return "&quot;";
    case '[': return "&#91;";
    case ']': return "&#93;";
    default: return NULL;
    }
}

static dgm_status write_character(struct dgm_passes *passes, struct dgm_buf *out, dgm_character c,
                                  int escape)
{
    uint32_t base = dgm_character_base(c);
    const char *escaped = escape ? escape_of(base) : NULL;
    size_t at = (size_t)(c >> 32);

    if (escaped != NULL)
        DGM_TRY(dgm_buf_add_text(passes->env, out, escaped));
    else if (base != DGM_NO_LETTER)
        DGM_TRY(dgm_utf8_add(passes->env, out, base == DGM_KEPT_DOT ? '.' : base));
    for (; at > 0 && passes->followers.codes[at - 1] != 0; at++)
        DGM_TRY(dgm_utf8_add(passes->env, out, passes->followers.codes[at - 1]));
    return DGM_OK;
}

dgm_status dgm_passes_write(struct dgm_passes *passes, struct dgm_buf *out, int escape)
{
    size_t i, start = out->size;
    int blank = 0;

    for (i = 0; i < passes->text.count; i++) {
        dgm_character c = passes->text.items[i];

        if (c == ' ') {
            blank = 1;
            continue;
        }
        if (blank && out->size > start)
            DGM_TRY(dgm_buf_add_char(passes->env, out, ' '));
        blank = 0;
        DGM_TRY(write_character(passes, out, c, escape));
    }
    return DGM_OK;
}

void dgm_passes_clear(struct dgm_passes *passes)
{
    dgm_release(passes->env, passes->text.items);
    dgm_release(passes->env, passes->spare.items);
    dgm_release(passes->env, passes->followers.codes);
}
