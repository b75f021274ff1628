/*
 * tokenize.c: Moses' tokeniser as a sequence of passes over an array of characters.
 *
 * Each pass stands for one substitution of tokenizer.perl, and matches from left to
 * right without overlap as s///g does: what one match has used, the next cannot look
 * at. That is part of the definition (in "a,b,c" it decides which comma is seen), so
 * the passes stay separate. The Perl expression stands at each pass; \p{N} is any number, alpha and
 * alnum are \p{IsAlpha} and \p{IsAlnum}. A curly apostrophe, U+2019, is an apostrophe.
 */
#include "text/tokenize/tokenize.h"

#include "text/tokenize/general.h"
#include "text/tokenize/passes.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* ---- passes ---------------------------------------------------------------------------------- */

/* What has a pass of its own; hyphens and grave accents stay within words, with followers, too. */
static int is_left_to_others(dgm_character c)
{
    return c == ' ' || c == '.' || c == ',' || dgm_character_is_apostrophe(c) ||
           dgm_character_base(c) == '`' || dgm_character_base(c) == '-';
}

/* Sets off everything but letters, digits and the characters that have passes of their own:
 * s/([^alnum\s.'`,-])/ $1 /g */
static dgm_status separate_symbols(struct dgm_passes *passes)
{
    size_t i;

    for (i = 0; i < passes->text.count; i++) {
        dgm_character c = passes->text.items[i];

        if (dgm_character_is(c, DGM_UNICODE_ALNUM) || is_left_to_others(c))
            DGM_TRY(dgm_passes_put(passes, c));
        else
            DGM_TRY(dgm_passes_put_all(passes, ' ', c, ' '));
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

/* s/(alnum)-(?=alnum)/$1 @-@ /g */
static dgm_status split_hyphens(struct dgm_passes *passes)
{
    const dgm_character *text = passes->text.items;
    size_t i, n = passes->text.count;

    for (i = 0; i < n; i++) {
        int between = i > 0 && i + 1 < n && text[i] == '-' &&
                      dgm_character_is(text[i - 1], DGM_UNICODE_ALNUM) &&
                      dgm_character_is(text[i + 1], DGM_UNICODE_ALNUM);

        if (!between) {
            DGM_TRY(dgm_passes_put(passes, text[i]));
            continue;
        }
        DGM_TRY(dgm_passes_put_all(passes, ' ', '@', '-'));
        DGM_TRY(dgm_passes_put_all(passes, '@', ' ', text[i + 1]));
        i++;
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

/* Full stops in a row are one token. */
static dgm_status keep_dots(struct dgm_passes *passes)
{
    const dgm_character *text = passes->text.items;
    size_t i = 0, n = passes->text.count, run;

    while (i < n) {
        for (run = 0; i + run < n && text[i + run] == '.'; run++)
            continue;
        if (run < 2) {
            DGM_TRY(dgm_passes_put(passes, text[i++]));
            continue;
        }
        DGM_TRY(dgm_passes_put(passes, ' '));
        for (i += run; run > 0; run--)
            DGM_TRY(dgm_passes_put(passes, DGM_KEPT_DOT));
        DGM_TRY(dgm_passes_put(passes, ' '));
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

/* Sets off a comma behind anything but a number: s/([^\p{N}]),/$1 , /g */
static dgm_status split_commas_after(struct dgm_passes *passes)
{
    const dgm_character *text = passes->text.items;
    size_t i, n = passes->text.count;

    for (i = 0; i < n; i++) {
        DGM_TRY(dgm_passes_put(passes, text[i]));
        if (i + 1 < n && text[i + 1] == ',' && !dgm_character_is(text[i], DGM_UNICODE_NUMBER)) {
            DGM_TRY(dgm_passes_put_all(passes, ' ', ',', ' '));
            i++;
        }
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

/* ... and before anything but a number, s/,([^\p{N}])/ , $1/g, and at the end of the line,
 * s/(\p{N}),$/$1 ,/ */
static dgm_status split_commas_before(struct dgm_passes *passes)
{
    const dgm_character *text = passes->text.items;
    size_t i, n = passes->text.count;

    for (i = 0; i < n; i++) {
        if (text[i] != ',') {
            DGM_TRY(dgm_passes_put(passes, text[i]));
        } else if (i + 1 < n && !dgm_character_is(text[i + 1], DGM_UNICODE_NUMBER)) {
            DGM_TRY(dgm_passes_put_all(passes, ' ', ',', ' '));
            DGM_TRY(dgm_passes_put(passes, text[++i]));
        } else if (i + 1 == n && i > 0 && dgm_character_is(text[i - 1], DGM_UNICODE_NUMBER)) {
            DGM_TRY(dgm_passes_put(passes, ' '));
            DGM_TRY(dgm_passes_put(passes, ','));
        } else {
            DGM_TRY(dgm_passes_put(passes, ','));
        }
    }
    dgm_passes_end(passes);
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

static dgm_status put_apostrophe(struct dgm_passes *passes, dgm_character c, int blank_before,
                                 int blank_behind)
{
    if (blank_before)
        DGM_TRY(dgm_passes_put(passes, ' '));
    DGM_TRY(dgm_passes_put(passes, c));
    return blank_behind ? dgm_passes_put(passes, ' ') : DGM_OK;
}

static dgm_status apply_apostrophe_rule(struct dgm_passes *passes,
                                        const struct apostrophe_rule *rule)
{
    const dgm_character *text = passes->text.items;
    size_t i = 0, n = passes->text.count;

    while (i < n) {
        DGM_TRY(dgm_passes_put(passes, text[i]));
        if (i + 2 < n && dgm_character_is_apostrophe(text[i + 1]) &&
            dgm_character_is(text[i], rule->left) != rule->left_is_without &&
            dgm_character_is(text[i + 2], rule->right) != rule->right_is_without) {
            DGM_TRY(put_apostrophe(passes, text[i + 1], rule->blank_before, rule->blank_behind));
            DGM_TRY(dgm_passes_put(passes, text[i + 2]));
            i += 2;
        }
        i++;
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

/* "1990's": the s goes with its apostrophe. */
static dgm_status split_decades(struct dgm_passes *passes)
{
    const dgm_character *text = passes->text.items;
    size_t i, n = passes->text.count;

    for (i = 0; i < n; i++) {
        DGM_TRY(dgm_passes_put(passes, text[i]));
        if (i + 2 < n && dgm_character_is_apostrophe(text[i + 1]) && text[i + 2] == 's' &&
            dgm_character_is(text[i], DGM_UNICODE_NUMBER))
            DGM_TRY(dgm_passes_put(passes, ' '));
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

/* Languages without a rule of their own: s/'/ ' /g */
static dgm_status split_all_apostrophes(struct dgm_passes *passes)
{
    size_t i;

    for (i = 0; i < passes->text.count; i++) {
        dgm_character c = passes->text.items[i];

        if (dgm_character_is_apostrophe(c))
            DGM_TRY(put_apostrophe(passes, c, 1, 1));
        else
            DGM_TRY(dgm_passes_put(passes, c));
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

static dgm_status split_apostrophes(struct dgm_passes *passes)
{
    if (passes->language != DGM_MOSES_EN && passes->language != DGM_MOSES_FR)
        return split_all_apostrophes(passes);
    for (int i = 0; i < 4; i++)
        DGM_TRY(apply_apostrophe_rule(passes, passes->language == DGM_MOSES_EN ? &english_rules[i]
                                                                               : &french_rules[i]));
    return passes->language == DGM_MOSES_EN ? split_decades(passes) : DGM_OK;
}

/* ---- full stops ------------------------------------------------------------------------------ */

static enum dgm_moses_prefix find_prefix(const struct dgm_passes *passes, const dgm_character *word,
                                         size_t length)
{
    char bytes[4 * 16];
    size_t i, count = 0;

    if (length > 16)
        return DGM_MOSES_NO_PREFIX;
    for (i = 0; i < length; i++) {
        if (word[i] >= DGM_NO_LETTER)
            return DGM_MOSES_NO_PREFIX;
        count += dgm_utf8_encode(bytes + count, dgm_character_base(word[i]));
    }
    return dgm_moses_find_prefix(passes->language, bytes, count);
}

static int has(const dgm_character *word, size_t length, dgm_character c, unsigned set)
{
    for (size_t i = 0; i < length; i++)
        if (word[i] == c || dgm_character_is(word[i], set))
            return 1;
    return 0;
}

/*
 * Whether the full stop behind word[0..length) belongs to it. `next` is the character
 * after the one blank that follows: a blank itself where two words lie apart further.
 */
static int keeps_stop(const struct dgm_passes *passes, const dgm_character *word, size_t length,
                      dgm_character next)
{
    enum dgm_moses_prefix prefix = find_prefix(passes, word, length);

    if (has(word, length, '.', 0) && has(word, length, DGM_KEPT_DOT, DGM_UNICODE_ALPHA))
        return 1;
    if (prefix == DGM_MOSES_PREFIX || dgm_character_is(next, DGM_UNICODE_LOWER))
        return 1;
    return prefix == DGM_MOSES_NUMBER_PREFIX && next >= '0' && next <= '9';
}

/* Sets the full stop at the end of each word off, unless it marks an abbreviation. */
static dgm_status split_stops(struct dgm_passes *passes)
{
    const dgm_character *text = passes->text.items;
    size_t n = passes->text.count, start = 0, end, i;

    while (n > 0 && text[n - 1] == ' ')
        n--;
    while (start < n) {
        for (end = start; end < n && text[end] != ' '; end++)
            continue;
        for (i = start; i < end; i++) {
            int is_stop = i > start && i + 1 == end && text[i] == '.';

            if (is_stop &&
                (end == n || !keeps_stop(passes, text + start, i - start, text[end + 1])))
                DGM_TRY(dgm_passes_put(passes, ' '));
            DGM_TRY(dgm_passes_put(passes, text[i]));
        }
        DGM_TRY(dgm_passes_put(passes, ' '));
        start = end + 1;
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

/* A full stop and an apostrophe at the end of the line are two tokens. */
static dgm_status split_final_quote(struct dgm_passes *passes)
{
    const dgm_character *text = passes->text.items;
    size_t i, n = passes->text.count;

    while (n > 0 && text[n - 1] == ' ')
        n--;
    for (i = 0; i < n; i++) {
        int is_end =
            n >= 2 && i == n - 2 && text[i] == '.' && dgm_character_is_apostrophe(text[i + 1]);

        if (is_end)
            DGM_TRY(dgm_passes_put_all(passes, ' ', '.', ' '));
        else
            DGM_TRY(dgm_passes_put(passes, text[i]));
    }
    dgm_passes_end(passes);
    return DGM_OK;
}

/* The passes of the languages that Moses has rules for here. */
static dgm_status split_by_moses(struct dgm_passes *passes)
{
    DGM_TRY(keep_dots(passes));
    DGM_TRY(split_commas_after(passes));
    DGM_TRY(split_commas_before(passes));
    DGM_TRY(split_apostrophes(passes));
    DGM_TRY(split_stops(passes));
    return split_final_quote(passes);
}

dgm_status dgm_tokenize_line(struct dgm_env *env, struct dgm_buf *out, const char *line,
                             size_t bytes, const struct dgm_tokenize_options *options)
{
    struct dgm_passes passes = { .env = env, .language = dgm_moses_language(options->language) };
    const int is_general = passes.language == DGM_MOSES_OTHER;
    dgm_status status;

    DGM_TRY_OUT(dgm_passes_read(&passes, line, bytes));
    DGM_TRY_OUT(is_general ? dgm_split_ends(&passes, options->language)
                           : separate_symbols(&passes));
    if (options->aggressive)
        DGM_TRY_OUT(split_hyphens(&passes));
    DGM_TRY_OUT(is_general ? split_stops(&passes) : split_by_moses(&passes));
    DGM_TRY_OUT(dgm_passes_write(&passes, out, options->escape));
out:
    dgm_passes_clear(&passes);
    return status;
}
