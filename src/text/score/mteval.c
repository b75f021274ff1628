/*
 * mteval.c: the tokenisers by which BLEU is defined, each as a chain of passes over the line.
 *
 * The originals are Perl substitutions, one after the other: the passes keep their order, and that
 * a match uses up its characters (s///g goes on behind them), because published scores depend on
 * both. A pass reads one buffer and writes the other.
 */
#include "text/score/mteval.h"

#include <string.h>

#include "text/score/intl_data.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

size_t dgm_mteval_start(const char *line, size_t bytes)
{
    size_t at = 0, used;
    uint32_t code;

    for (; at < bytes; at += used) {
        used = dgm_utf8_decode(&code, line + at, bytes - at);
        if (!dgm_unicode_is_blank(code))
            break;
    }
    return at;
}

size_t dgm_mteval_end(const char *line, size_t bytes)
{
    size_t at;
    uint32_t code;

    while (bytes > 0) {
        at = bytes - 1;
        while (at > 0 && ((unsigned char)line[at] & 0xC0) == 0x80)
            at--;
        dgm_utf8_decode(&code, line + at, bytes - at);
        if (!dgm_unicode_is_blank(code))
            break;
        bytes = at;
    }
    return bytes;
}

int dgm_mteval_next(const char *line, size_t bytes, size_t *at, const char **word, size_t *length)
{
    size_t start = *at, end, used;
    uint32_t code;

    for (; start < bytes; start += used) {
        used = dgm_utf8_decode(&code, line + start, bytes - start);
        if (!dgm_unicode_is_blank(code))
            break;
    }
    for (end = start; end < bytes; end += used) {
        used = dgm_utf8_decode(&code, line + end, bytes - end);
        if (dgm_unicode_is_blank(code))
            break;
    }
    *word = line + start;
    *length = end - start;
    *at = end;
    return end > start;
}

/* ---- single characters ----------------------------------------------------------------------- */

dgm_status dgm_mteval_char(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes)
{
    size_t at = 0, start = out->size, used;
    uint32_t code;

    for (; at < bytes; at += used) {
        used = dgm_utf8_decode(&code, line + at, bytes - at);
        if (dgm_unicode_is_blank(code))
            continue;
        if (out->size > start)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add(env, out, line + at, used));
    }
    return DGM_OK;
}

/* ---- mteval-v13a ----------------------------------------------------------------------------- */

