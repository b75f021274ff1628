/*
 * general.c: cuts what stands between two blanks into marks that open, a word, marks that close.
 *
 * Wide marks cut anywhere. What would come back otherwise is not cut: a quotation mark that neither
 * opens nor closes where it stands, a bracket that was opened within the word, a wide mark with a
 * blank beside it.
 */
#include "text/tokenize/general.h"

#include <string.h>

#include "text/tokenize/joins.h"
#include "text/unicode/unicode.h"

struct ends {
    struct dgm_passes *passes;
    struct dgm_quotes quotes;
    enum dgm_apostrophe apostrophe;
};

static uint32_t code_at(const struct ends *ends, size_t i)
{
    return dgm_character_base(ends->passes->text.items[i]);
}

static enum dgm_joins joins_at(const struct ends *ends, size_t i)
{
    return dgm_joins_of(code_at(ends, i));
}

/* Whether it ends a word whatever was opened: un po' di pane. */
static int is_apostrophe_of_word(const struct ends *ends, size_t i)
{
    return ends->apostrophe == DGM_APOSTROPHE_LEFT &&
           dgm_character_is_apostrophe(ends->passes->text.items[i]);
}

static int opens(const struct ends *ends, size_t i)
{
    const enum dgm_joins joins = joins_at(ends, i);

    return joins == DGM_JOINS_OPENING ||
           (joins == DGM_JOINS_QUOTE && !is_apostrophe_of_word(ends, i) &&
            dgm_quotes_opens(&ends->quotes, code_at(ends, i)));
}

/* Goes past a character; `open` counts brackets. Whether it closes one of them. */
static int closes_bracket(size_t open[3], uint32_t code)
{
    static const char brackets[] = "([{)]}";
    const char *found = code != 0 && code < 128 ? strchr(brackets, (int)code) : NULL;
    const size_t which = found != NULL ? (size_t)(found - brackets) : 0;

    if (found == NULL || (which >= 3 && open[which - 3] == 0))
        return 0;
    if (which >= 3)
        open[which - 3]--;
    else
        open[which]++;
    return which >= 3;
}

/* Where the marks behind the word text[from..at) begin that are cut off it; text[at..to) are marks
 * alone, and some of them may stay. */
static size_t end_of_word(const struct ends *ends, size_t from, size_t at, size_t to)
{
    struct dgm_quotes word = ends->quotes, marks;
    size_t open[3] = { 0 }, i;

    for (i = from; i < at; i++) {
        dgm_quotes_pass(&word, code_at(ends, i));
        closes_bracket(open, code_at(ends, i));
    }
    marks = word;
    for (i = at; i < to; i++) {
        const int is_quote =
            joins_at(ends, i) == DGM_JOINS_QUOTE && !is_apostrophe_of_word(ends, i);
        const int opens_quote = is_quote && dgm_quotes_opens(&marks, code_at(ends, i));

        if (is_quote)
            dgm_quotes_meet(&marks, code_at(ends, i));
        if (!closes_bracket(open, code_at(ends, i)) && !opens_quote)
            continue;
        for (; at <= i; at++)
            dgm_quotes_pass(&word, code_at(ends, at));
        marks = word;
    }
    return at;
}

static int cuts_at_apostrophe(const struct ends *ends, size_t from, size_t i, size_t to)
{
    const dgm_character *text = ends->passes->text.items;
    const int is_left = ends->apostrophe == DGM_APOSTROPHE_LEFT;

    return ends->apostrophe != DGM_APOSTROPHE_WITHIN && i > from && i + 1 < to &&
           dgm_character_is_apostrophe(text[i]) &&
           dgm_character_is(text[i - 1], is_left ? DGM_UNICODE_ALPHA : DGM_UNICODE_ALNUM) &&
           dgm_character_is(text[i + 1], is_left ? DGM_UNICODE_ALNUM : DGM_UNICODE_ALPHA);
}

static dgm_status put_word(struct ends *ends, size_t from, size_t to)
{
    struct dgm_passes *passes = ends->passes;

    for (size_t i = from; i < to; i++) {
        const int cuts = cuts_at_apostrophe(ends, from, i, to);

        dgm_quotes_pass(&ends->quotes, code_at(ends, i));
        if (cuts && ends->apostrophe == DGM_APOSTROPHE_RIGHT)
            DGM_TRY(dgm_passes_put(passes, ' '));
        DGM_TRY(dgm_passes_put(passes, passes->text.items[i]));
        if (cuts && ends->apostrophe == DGM_APOSTROPHE_LEFT)
            DGM_TRY(dgm_passes_put(passes, ' '));
    }
    return DGM_OK;
}

