/*
 * tokenize.c: Moses' tokeniser as a sequence of passes over an array of characters.
 *
 * Each pass stands for one substitution of tokenizer.perl, and matches from left to
 * right without overlap as s///g does: what one match has used, the next cannot look
 * at. That is part of the definition (in "a,b,c" it decides which comma is seen), so
 * the passes stay separate. The Perl expression stands at each pass; \p{N} is any number, alpha and
 * alnum are \p{IsAlpha} and \p{IsAlnum}.
 *
 * Marks, joiners and their like (mark.h) are no characters of their own to any pass: they hang on
 * what stands before them, which stays a letter, a digit or a symbol. A curly apostrophe, U+2019,
 * is an apostrophe.
 */
#include "text/tokenize/tokenize.h"

#include "base/mem.h"
#include "text/tokenize/moses.h"
#include "text/unicode/mark.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/*
 * A full stop within "..", which tokenizer.perl writes as DOTMULTI until the end: no full stop for
 * any later pass, but a letter.
 */
#define KEPT_DOT (0x110000U + '.')
/* A letter that is not written: what a mark without anything before it hangs on. */
#define NO_LETTER 0x110000U
#define CURLY_APOSTROPHE 0x2019

/*
 * A character's code and, in the upper half, where its followers begin among those of the line,
 * counted from 1; 0 for none. So what has followers is equal to no plain character.
 */
typedef uint64_t character;

struct characters {
    character *items;
    size_t count, capacity;
};

/* The followers of all characters of a line, each row with a 0 behind. */
struct followers {
    uint32_t *codes;
    size_t count, capacity;
};

struct work {
    struct dgm_env *env;
    struct characters text, spare;
    struct followers followers;
    enum dgm_moses_language language;
};

static uint32_t base_of(character c)
{
    return (uint32_t)c;
}

static unsigned flags(character c)
{
    uint32_t base = base_of(c);

    return base >= NO_LETTER ? DGM_UNICODE_ALPHA | DGM_UNICODE_UPPER : dgm_unicode_flags(base);
}

static int is(character c, unsigned set)
{
    return (flags(c) & set) != 0;
}

static int is_apostrophe(character c)
{
    return c == '\'' || c == CURLY_APOSTROPHE;
}

/* ---- reading --------------------------------------------------------------------------------- */

static dgm_status put(struct work *work, character c)
{
    struct characters *to = &work->spare;

    DGM_TRY(dgm_grow(work->env, &to->items, &to->capacity, to->count, sizeof *to->items));
    to->items[to->count++] = c;
    return DGM_OK;
}

static dgm_status put_all(struct work *work, character a, character b, character c)
{
    DGM_TRY(put(work, a));
    DGM_TRY(put(work, b));
    return put(work, c);
}

/* Every pass writes to `spare`; this makes its result the text. */
static void end_pass(struct work *work)
{
    struct characters text = work->text;

    work->text = work->spare;
    work->spare = text;
    work->spare.count = 0;
}

static dgm_status add_follower(struct work *work, uint32_t code)
{
    struct followers *to = &work->followers;

    DGM_TRY(dgm_grow(work->env, &to->codes, &to->capacity, to->count, sizeof *to->codes));
    to->codes[to->count++] = code;
    return DGM_OK;
}

/* Hangs a code on the last character, whose followers, if it has some, are the last of all. */
static dgm_status follow(struct work *work, uint32_t code)
{
    character *last = &work->spare.items[work->spare.count - 1];

    if (*last == base_of(*last))
        *last |= (character)(work->followers.count + 1) << 32;
    else
        work->followers.count--;
    DGM_TRY(add_follower(work, code));
    return add_follower(work, 0);
}

/* A symbol goes on with what a joiner ends: a family is one pictograph. A flag begins behind
 * punctuation. `last`: the character before it. */
static int is_following(const struct work *work, character last, uint32_t c)
{
    const struct followers *all = &work->followers;

    if (last != base_of(last) && all->codes[all->count - 2] == DGM_ZERO_WIDTH_JOINER &&
        dgm_unicode_is(c, DGM_UNICODE_SYMBOL))
        return 1;
    if (dgm_unicode_is_regional(c) && is(last, DGM_UNICODE_PUNCT))
        return 0;
    return dgm_unicode_is_follower(c);
}

/* Adds a character, or what follows the one before it; `is_first`: nothing or a blank is there. */
static dgm_status read_character(struct work *work, uint32_t c, int is_first)
{
    if (!is_first && is_following(work, work->spare.items[work->spare.count - 1], c))
        return follow(work, c);
    if (!dgm_unicode_is_follower(c))
        return put(work, c);
    DGM_TRY(put(work, NO_LETTER));
    return follow(work, c);
}