/*
 * The tokeniser by which WMT scores. ASCII punctuation and symbols are set off; full stops and
 * commas unless they stand within a number; hyphens behind a digit. All of it concerns ASCII alone,
 * so the passes work on bytes.
 */

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Every symbol of ASCII but the apostrophe, the comma, the hyphen and the full stop. */
static int is_symbol(char c)
{
    return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
           (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

static int is_stop(char c)
{
    return c == '.' || c == ',';
}

static dgm_status add_spaced(struct dgm_env *env, struct dgm_buf *out, char c)
{
    DGM_TRY(dgm_buf_add_char(env, out, ' '));
    DGM_TRY(dgm_buf_add_char(env, out, c));
    return dgm_buf_add_char(env, out, ' ');
}

/* Ends a pass: what it has written is the text of the next one. */
static void end_pass(struct dgm_buf *text, struct dgm_buf *spare)
{
    dgm_buf_swap(text, spare);
    dgm_buf_reset(spare);
}

static dgm_status replace(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare,
                          const char *from, const char *to)
{
    size_t length = strlen(from), at = 0;

    while (at < text->size) {
        if (text->size - at >= length && memcmp(text->data + at, from, length) == 0) {
            DGM_TRY(dgm_buf_add_text(env, spare, to));
            at += length;
        } else {
            DGM_TRY(dgm_buf_add_char(env, spare, text->data[at++]));
        }
    }
    end_pass(text, spare);
    return DGM_OK;
}

/* One after the other, so that &amp;lt; becomes < as in the original. */
static dgm_status undo_escapes(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare)
{
    if (text->size == 0 || memchr(text->data, '&', text->size) == NULL)
        return DGM_OK;
    DGM_TRY(replace(env, text, spare, "&quot;", "\""));
    DGM_TRY(replace(env, text, spare, "&amp;", "&"));
    DGM_TRY(replace(env, text, spare, "&lt;", "<"));
    return replace(env, text, spare, "&gt;", ">");
}

/* Sets off symbols. */
static dgm_status split_ascii_symbols(struct dgm_env *env, struct dgm_buf *text,
                                      struct dgm_buf *spare)
{
    for (size_t i = 0; i < text->size; i++) {
        char c = text->data[i] == '\n' ? ' ' : text->data[i];

        DGM_TRY(is_symbol(c) ? add_spaced(env, spare, c) : dgm_buf_add_char(env, spare, c));
    }
    end_pass(text, spare);
    return DGM_OK;
}

/* Between blanks full stops and commas have neighbours at the ends of the line, too. */
static dgm_status surround(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare)
{
    DGM_TRY(dgm_buf_add_char(env, spare, ' '));
    DGM_TRY(dgm_buf_add(env, spare, text->data, text->size));
    DGM_TRY(dgm_buf_add_char(env, spare, ' '));
    end_pass(text, spare);
    return DGM_OK;
}

/* Sets off full stops and commas behind anything but a digit; or else hyphens behind a digit. */
static dgm_status split_behind(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare,
                               int is_of_stops)
{
    for (size_t i = 0; i < text->size; i++) {
        const int after_digit = is_digit(text->data[i]);
        const char next = i + 1 < text->size ? text->data[i + 1] : '\0';

        DGM_TRY(dgm_buf_add_char(env, spare, text->data[i]));
        if (is_of_stops ? !after_digit && is_stop(next) : after_digit && next == '-')
            DGM_TRY(add_spaced(env, spare, text->data[++i]));
    }
    end_pass(text, spare);
    return DGM_OK;
}

/* ... and before anything but a digit. */
static dgm_status split_stops_before(struct dgm_env *env, struct dgm_buf *text,
                                     struct dgm_buf *spare)
{
    for (size_t i = 0; i < text->size; i++) {
        if (i + 1 < text->size && is_stop(text->data[i]) && !is_digit(text->data[i + 1])) {
            DGM_TRY(add_spaced(env, spare, text->data[i]));
            DGM_TRY(dgm_buf_add_char(env, spare, text->data[++i]));
        } else {
            DGM_TRY(dgm_buf_add_char(env, spare, text->data[i]));
        }
    }
    end_pass(text, spare);
    return DGM_OK;
}

static dgm_status join_words(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *text)
{
    size_t at = 0, start = out->size, length;
    const char *word;

    while (dgm_mteval_next(text->data, text->size, &at, &word, &length)) {
        if (out->size > start)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add(env, out, word, length));
    }
    return DGM_OK;
}

dgm_status dgm_mteval_western(struct dgm_env *env, struct dgm_buf *out, struct dgm_buf *text,
                              struct dgm_buf *spare)
{
    DGM_TRY(split_ascii_symbols(env, text, spare));
    DGM_TRY(split_behind(env, text, spare, 1));
    DGM_TRY(split_stops_before(env, text, spare));
    DGM_TRY(split_behind(env, text, spare, 0));
    return join_words(env, out, text);
}

dgm_status dgm_mteval_13a(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes)
{
    struct dgm_buf text = { 0 }, spare = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add(env, &text, line, bytes));
    if (bytes > 0 && memchr(line, '<', bytes) != NULL)
        DGM_TRY_OUT(replace(env, &text, &spare, "<skipped>", ""));
    DGM_TRY_OUT(undo_escapes(env, &text, &spare));
    DGM_TRY_OUT(surround(env, &text, &spare));
    DGM_TRY_OUT(dgm_mteval_western(env, out, &text, &spare));
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &spare);
    return status;
}

/* ---- tercom ---------------------------------------------------------------------------------- */

dgm_status dgm_mteval_tercom(struct dgm_env *env, struct dgm_buf *out, struct dgm_buf *line)
{
    DGM_TRY(undo_escapes(env, line, out));
    DGM_TRY(surround(env, line, out));
    DGM_TRY(split_ascii_symbols(env, line, out));
    DGM_TRY(replace(env, line, out, "'s ", " 's "));
    DGM_TRY(split_behind(env, line, out, 1));
    DGM_TRY(split_stops_before(env, line, out));
    DGM_TRY(split_behind(env, line, out, 0));
    dgm_buf_swap(line, out);
    return DGM_OK;
}