/* A smiley, a row of full stops: one token, no full stop of which any pass takes for one. */
static dgm_status put_marks(struct ends *ends, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const dgm_character c = ends->passes->text.items[i];

        dgm_quotes_pass(&ends->quotes, code_at(ends, i));
        DGM_TRY(dgm_passes_put(ends->passes, c == '.' ? DGM_KEPT_DOT : c));
    }
    return DGM_OK;
}

static size_t count_dots(const struct ends *ends, size_t from, size_t to)
{
    size_t i = from;

    while (i < to && ends->passes->text.items[i] == '.')
        i++;
    return i - from;
}

/* The marks behind a word. `is_bare`: no word is before them. */
static dgm_status put_behind(struct ends *ends, size_t from, size_t to, int is_bare)
{
    const dgm_character *text = ends->passes->text.items;
    size_t i = from, dots;

    for (; i < to; i += (dots > 1 ? dots : 1)) {
        dots = count_dots(ends, i, to);
        if (i > from || is_bare || dots != 1)
            DGM_TRY(dgm_passes_put(ends->passes, ' '));
        if (dots > 1) {
            DGM_TRY(put_marks(ends, i, i + dots));
            continue;
        }
        if (joins_at(ends, i) == DGM_JOINS_QUOTE && !is_apostrophe_of_word(ends, i))
            dgm_quotes_meet(&ends->quotes, code_at(ends, i));
        DGM_TRY(dgm_passes_put(ends->passes, text[i]));
    }
    return DGM_OK;
}

/* What stands between blanks or wide marks. */
static dgm_status split_piece(struct ends *ends, size_t from, size_t to)
{
    size_t i = from, word_end = to;

    for (; i < to && opens(ends, i); i++) {
        if (joins_at(ends, i) == DGM_JOINS_QUOTE)
            dgm_quotes_meet(&ends->quotes, code_at(ends, i));
        DGM_TRY(dgm_passes_put(ends->passes, ends->passes->text.items[i]));
        DGM_TRY(dgm_passes_put(ends->passes, ' '));
    }
    while (word_end > i && (joins_at(ends, word_end - 1) == DGM_JOINS_CLOSING ||
                            joins_at(ends, word_end - 1) == DGM_JOINS_QUOTE))
        word_end--;
    if (word_end == from && to - from > 1)
        return put_marks(ends, from, to);
    word_end = end_of_word(ends, i, word_end, to);
    DGM_TRY(put_word(ends, i, word_end));
    return put_behind(ends, word_end, to, word_end == i);
}

/* What stands between blanks; a wide mark that one of them is beside stays with its word. */
static dgm_status split_between_blanks(struct ends *ends, size_t from, size_t to)
{
    struct dgm_passes *passes = ends->passes;
    size_t first = from, last = to, start = from;

    while (from > 0 && first < to && joins_at(ends, first) == DGM_JOINS_BOTH)
        first++;
    while (to < passes->text.count && last > first && joins_at(ends, last - 1) == DGM_JOINS_BOTH)
        last--;
    for (size_t i = first; i < last; i++) {
        if (joins_at(ends, i) != DGM_JOINS_BOTH)
            continue;
        DGM_TRY(split_piece(ends, start, i));
        DGM_TRY(dgm_passes_put_all(passes, ' ', passes->text.items[i], ' '));
        start = i + 1;
    }
    return split_piece(ends, start, to);
}

dgm_status dgm_split_ends(struct dgm_passes *passes, const char *language)
{
    struct ends ends = { .passes = passes, .apostrophe = dgm_apostrophe_of(language) };
    const dgm_character *text = passes->text.items;
    size_t start = 0, end;

    for (; start < passes->text.count; start = end + 1) {
        for (end = start; end < passes->text.count && text[end] != ' '; end++)
            continue;
        DGM_TRY(split_between_blanks(&ends, start, end));
        DGM_TRY(dgm_passes_put(passes, ' '));
    }
    dgm_passes_end(passes);
    return DGM_OK;
}
