/*
 * normalize.c: Moses' punctuation normalisation, as a table of replacements in order.
 *
 * In a pattern D stands for a digit of any script, A for a letter of ASCII and P for one of
 * . ! : ? ; and a comma; in a replacement 1 and 2 stand for what the first and the second of them
 * matched. No rule needs any of these five characters for itself.
 */
#include "text/tokenize/normalize.h"

#include <string.h>

#include "base/bytes.h"
#include "text/unicode/mark.h"
#include "text/unicode/nfc.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* steps: those with which it applies, any of them; 0: always. */
enum { NOT_MOSES = 64 };
struct rule {
    const char *pattern, *replacement;
    unsigned steps;
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
    { "\r", "", 0 },
    { "(", " (", 0 },
    { ")", ") ", 0 },
    { "  ", " ", 0 },
    { ") P", ")1", 0 },
    { "( ", "(", 0 },
    { " )", ")", 0 },
    { "D %", "1%", 0 },
    { " :", ":", 0 },
    { " ;", ";", 0 },
    { "`", "'", DGM_NORMAL_PENN },
    { "''", " \" ", DGM_NORMAL_PENN },
    { LOW_QUOTES, "\"", 0 },
    { LEFT_QUOTES, "\"", 0 },
    { RIGHT_QUOTES, "\"", 0 },
    { EN_DASH, "-", 0 },
    { EM_DASH, " - ", 0 },
    { "  ", " ", 0 },
    { ACUTE, "'", 0 },
    { "A" LEFT_QUOTE "A", "1'2", 0 },
    { "A" RIGHT_QUOTE "A", "1'2", 0 },
    { LEFT_QUOTE, "'", 0 },
    { LOW_QUOTE, "'", 0 },
    { RIGHT_QUOTE, "'", 0 },
    { "''", "\"", 0 },
    { ELLIPSIS, "...", 0 },
    { NBSP LEFT_GUILLEMET NBSP, " \"", DGM_NORMAL_MOSES },
    { NBSP LEFT_GUILLEMET NBSP, "\"", NOT_MOSES },
    { LEFT_GUILLEMET NBSP, "\"", 0 },
    { LEFT_GUILLEMET, "\"", 0 },
    { NBSP RIGHT_GUILLEMET NBSP, "\" ", DGM_NORMAL_MOSES },
    { NBSP RIGHT_GUILLEMET NBSP, "\"", NOT_MOSES },
    { NBSP RIGHT_GUILLEMET, "\"", 0 },
    { RIGHT_GUILLEMET, "\"", 0 },
    { NBSP "%", "%", 0 },
    { "n" MASCULINE NBSP, "n" MASCULINE " ", 0 },
    { NBSP ":", ":", 0 },
    { NBSP MASCULINE "C", " " MASCULINE "C", 0 },
    { NBSP "cm", " cm", 0 },
    { NBSP "?", "?", 0 },
    { NBSP "!", "!", 0 },
    { NBSP ";", ";", 0 },
    { "," NBSP, ", ", 0 },
    { "  ", " ", 0 },
};

static const struct rule comma_rules[] = { { ",\"", "\",", 0 } };
static const struct rule number_comma_rules[] = { { "D" NBSP "D", "1,2", 0 } };
static const struct rule number_point_rules[] = { { "D" NBSP "D", "1.2", 0 } };

/* Bytes of the character that a class has at the start of a text, or 0. */
static size_t match_class(char class_name, const char *text, size_t bytes)
{
    const char c = *text;
    uint32_t code;
    size_t used;

    if (class_name == 'A')
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (class_name == 'P')
        return c != '\0' && strchr(".!:?;,", c) != NULL;
    if ((unsigned char)c < 0x80)
        return c >= '0' && c <= '9';
    if ((unsigned char)c < 0xC0) /* not the first byte of a character */
        return 0;
    used = dgm_utf8_decode(&code, text, bytes);
    return code != DGM_UTF8_BAD && dgm_unicode_is(code, DGM_UNICODE_DECIMAL) ? used : 0;
}

static int is_class(char c)
{
    return c == 'D' || c == 'A' || c == 'P';
}

/* What a class met. */
struct found {
    const char *text;
    size_t bytes;
};

/*
 * Bytes that the pattern matches at the start of the text, or 0; `found` gets what
 * classes met.
 */
static size_t match(const char *pattern, const char *text, size_t bytes, struct found found[2])
{
    size_t at = 0, used, classes = 0;

    for (; *pattern != '\0'; pattern++, at += used) {
        if (at == bytes)
            return 0;
        used = is_class(*pattern) ? match_class(*pattern, text + at, bytes - at)
                                  : *pattern == text[at];
        if (used == 0)
            return 0;
        if (is_class(*pattern))
            found[classes++] = (struct found){ text + at, used };
    }
    return at;
}