/*
 * Characters with all white space as single blanks, none at the ends, and no control
 * bytes.
 */
static dgm_status read_line(struct work *work, const char *line, size_t bytes)
{
    size_t at = 0;
    uint32_t c;
    int blank = 0;

    while (at < bytes) {
        at += dgm_utf8_decode(&c, line + at, bytes - at);
        if (c == DGM_UTF8_BAD)
            c = DGM_UTF8_REPLACEMENT;
        if (is(c, DGM_UNICODE_SPACE)) {
            blank = 1;
            continue;
        }
        if (c < 0x20)
            continue;
        if (blank && work->spare.count > 0)
            DGM_TRY(put(work, ' '));
        DGM_TRY(read_character(work, c, blank || work->spare.count == 0));
        blank = 0;
    }
    end_pass(work);
    return DGM_OK;
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* What has a pass of its own; hyphens and grave accents stay within words, with followers, too. */
static int is_left_to_others(character c)
{
    return c == ' ' || c == '.' || c == ',' || is_apostrophe(c) || base_of(c) == '`' ||
           base_of(c) == '-';
}

/* Sets off everything but letters, digits and the characters that have passes of their own:
 * s/([^alnum\s.'`,-])/ $1 /g */
static dgm_status separate_symbols(struct work *work)
{
    size_t i;

    for (i = 0; i < work->text.count; i++) {
        character c = work->text.items[i];

        if (is(c, DGM_UNICODE_ALNUM) || is_left_to_others(c))
            DGM_TRY(put(work, c));
        else
            DGM_TRY(put_all(work, ' ', c, ' '));
    }
    end_pass(work);
    return DGM_OK;
}

/* s/(alnum)-(?=alnum)/$1 @-@ /g */
static dgm_status split_hyphens(struct work *work)
{
    const character *text = work->text.items;
    size_t i, n = work->text.count;

    for (i = 0; i < n; i++) {
        int between = i > 0 && i + 1 < n && text[i] == '-' && is(text[i - 1], DGM_UNICODE_ALNUM) &&
                      is(text[i + 1], DGM_UNICODE_ALNUM);

        if (!between) {
            DGM_TRY(put(work, text[i]));
            continue;
        }
        DGM_TRY(put_all(work, ' ', '@', '-'));
        DGM_TRY(put_all(work, '@', ' ', text[i + 1]));
        i++;
    }
    end_pass(work);
    return DGM_OK;
}

/* Full stops in a row are one token. */
static dgm_status keep_dots(struct work *work)
{
    const character *text = work->text.items;
    size_t i = 0, n = work->text.count, run;

    while (i < n) {
        for (run = 0; i + run < n && text[i + run] == '.'; run++)
            continue;
        if (run < 2) {
            DGM_TRY(put(work, text[i++]));
            continue;
        }
        DGM_TRY(put(work, ' '));
        for (i += run; run > 0; run--)
            DGM_TRY(put(work, KEPT_DOT));
        DGM_TRY(put(work, ' '));
    }
    end_pass(work);
    return DGM_OK;
}

/* Sets off a comma behind anything but a number: s/([^\p{N}]),/$1 , /g */
static dgm_status split_commas_after(struct work *work)
{
    const character *text = work->text.items;
    size_t i, n = work->text.count;

    for (i = 0; i < n; i++) {
        DGM_TRY(put(work, text[i]));
        if (i + 1 < n && text[i + 1] == ',' && !is(text[i], DGM_UNICODE_NUMBER)) {
            DGM_TRY(put_all(work, ' ', ',', ' '));
            i++;
        }
    }
    end_pass(work);
    return DGM_OK;
}

/* ... and before anything but a number, s/,([^\p{N}])/ , $1/g, and at the end of the line,
 * s/(\p{N}),$/$1 ,/ */
static dgm_status split_commas_before(struct work *work)
{
    const character *text = work->text.items;
    size_t i, n = work->text.count;

    for (i = 0; i < n; i++) {
        if (text[i] != ',') {
            DGM_TRY(put(work, text[i]));
        } else if (i + 1 < n && !is(text[i + 1], DGM_UNICODE_NUMBER)) {
            DGM_TRY(put_all(work, ' ', ',', ' '));
            DGM_TRY(put(work, text[++i]));
        } else if (i + 1 == n && i > 0 && is(text[i - 1], DGM_UNICODE_NUMBER)) {
            DGM_TRY(put(work, ' '));
            DGM_TRY(put(work, ','));
        } else {
            DGM_TRY(put(work, ','));
        }
    }
    end_pass(work);
    return DGM_OK;
}

/* The characters that must stand on both sides of an apostrophe, and where it then gets a blank. */
struct apostrophe_rule {
    unsigned left, right;                  /* flags */
    int left_is_without, right_is_without; /* the flags must be absent */
    int blank_before, blank_behind;
};

/* Neither side alpha; the left neither alpha nor a number; the right not alpha; and both alpha,
 * where the apostrophe goes to the right: "don't" -> "don 't". */
static const struct apostrophe_rule english_rules[] = {
    { DGM_UNICODE_ALPHA, DGM_UNICODE_ALPHA, 1, 1, 1, 1 },
    { DGM_UNICODE_ALPHA | DGM_UNICODE_NUMBER, DGM_UNICODE_ALPHA, 1, 0, 1, 1 },
    { DGM_UNICODE_ALPHA, DGM_UNICODE_ALPHA, 0, 1, 1, 1 },
    { DGM_UNICODE_ALPHA, DGM_UNICODE_ALPHA, 0, 0, 1, 0 },
};

/* As in English but for numbers, and the apostrophe goes to the left: "l'homme" -> "l' homme". */
static const struct apostrophe_rule french_rules[] = {
    { DGM_UNICODE_ALPHA, DGM_UNICODE_ALPHA, 1, 1, 1, 1 },
    { DGM_UNICODE_ALPHA, DGM_UNICODE_ALPHA, 1, 0, 1, 1 },
    { DGM_UNICODE_ALPHA, DGM_UNICODE_ALPHA, 0, 1, 1, 1 },
    { DGM_UNICODE_ALPHA, DGM_UNICODE_ALPHA, 0, 0, 0, 1 },
};

static dgm_status put_apostrophe(struct work *work, character c, int blank_before, int blank_behind)
{
    if (blank_before)
        DGM_TRY(put(work, ' '));
    DGM_TRY(put(work, c));
    return blank_behind ? put(work, ' ') : DGM_OK;
}

static dgm_status apply_apostrophe_rule(struct work *work, const struct apostrophe_rule *rule)
{
    const character *text = work->text.items;
    size_t i = 0, n = work->text.count;

    while (i < n) {
        DGM_TRY(put(work, text[i]));
        if (i + 2 < n && is_apostrophe(text[i + 1]) &&
            is(text[i], rule->left) != rule->left_is_without &&
            is(text[i + 2], rule->right) != rule->right_is_without) {
            DGM_TRY(put_apostrophe(work, text[i + 1], rule->blank_before, rule->blank_behind));
            DGM_TRY(put(work, text[i + 2]));
            i += 2;
        }
        i++;
    }
    end_pass(work);
    return DGM_OK;
}

/* "1990's": the s goes with its apostrophe. */
static dgm_status split_decades(struct work *work)
{
    const character *text = work->text.items;
    size_t i, n = work->text.count;

    for (i = 0; i < n; i++) {
        DGM_TRY(put(work, text[i]));
        if (i + 2 < n && is_apostrophe(text[i + 1]) && text[i + 2] == 's' &&
            is(text[i], DGM_UNICODE_NUMBER))
            DGM_TRY(put(work, ' '));
    }
    end_pass(work);
    return DGM_OK;
}

/* Languages without a rule of their own: s/'/ ' /g */
static dgm_status split_all_apostrophes(struct work *work)
{
    size_t i;

    for (i = 0; i < work->text.count; i++) {
        character c = work->text.items[i];

        if (is_apostrophe(c))
            DGM_TRY(put_apostrophe(work, c, 1, 1));
        else
            DGM_TRY(put(work, c));
    }
    end_pass(work);
    return DGM_OK;
}

static dgm_status split_apostrophes(struct work *work)
{
    if (work->language != DGM_MOSES_EN && work->language != DGM_MOSES_FR)
        return split_all_apostrophes(work);
    for (int i = 0; i < 4; i++)
        DGM_TRY(apply_apostrophe_rule(work, work->language == DGM_MOSES_EN ? &english_rules[i]
                                                                           : &french_rules[i]));
    return work->language == DGM_MOSES_EN ? split_decades(work) : DGM_OK;
}

/* ---- full stops ------------------------------------------------------------------------------ */

static enum dgm_moses_prefix find_prefix(const struct work *work, const character *word,
                                         size_t length)
{
    char bytes[4 * 16];
    size_t i, count = 0;

    if (length > 16)
        return DGM_MOSES_NO_PREFIX;
    for (i = 0; i < length; i++) {
        if (word[i] >= NO_LETTER)
            return DGM_MOSES_NO_PREFIX;
        count += dgm_utf8_encode(bytes + count, base_of(word[i]));
    }
    return dgm_moses_find_prefix(work->language, bytes, count);
}

static int has(const character *word, size_t length, character c, unsigned set)
{
    for (size_t i = 0; i < length; i++)
        if (word[i] == c || is(word[i], set))
            return 1;
    return 0;
}

/*
 * Whether the full stop behind word[0..length) belongs to it. `next` is the character
 * after the one blank that follows: a blank itself where two words lie apart further.
 */
static int keeps_stop(const struct work *work, const character *word, size_t length, character next)
{
    enum dgm_moses_prefix prefix = find_prefix(work, word, length);

    if (has(word, length, '.', 0) && has(word, length, KEPT_DOT, DGM_UNICODE_ALPHA))
        return 1;
    if (prefix == DGM_MOSES_PREFIX || is(next, DGM_UNICODE_LOWER))
        return 1;
    return prefix == DGM_MOSES_NUMBER_PREFIX && next >= '0' && next <= '9';
}

/* Sets the full stop at the end of each word off, unless it marks an abbreviation. */
static dgm_status split_stops(struct work *work)
{
    const character *text = work->text.items;
    size_t n = work->text.count, start = 0, end, i;

    while (n > 0 && text[n - 1] == ' ')
        n--;
    while (start < n) {
        for (end = start; end < n && text[end] != ' '; end++)
            continue;
        for (i = start; i < end; i++) {
            int is_stop = i > start && i + 1 == end && text[i] == '.';

            if (is_stop && (end == n || !keeps_stop(work, text + start, i - start, text[end + 1])))
                DGM_TRY(put(work, ' '));
            DGM_TRY(put(work, text[i]));
        }
        DGM_TRY(put(work, ' '));
        start = end + 1;
    }
    end_pass(work);
    return DGM_OK;
}

/* A full stop and an apostrophe at the end of the line are two tokens. */
static dgm_status split_final_quote(struct work *work)
{
    const character *text = work->text.items;
    size_t i, n = work->text.count;

    while (n > 0 && text[n - 1] == ' ')
        n--;
    for (i = 0; i < n; i++) {
        int is_end = n >= 2 && i == n - 2 && text[i] == '.' && is_apostrophe(text[i + 1]);

        if (is_end)
            DGM_TRY(put_all(work, ' ', '.', ' '));
        else
            DGM_TRY(put(work, text[i]));
    }
    end_pass(work);
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

static dgm_status write_character(struct work *work, struct dgm_buf *out, character c, int escape)
{
    uint32_t base = base_of(c);
    const char *escaped = escape ? escape_of(base) : NULL;
    size_t at = (size_t)(c >> 32);

    if (escaped != NULL)
        DGM_TRY(dgm_buf_add_text(work->env, out, escaped));
    else if (base != NO_LETTER)
        DGM_TRY(dgm_utf8_add(work->env, out, base == KEPT_DOT ? '.' : base));
    for (; at > 0 && work->followers.codes[at - 1] != 0; at++)
        DGM_TRY(dgm_utf8_add(work->env, out, work->followers.codes[at - 1]));
    return DGM_OK;
}

static dgm_status write_line(struct work *work, struct dgm_buf *out, int escape)
{
    size_t i, start = out->size;
    int blank = 0;

    for (i = 0; i < work->text.count; i++) {
        character c = work->text.items[i];

        if (c == ' ') {
            blank = 1;
            continue;
        }
        if (blank && out->size > start)
            DGM_TRY(dgm_buf_add_char(work->env, out, ' '));
        blank = 0;
        DGM_TRY(write_character(work, out, c, escape));
    }
    return DGM_OK;
}

dgm_status dgm_tokenize_line(struct dgm_env *env, struct dgm_buf *out, const char *line,
                             size_t bytes, const struct dgm_tokenize_options *options)
{
    struct work work = { .env = env, .language = dgm_moses_language(options->language) };
    dgm_status status;

    DGM_TRY_OUT(read_line(&work, line, bytes));
    DGM_TRY_OUT(separate_symbols(&work));
    if (options->aggressive)
        DGM_TRY_OUT(split_hyphens(&work));
    DGM_TRY_OUT(keep_dots(&work));
    DGM_TRY_OUT(split_commas_after(&work));
    DGM_TRY_OUT(split_commas_before(&work));
    DGM_TRY_OUT(split_apostrophes(&work));
    DGM_TRY_OUT(split_stops(&work));
    DGM_TRY_OUT(split_final_quote(&work));
    DGM_TRY_OUT(write_line(&work, out, options->escape));
out:
    dgm_release(env, work.text.items);
    dgm_release(env, work.spare.items);
    dgm_release(env, work.followers.codes);
    return status;
}
