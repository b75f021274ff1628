/* breaks.c: where sentences may end by the Unicode Standard (UAX 29). */
#include "text/sentence/breaks.h"

#include "text/sentence/break_data.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

static enum dgm_break kind_of_letter(uint32_t code)
{
    const unsigned flags = dgm_unicode_flags(code);

    if (flags & DGM_UNICODE_LOWER)
        return DGM_BREAK_LOWER;
    return flags & DGM_UNICODE_UPPER ? DGM_BREAK_UPPER : DGM_BREAK_OLETTER;
}

enum dgm_break dgm_break_of(uint32_t code)
{
    unsigned class;

    if (code > 0x10FFFF)
        return DGM_BREAK_OTHER;
    if (code < 128)
        return (enum dgm_break)dgm_break_ascii[code];
    class = dgm_unicode_run(dgm_break_runs, dgm_break_run_count, 4, code);
    return class == DGM_BREAK_BY_FLAGS ? kind_of_letter(code) : (enum dgm_break) class;
}

/* SB3 to SB5. */
enum dgm_break dgm_break_next(const char *text, size_t size, size_t at, size_t *end)
{
    enum dgm_break class;
    uint32_t code;

    *end = at + dgm_utf8_decode(&code, text + at, size - at);
    class = dgm_break_of(code);
    if (class == DGM_BREAK_SEP) {
        if (code == '\r' && *end < size && text[*end] == '\n')
            ++*end;
        return class;
    }
    while (*end < size) {
        const size_t bytes = dgm_utf8_decode(&code, text + *end, size - *end);

        if (dgm_break_of(code) != DGM_BREAK_EXTEND)
            break;
        *end += bytes;
    }
    return class;
}

/* What stands behind a mark, step by step. */
struct place {
    const char *text;
    size_t size, at, next; /* next: behind the character at `at` */
    enum dgm_break class;  /* its class; a Sep at the end of the text */
};

static void look(struct place *place)
{
    place->next = place->at;
    place->class = DGM_BREAK_SEP;
    if (place->at < place->size)
        place->class = dgm_break_next(place->text, place->size, place->at, &place->next);
}

static void pass(struct place *place, enum dgm_break class)
{
    while (place->class == class && place->at < place->size) {
        place->at = place->next;
        look(place);
    }
}

/* SB8: whether a small letter comes before any other letter or mark. */
static int goes_on_small(struct place place)
{
    while (place.at < place.size && place.class != DGM_BREAK_OLETTER &&
           place.class != DGM_BREAK_UPPER && place.class != DGM_BREAK_LOWER &&
           place.class != DGM_BREAK_SEP && place.class != DGM_BREAK_ATERM &&
           place.class != DGM_BREAK_STERM) {
        place.at = place.next;
        look(&place);
    }
    return place.at < place.size && place.class == DGM_BREAK_LOWER;
}

/* SB6 and SB7: a full stop within a number or a word. */
static int is_inside(enum dgm_break before, enum dgm_break behind)
{
    if (behind == DGM_BREAK_NUMERIC)
        return 1;
    return behind == DGM_BREAK_UPPER && (before == DGM_BREAK_UPPER || before == DGM_BREAK_LOWER);
}

/* SB8 to SB11, behind a mark; `is_stop`: it is an ATerm. */
static size_t end_behind(struct place place, int is_stop)
{
    pass(&place, DGM_BREAK_CLOSE);
    pass(&place, DGM_BREAK_SP);
    if (is_stop && goes_on_small(place))
        return 0;
    if (place.class == DGM_BREAK_SCONTINUE || place.class == DGM_BREAK_ATERM ||
        place.class == DGM_BREAK_STERM)
        return 0;
    return place.class == DGM_BREAK_SEP ? place.next : place.at;
}

size_t dgm_break_behind(const char *text, size_t size, size_t at, enum dgm_break before)
{
    struct place place = { .text = text, .size = size, .at = at };
    enum dgm_break mark;

    look(&place);
    mark = place.class;
    place.at = place.next;
    if (mark == DGM_BREAK_SEP)
        return place.at;
    look(&place);
    if (mark == DGM_BREAK_ATERM && place.at < size && is_inside(before, place.class))
        return 0;
    return end_behind(place, mark == DGM_BREAK_ATERM);
}
