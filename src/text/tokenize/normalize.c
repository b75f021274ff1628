/*
 * normalize.c: Moses' punctuation normalisation, as a table of replacements in order.
 *
 * In a pattern D stands for a digit, A for a letter of ASCII and P for one of . ! : ? ;
 * and a comma; in a replacement 1 and 2 stand for what the first and the second of them
 * matched. No rule needs any of these five characters for itself.
 */
#include "text/tokenize/normalize.h"

#include <string.h>

#include "text/unicode/nfc.h"
#include "text/unicode/unicode.h"

struct rule {
    const char *pattern, *replacement;
};

#define NBSP "\xC2\xA0"
#define LOW_QUOTES "\xE2\x80\x9E"   /* U+201E */
#define LEFT_QUOTES "\xE2\x80\x9C"  /* U+201C */
#define RIGHT_QUOTES "\xE2\x80\x9D" /* U+201D */
#define LOW_QUOTE "\xE2\x80\x9A"    /* U+201A */
#define LEFT_QUOTE "\xE2\x80\x98"   /* U+2018 */
#define RIGHT_QUOTE "\xE2\x80\x99"  /* U+2019 */
#define EN_DASH "\xE2\x80\x93"
#define EM_DASH "\xE2\x80\x94"
#define ACUTE "\xC2\xB4"
#define ELLIPSIS "\xE2\x80\xA6"
#define LEFT_GUILLEMET "\xC2\xAB"
#define RIGHT_GUILLEMET "\xC2\xBB"
#define MASCULINE "\xC2\xBA" /* U+00BA, in "no" and in degrees Celsius */

/*
 * The order is that of normalize-punctuation.perl, and counts: "(" gets a blank before it and loses
 * the one behind it later; runs of blanks are reduced three times, since rules before them make new
 * ones; single quotes within a word become apostrophes before all others do; '' becomes a quotation
 * mark twice, the second time those that the rules between have made of typographic quotes. A rule
 * that comes earlier or later matches something else.
 */
static const struct rule general_rules[] = {
    { "\r", "" },
    { "(", " (" },
    { ")", ") " },
    { "  ", " " },
    { ") P", ")1" },
    { "( ", "(" },
    { " )", ")" },
    { "D %", "1%" },
    { " :", ":" },
    { " ;", ";" },
    { "`", "'" },
    { "''", " \" " },
    { LOW_QUOTES, "\"" },
    { LEFT_QUOTES, "\"" },
    { RIGHT_QUOTES, "\"" },
    { EN_DASH, "-" },
    { EM_DASH, " - " },
    { "  ", " " },
    { ACUTE, "'" },
    { "A" LEFT_QUOTE "A", "1'2" },
    { "A" RIGHT_QUOTE "A", "1'2" },
    { LEFT_QUOTE, "'" },
    { LOW_QUOTE, "'" },
    { RIGHT_QUOTE, "'" },
    { "''", "\"" },
    { ELLIPSIS, "..." },
    { NBSP LEFT_GUILLEMET NBSP, " \"" },
    { LEFT_GUILLEMET NBSP, "\"" },
    { LEFT_GUILLEMET, "\"" },
    { NBSP RIGHT_GUILLEMET NBSP, "\" " },
    { NBSP RIGHT_GUILLEMET, "\"" },
    { RIGHT_GUILLEMET, "\"" },
    { NBSP "%", "%" },
    { "n" MASCULINE NBSP, "n" MASCULINE " " },
    { NBSP ":", ":" },
    { NBSP MASCULINE "C", " " MASCULINE "C" },
    { NBSP "cm", " cm" },
    { NBSP "?", "?" },
    { NBSP "!", "!" },
    { NBSP ";", ";" },
    { "," NBSP, ", " },
    { "  ", " " },
};

static const struct rule comma_rules[] = { { ",\"", "\"," } };
static const struct rule number_comma_rules[] = { { "D" NBSP "D", "1,2" } };
static const struct rule number_point_rules[] = { { "D" NBSP "D", "1.2" } };

static int is_in_class(char class_name, char c)
{
    if (class_name == 'D')
        return c >= '0' && c <= '9';
    if (class_name == 'A')
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return c != '\0' && strchr(".!:?;,", c) != NULL;
}

static int is_class(char c)
{
    return c == 'D' || c == 'A' || c == 'P';
}

/*
 * Bytes that the pattern matches at the start of the text, or 0; `found` gets what
 * classes met.
 */
static size_t match(const char *pattern, const char *text, size_t bytes, char found[2])
{
    size_t i, classes = 0;

    for (i = 0; pattern[i] != '\0'; i++) {
        if (i == bytes)
            return 0;
        if (!is_class(pattern[i])) {
            if (pattern[i] != text[i])
                return 0;
        } else {
            if (!is_in_class(pattern[i], text[i]))
                return 0;
            found[classes++] = text[i];
        }
    }
    return i;
}

static dgm_status add_replacement(struct dgm_env *env, struct dgm_buf *to, const char *replacement,
                                  const char found[2])
{
    for (; *replacement != '\0'; replacement++) {
        const int is_found = *replacement == '1' || *replacement == '2';

        DGM_TRY(dgm_buf_add_char(env, to, is_found ? found[*replacement - '1'] : *replacement));
    }
    return DGM_OK;
}