static dgm_status add_replacement(struct dgm_env *env, struct dgm_buf *to, const char *replacement,
                                  const struct found found[2])
{
    for (; *replacement != '\0'; replacement++) {
        const struct found *one = &found[*replacement == '2'];

        if (*replacement == '1' || *replacement == '2')
            DGM_TRY(dgm_buf_add(env, to, one->text, one->bytes));
        else
            DGM_TRY(dgm_buf_add_char(env, to, *replacement));
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
    struct found found[2] = { { NULL, 0 }, { NULL, 0 } };

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
                              unsigned steps, const struct rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].steps == 0 || (rules[i].steps & steps) != 0)
            DGM_TRY(apply_rule(env, text, spare, &rules[i]));
    return DGM_OK;
}

#define APPLY(rules) apply_rules(env, text, spare, steps, rules, sizeof(rules) / sizeof(rules)[0])

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

/* White space, as regular expressions know it, at the start of a text. */
static size_t match_spaces(const char *text, size_t bytes)
{
    size_t at = 0, used;
    uint32_t code;

    for (; at < bytes; at += used) {
        used = dgm_utf8_decode(&code, text + at, bytes - at);
        if (code == DGM_UTF8_BAD || !dgm_unicode_is_blank(code))
            break;
    }
    return at;
}

/*
 * What must follow a quotation mark that goes before the stops in front of it: any character but
 * "<", or white space and so a tag; *follows bytes of it are looked at no more. Moses' script reads
 * a line with its end, which is a character, and looks at no more than that.
 */
static int may_move(const char *text, size_t bytes, int moses, size_t *follows)
{
    const size_t spaces = match_spaces(text, bytes);
    uint32_t code;

    *follows = 0;
    if (moses)
        return bytes == 0 || *text != '<';
    *follows = spaces;
    if (spaces < bytes && text[spaces] != '<')
        *follows += dgm_utf8_decode(&code, text + spaces, bytes - spaces);
    return *follows > 0;
}

/* Other languages: a quotation mark goes before full stops. */
static dgm_status move_quotes_forward(struct dgm_env *env, struct dgm_buf *text,
                                      struct dgm_buf *spare, int moses)
{
    size_t at = 0, run, follows;