/* ---- mteval-v14, international --------------------------------------------------------------- */

/* Punctuation is set off unless a number stands on the side in question, symbols always. */

/* One character of the text: its bytes and what it is. */
struct character {
    size_t at, bytes;
    uint32_t kind; /* enum dgm_intl; 0 behind the end, too */
};

/* Most characters are of ASCII, whose flags need no search. */
static uint32_t kind_of(uint32_t code)
{
    unsigned flags;

    if (code >= 128)
        return dgm_unicode_run(dgm_intl_runs, dgm_intl_run_count, DGM_INTL_BITS, code);
    flags = dgm_unicode_flags(code);
    return flags & DGM_UNICODE_PUNCT    ? DGM_INTL_PUNCT
           : flags & DGM_UNICODE_SYMBOL ? DGM_INTL_SYMBOL
           : flags & DGM_UNICODE_NUMBER ? DGM_INTL_NUMBER
                                        : DGM_INTL_OTHER;
}

static struct character character_at(const struct dgm_buf *text, size_t at)
{
    struct character c = { at, 0, 0 };
    uint32_t code;

    if (at < text->size) {
        c.bytes = dgm_utf8_decode(&code, text->data + at, text->size - at);
        c.kind = kind_of(code);
    }
    return c;
}

static dgm_status add(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *text,
                      struct character c, int is_spaced)
{
    if (is_spaced)
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
    DGM_TRY(dgm_buf_add(env, out, text->data + c.at, c.bytes));
    return is_spaced ? dgm_buf_add_char(env, out, ' ') : DGM_OK;
}

/* Punctuation behind anything but a number. */
static dgm_status split_punctuation_behind(struct dgm_env *env, struct dgm_buf *out,
                                           const struct dgm_buf *text)
{
    struct character c = character_at(text, 0), next;

    while (c.bytes > 0) {
        next = character_at(text, c.at + c.bytes);
        DGM_TRY(add(env, out, text, c, 0));
        if (c.kind != DGM_INTL_NUMBER && next.kind == DGM_INTL_PUNCT) {
            DGM_TRY(add(env, out, text, next, 1));
            next = character_at(text, next.at + next.bytes);
        }
        c = next;
    }
    return DGM_OK;
}

/* ... and before anything but a number. */
static dgm_status split_punctuation_before(struct dgm_env *env, struct dgm_buf *out,
                                           const struct dgm_buf *text)
{
    struct character c = character_at(text, 0), next;

    while (c.bytes > 0) {
        next = character_at(text, c.at + c.bytes);
        if (c.kind == DGM_INTL_PUNCT && next.bytes > 0 && next.kind != DGM_INTL_NUMBER) {
            DGM_TRY(add(env, out, text, c, 1));
            DGM_TRY(add(env, out, text, next, 0));
            next = character_at(text, next.at + next.bytes);
        } else {
            DGM_TRY(add(env, out, text, c, 0));
        }
        c = next;
    }
    return DGM_OK;
}

/* Symbols, and single blanks between words. */
static dgm_status split_symbols(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_buf *text)
{
    size_t at = 0, start = out->size, length, i;
    const char *word;

    while (dgm_mteval_next(text->data, text->size, &at, &word, &length)) {
        int blank = 1;

        for (i = (size_t)(word - text->data); i < at;) {
            struct character c = character_at(text, i);
            int is_symbol = c.kind == DGM_INTL_SYMBOL;

            if ((blank || is_symbol) && out->size > start)
                DGM_TRY(dgm_buf_add_char(env, out, ' '));
            DGM_TRY(add(env, out, text, c, 0));
            blank = is_symbol;
            i += c.bytes;
        }
    }
    return DGM_OK;
}

dgm_status dgm_mteval_intl(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes)
{
    struct dgm_buf text = { 0 }, spare = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add(env, &text, line, bytes));
    DGM_TRY_OUT(split_punctuation_behind(env, &spare, &text));
    dgm_buf_reset(&text);
    DGM_TRY_OUT(split_punctuation_before(env, &text, &spare));
    DGM_TRY_OUT(split_symbols(env, out, &text));
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &spare);
    return status;
}
