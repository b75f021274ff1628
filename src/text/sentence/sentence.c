/* sentence.c: where the sentences of running text begin and end, by rules. */
#include "text/sentence/sentence.h"

#include <string.h>

#include "text/sentence/breaks.h"
#include "text/sentence/stops.h"
#include "text/unicode/utf8.h"

/* clang-format off */
/* Bytes that a mark or the end of a paragraph begins with, in any script; 2: of Greek, too. */
static const unsigned char begins_mark[256] = {
    ['\n'] = 1, ['\r'] = 1, ['!'] = 1, ['.'] = 1, ['?'] = 1, [';'] = 2, [0xCD] = 2,
    [0xC2] = 1, [0xD6] = 1, [0xD8] = 1, [0xDB] = 1, [0xDC] = 1, [0xDF] = 1, [0xE0] = 1, [0xE1] = 1,
    [0xE2] = 1, [0xE3] = 1, [0xEA] = 1, [0xEF] = 1, [0xF0] = 1,
};
/* clang-format on */

void dgm_sentence_walk_begin(struct dgm_sentence_walk *walk, const char *language, const char *text,
                             size_t size)
{
    memset(walk, 0, sizeof *walk);
    walk->language = dgm_sentence_language(language);
    if (walk->language != NULL)
        walk->rules = DGM_SENTENCE_LISTS;
    else if (strcmp(language, "zh") == 0 || strcmp(language, "ja") == 0)
        walk->rules = DGM_SENTENCE_WIDE;
    dgm_sentence_walk_text(walk, text, size);
}

void dgm_sentence_walk_text(struct dgm_sentence_walk *walk, const char *text, size_t size)
{
    walk->text = text;
    walk->size = size;
    walk->at = 0;
}

static int is_blank(enum dgm_break class)
{
    return class == DGM_BREAK_SP || class == DGM_BREAK_SEP;
}

static size_t skip_blanks(const struct dgm_sentence_walk *walk, size_t at)
{
    while (at < walk->size) {
        uint32_t code;
        const size_t bytes = dgm_utf8_decode(&code, walk->text + at, walk->size - at);

        if (!is_blank(dgm_break_of(code)))
            break;
        at += bytes;
    }
    return at;
}

/* Where the character before `at` begins, which is above `low`. */
static size_t step_back(const char *text, size_t low, size_t at)
{
    size_t start = at - 1;
    uint32_t code;

    while (start > low && at - start < 4 && ((unsigned char)text[start] & 0xC0) == 0x80)
        start--;
    return start + dgm_utf8_decode(&code, text + start, at - start) == at ? start : at - 1;
}

/* The class of the character before a mark, within its sentence; what extends it does not count. */
static enum dgm_break class_before(const char *text, size_t low, size_t at)
{
    enum dgm_break class = DGM_BREAK_OTHER;
    uint32_t code;

    while (at > low) {
        const size_t start = step_back(text, low, at);

        dgm_utf8_decode(&code, text + start, at - start);
        class = dgm_break_of(code);
        if (class != DGM_BREAK_EXTEND)
            break;
        at = start;
    }
    return class;
}

/* Without the blanks at its end. */
static size_t trim(const char *text, size_t start, size_t end)
{
    uint32_t code;

    while (end > start) {
        const size_t last = step_back(text, start, end);

        dgm_utf8_decode(&code, text + last, end - last);
        if (!is_blank(dgm_break_of(code)))
            break;
        end = last;
    }
    return end;
}

/* The next place, from `at` on, that a mark may stand at. */
static size_t find_mark(const struct dgm_sentence_walk *walk, size_t at)
{
    const int most = walk->language != NULL && walk->language->semicolon_asks ? 2 : 1;
    const unsigned char *text = (const unsigned char *)walk->text;

    while (at < walk->size && (begins_mark[text[at]] == 0 || begins_mark[text[at]] > most))
        at++;
    return at;
}

/* What there may be an end behind. */
static int is_mark(const struct dgm_sentence_walk *walk, size_t at, size_t *behind)
{
    uint32_t code;
    enum dgm_break class;

    *behind = at + dgm_utf8_decode(&code, walk->text + at, walk->size - at);
    if (walk->rules != DGM_SENTENCE_UNICODE && dgm_stop_is_mark(walk->language, code))
        return 1;
    class = dgm_break_of(code);
    return class == DGM_BREAK_SEP || class == DGM_BREAK_STERM || class == DGM_BREAK_ATERM;
}

/* Where a sentence begins behind the mark at `at` of one that begins at `start`; or 0, and in
 * *resume where to look for the next mark. */
static size_t end_at(const struct dgm_sentence_walk *walk, size_t start, size_t at, size_t *resume)
{
    if (walk->rules == DGM_SENTENCE_UNICODE)
        return dgm_break_behind(walk->text, walk->size, at, class_before(walk->text, start, at));
    return dgm_stop_behind(walk->language, walk->text, walk->size, start, at, resume);
}

int dgm_sentence_walk_next(struct dgm_sentence_walk *walk, struct dgm_sentence_span *sentence)
{
    size_t at = skip_blanks(walk, walk->at), next = 0, behind;

    sentence->start = at;
    if (at == walk->size)
        return 0;
    for (at = find_mark(walk, at); at < walk->size && next == 0; at = find_mark(walk, behind))
        if (is_mark(walk, at, &behind))
            next = end_at(walk, sentence->start, at, &behind);
    if (next == 0)
        next = walk->size;
    sentence->end = trim(walk->text, sentence->start, next);
    sentence->next = skip_blanks(walk, next);
    walk->at = sentence->next;
    return 1;
}