    dgm_buf_reset(spare);
    while (at < text->size) {
        const char *here = text->data + at;
        const size_t left = text->size - at;

        run = run_of(text, at, ".");
        if (run > 0 && run < left && here[run] == '"' &&
            may_move(here + run + 1, left - run - 1, moses, &follows)) {
            DGM_TRY(dgm_buf_add_char(env, spare, '"'));
            DGM_TRY(dgm_buf_add(env, spare, here, run));
            DGM_TRY(dgm_buf_add(env, spare, here + run + 1, follows));
            at += run + 1 + follows;
        } else {
            DGM_TRY(dgm_buf_add(env, spare, here, run > 0 ? run : 1));
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

static dgm_status move_quotes(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare,
                              const char *language, unsigned steps)
{
    const int moses = (steps & DGM_NORMAL_MOSES) != 0;

    if (is_language(language, "en"))
        return move_quotes_back(env, text, spare);
    if (moses ? is_language(language, "cs cz") : !is_language(language, "de es fr"))
        return DGM_OK;
    DGM_TRY(APPLY(comma_rules));
    return move_quotes_forward(env, text, spare, moses);
}

static dgm_status normalize_punctuation(struct dgm_env *env, struct dgm_buf *text,
                                        struct dgm_buf *spare, const char *language, unsigned steps)
{
    DGM_TRY(APPLY(general_rules));
    if (steps & DGM_NORMAL_COMMAS)
        DGM_TRY(move_quotes(env, text, spare, language, steps));
    if (!(steps & DGM_NORMAL_NUMBERS))
        return DGM_OK;
    return is_language(language, "de es cz cs fr") ? APPLY(number_comma_rules)
                                                   : APPLY(number_point_rules);
}

/* ---- other steps ----------------------------------------------------------------------------- */

/* Punctuation and digits of full width, and what stands for them; a stop takes the white space
 * behind it along (Moses' replace-unicode-punctuation.perl). */
static const struct {
    uint32_t code;
    char text[4];
    int takes_spaces;
} full_width[] = {
    { 0xFF0C, ",", 0 },  { 0x3002, ". ", 1 }, { 0x3001, ",", 0 },  { 0x201D, "\"", 0 },
    { 0x201C, "\"", 0 }, { 0x2236, ":", 0 },  { 0xFF1A, ":", 0 },  { 0xFF1F, "?", 0 },
    { 0x300A, "\"", 0 }, { 0x300B, "\"", 0 }, { 0xFF09, ")", 0 },  { 0xFF01, "!", 0 },
    { 0xFF08, "(", 0 },  { 0xFF1B, ";", 0 },  { 0x300D, "\"", 0 }, { 0x300C, "\"", 0 },
    { 0xFF0E, ". ", 1 }, { 0xFF5E, "~", 0 },  { 0x2019, "'", 0 },  { 0x2026, "...", 0 },
    { 0x2501, "-", 0 },  { 0x3008, "<", 0 },  { 0x3009, ">", 0 },  { 0x3010, "[", 0 },
    { 0x3011, "]", 0 },  { 0xFF05, "%", 0 },
};
enum { FULL_WIDTH_ZERO = 0xFF10 };

/* Appends what stands for a character, if anything; bytes of white space to pass over then. */
static dgm_status add_narrow(struct dgm_env *env, struct dgm_buf *out, uint32_t code,
                             const char *behind, size_t bytes, int *is_done, size_t *passed)
{
    *passed = 0;
    *is_done = 1;
    if (code - FULL_WIDTH_ZERO < 10)
        return dgm_buf_add_char(env, out, (char)('0' + (code - FULL_WIDTH_ZERO)));
    for (size_t i = 0; i < sizeof full_width / sizeof full_width[0]; i++) {
        if (full_width[i].code != code)
            continue;
        if (full_width[i].takes_spaces)
            *passed = match_spaces(behind, bytes);
        return dgm_buf_add_text(env, out, full_width[i].text);
    }
    *is_done = 0;
    return DGM_OK;
}

static dgm_status replace_full_width(struct dgm_env *env, struct dgm_buf *text,
                                     struct dgm_buf *spare)
{
    size_t used, passed;
    uint32_t code;
    int is_done;

    dgm_buf_reset(spare);
    for (size_t at = 0; at < text->size; at += used + passed) {
        const char *here = text->data + at;

        used = dgm_utf8_decode(&code, here, text->size - at);
        DGM_TRY(
            add_narrow(env, spare, code, here + used, text->size - at - used, &is_done, &passed));
        if (!is_done)
            DGM_TRY(dgm_buf_add(env, spare, here, used));
    }
    dgm_buf_swap(text, spare);
    return DGM_OK;
}

/* General category C: what is no letter, mark, number, punctuation, symbol or separator. */
static int is_control(uint32_t code)
{
    const unsigned others = DGM_UNICODE_LETTER | DGM_UNICODE_NUMBER | DGM_UNICODE_PUNCT |
                            DGM_UNICODE_SYMBOL | DGM_UNICODE_SPACE;

    if (code < ' ' || (code >= 0x7F && code < 0xA0))
        return 1;
    return !dgm_unicode_is(code, others) && !dgm_unicode_is_mark(code);
}

static dgm_status drop_controls(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare)
{
    size_t used;
    uint32_t code;

    dgm_buf_reset(spare);
    for (size_t at = 0; at < text->size; at += used) {
        used = dgm_utf8_decode(&code, text->data + at, text->size - at);
        if (code == DGM_UTF8_BAD || !is_control(code))
            DGM_TRY(dgm_buf_add(env, spare, text->data + at, used));
    }
    dgm_buf_swap(text, spare);
    return DGM_OK;
}

/* No white space at either end. */
static dgm_status strip(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare)
{
    const size_t start = match_spaces(text->data, text->size);
    size_t end = start, at = start;

    while (at < text->size) {
        uint32_t code;

        at += dgm_utf8_decode(&code, text->data + at, text->size - at);
        end = at;
        at += match_spaces(text->data + at, text->size - at);
    }
    if (start == 0 && end == text->size)
        return DGM_OK;
    dgm_buf_reset(spare);
    DGM_TRY(dgm_buf_add(env, spare, text->data + start, end - start));
    dgm_buf_swap(text, spare);
    return DGM_OK;
}

static dgm_status apply_steps(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare,
                              const struct dgm_normalize_options *options)
{
    const unsigned steps = options->steps;

    if (steps & DGM_NORMAL_MOSES)
        return normalize_punctuation(env, text, spare, options->language, steps);
    if (steps & DGM_NORMAL_FULL)
        DGM_TRY(replace_full_width(env, text, spare));
    DGM_TRY(normalize_punctuation(env, text, spare, options->language, steps | NOT_MOSES));
    if (steps & DGM_NORMAL_CONTROLS)
        DGM_TRY(drop_controls(env, text, spare));
    return strip(env, text, spare);
}

/* ---- what is called -------------------------------------------------------------------------- */

dgm_status dgm_normal_steps_read(struct dgm_env *env, const char *option, const char *list,
                                 unsigned *steps)
{
    static const char *const names[] = { "penn", "commas", "numbers", "full-width", "controls" };
    enum { NAMES = 5 };

    *steps = strcmp(list, "moses") == 0 ? DGM_NORMAL_MOSES | DGM_NORMAL_USUAL : 0;
    if (*steps != 0 || strcmp(list, "none") == 0)
        return DGM_OK;
    for (const char *name = list;; name++) {
        const size_t length = strcspn(name, ",");
        const size_t step = dgm_bytes_which(name, length, names, NAMES);

        if (step == NAMES)
            return dgm_fail(env, DGM_USAGE,
                            "%s \"%.*s\"; expected moses, none, or some of " DGM_NORMAL_STEPS,
                            option, (int)length, name);
        *steps |= 1U << step;
        name += length;
        if (*name == '\0')
            return DGM_OK;
    }
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
        DGM_TRY_OUT(apply_steps(env, &text, &spare, options));
    if (options->lower)
        DGM_TRY_OUT(dgm_unicode_lower_text(env, out, text.data, text.size));
    else
        DGM_TRY_OUT(dgm_buf_add(env, out, text.data, text.size));
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &spare);
    return status;
}