/* A rule that reads two blanks means any number of them: " +" becomes one blank. */
static size_t match_blanks(const char *text, size_t bytes)
{
    size_t count = 0;

    while (count < bytes && text[count] == ' ')
        count++;
    return count < 2 ? 0 : count;
}

/*
 * One rule over the whole text. Most rules match nowhere in most lines, and most begin with a rare
 * byte: memchr finds it or shows at once that there is nothing to do, and then nothing is copied.
 */
static dgm_status apply_rule(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare,
                             const struct rule *rule)
{
    int is_blanks = strcmp(rule->pattern, "  ") == 0;
    size_t at = 0, copied = 0, used;
    char found[2] = { 0, 0 };

    dgm_buf_reset(spare);
    while (at < text->size) {
        const char *here = text->data + at;
        size_t left = text->size - at;

        if (!is_class(rule->pattern[0])) {
            const char *next = memchr(here, rule->pattern[0], left);

            if (next == NULL)
                break;
            at += (size_t)(next - here);
            left -= (size_t)(next - here);
            here = next;
        }
        used = is_blanks ? match_blanks(here, left) : match(rule->pattern, here, left, found);
        if (used == 0) {
            at++;
            continue;
        }
        DGM_TRY(dgm_buf_add(env, spare, text->data + copied, at - copied));
        DGM_TRY(add_replacement(env, spare, rule->replacement, found));
        at += used;
        copied = at;
    }
    if (copied == 0)
        return DGM_OK;
    DGM_TRY(dgm_buf_add(env, spare, text->data + copied, text->size - copied));
    dgm_buf_swap(text, spare);
    return DGM_OK;
}

static dgm_status apply_rules(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare,
                              const struct rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        DGM_TRY(apply_rule(env, text, spare, &rules[i]));
    return DGM_OK;
}

#define APPLY(rules) apply_rules(env, text, spare, rules, sizeof(rules) / sizeof(rules)[0])

static size_t run_of(const struct dgm_buf *text, size_t at, const char *set)
{
    size_t start = at;

    while (at < text->size && text->data[at] != '\0' && strchr(set, text->data[at]) != NULL)
        at++;
    return at - start;
}

/* English: a quotation mark goes behind the commas and full stops that follow it. */
static dgm_status move_quotes_back(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare)
{
    size_t at = 0, run;

    dgm_buf_reset(spare);
    while (at < text->size) {
        run = text->data[at] == '"' ? run_of(text, at + 1, ",.") : 0;
        DGM_TRY(dgm_buf_add(env, spare, text->data + at + (run > 0), run > 0 ? run : 1));
        if (run > 0)
            DGM_TRY(dgm_buf_add_char(env, spare, '"'));
        at += run + 1;
    }
    dgm_buf_swap(text, spare);
    return DGM_OK;
}

/* Other languages: a quotation mark goes before full stops, unless a tag follows. */
static dgm_status move_quotes_forward(struct dgm_env *env, struct dgm_buf *text,
                                      struct dgm_buf *spare)
{
    size_t at = 0, run;

    dgm_buf_reset(spare);
    while (at < text->size) {
        run = run_of(text, at, ".");
        if (run > 0 && at + run < text->size && text->data[at + run] == '"' &&
            (at + run + 1 == text->size || text->data[at + run + 1] != '<')) {
            DGM_TRY(dgm_buf_add_char(env, spare, '"'));
            DGM_TRY(dgm_buf_add(env, spare, text->data + at, run));
            at += run + 1;
        } else {
            DGM_TRY(dgm_buf_add(env, spare, text->data + at, run > 0 ? run : 1));
            at += run > 0 ? run : 1;
        }
    }
    dgm_buf_swap(text, spare);
    return DGM_OK;
}

static int is_language(const char *language, const char *list)
{
    return language != NULL && strlen(language) == 2 && strstr(list, language) != NULL;
}

static dgm_status normalize_punctuation(struct dgm_env *env, struct dgm_buf *text,
                                        struct dgm_buf *spare, const char *language)
{
    DGM_TRY(APPLY(general_rules));
    if (is_language(language, "en")) {
        DGM_TRY(move_quotes_back(env, text, spare));
    } else if (!is_language(language, "cs cz")) {
        DGM_TRY(APPLY(comma_rules));
        DGM_TRY(move_quotes_forward(env, text, spare));
    }
    return is_language(language, "de es cz cs fr") ? APPLY(number_comma_rules)
                                                   : APPLY(number_point_rules);
}

dgm_status dgm_normalize_line(struct dgm_env *env, struct dgm_buf *out, const char *line,
                              size_t bytes, const struct dgm_normalize_options *options)
{
    struct dgm_buf text = { 0 }, spare = { 0 };
    dgm_status status;

    if (options->compose)
        DGM_TRY_OUT(dgm_unicode_nfc(env, &text, line, bytes));
    else
        DGM_TRY_OUT(dgm_buf_add(env, &text, line, bytes));
    if (options->punctuation)
        DGM_TRY_OUT(normalize_punctuation(env, &text, &spare, options->language));
    if (options->lower)
        DGM_TRY_OUT(dgm_unicode_lower_text(env, out, text.data, text.size));
    else
        DGM_TRY_OUT(dgm_buf_add(env, out, text.data, text.size));
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &spare);
    return status;
}
