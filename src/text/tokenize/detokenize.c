/*
 * detokenize.c: decides for each token whether a blank stands before it and behind it.
 *
 * Marks and what else follows a character (mark.h) change nothing of what it is.
 */
#include "text/tokenize/detokenize.h"

#include <string.h>

#include "base/map.h"
#include "text/bpe/word_counts.h"
#include "text/match/written.h"
#include "text/tokenize/moses.h"
#include "text/tokenize/joins.h"
#include "text/unicode/mark.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

struct token {
    const char *text;
    size_t bytes;
};

#define CURLY_APOSTROPHE "\xE2\x80\x99"

struct state {
    struct dgm_env *env;
    struct dgm_buf *out;
    size_t line_start; /* of the line within `out` */
    enum dgm_moses_language language;
    int blank; /* a blank goes before the next token */
    struct dgm_quotes quotes;
    struct dgm_map turns; /* grave accents and several marks -> how many of them have been met */
    /* Of a language without rules of Moses: */
    enum dgm_apostrophe apostrophe;
    int han_joins;
};

/* ---- classes of tokens ----------------------------------------------------------------------- */

static uint32_t first_character(struct token token)
{
    uint32_t code = DGM_UTF8_BAD;

    if (token.bytes > 0)
        dgm_utf8_decode(&code, token.text, token.bytes);
    return code;
}

/* The last one that follows none. */
static uint32_t last_character(struct token token)
{
    size_t at = token.bytes;
    uint32_t code = DGM_UTF8_BAD;

    while (at > 0) {
        size_t end = at;

        while (at > 0 && ((unsigned char)token.text[at - 1] & 0xC0) == 0x80)
            at--;
        at -= at > 0;
        dgm_utf8_decode(&code, token.text + at, end - at);
        if (!dgm_unicode_is_follower(code))
            break;
    }
    return code;
}

/* Chinese, Japanese and Korean, which are written without blanks. */
static int is_cjk(uint32_t c)
{
    static const uint32_t ranges[][2] = {
        { 0x1100, 0x11FF }, { 0x2E80, 0xA4CF }, { 0xA840, 0xA87F }, { 0xAC00, 0xD7AF },
        { 0xF900, 0xFAFF }, { 0xFE30, 0xFE4F }, { 0xFF65, 0xFFDC }, { 0x20000, 0x2FFFF },
    };

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return 1;
    return 0;
}

/* Hangul and Yi, which stand between these but are written with blanks. */
static int is_spaced_cjk(uint32_t c)
{
    return (c >= 0x1100 && c <= 0x11FF) || (c >= 0xA000 && c <= 0xD7FF) ||
           (c >= 0xFFA0 && c <= 0xFFDC);
}

static int is_opening(uint32_t c)
{
    return c == '(' || c == '[' || c == '{' || c == 0xBF || c == 0xA1 ||
           dgm_unicode_is(c, DGM_UNICODE_CURRENCY);
}

static int is_closing(uint32_t c)
{
    return c != 0 && c < 128 && strchr(",.?!:;\\%}])", (int)c) != NULL;
}

static int is_straight_quote(uint32_t c)
{
    return c == '\'' || c == '"' || c == '`';
}

static int is_curly_quote(uint32_t c)
{
    return c >= 0x2018 && c <= 0x201E && c != 0x201B;
}

/* Whether every character of the token passes the test, but for those that follow one. */
static int is_all(struct token token, int (*test)(uint32_t c))
{
    size_t at = 0;
    uint32_t code;

    while (at < token.bytes) {
        at += dgm_utf8_decode(&code, token.text + at, token.bytes - at);
        if (!test(code) && !dgm_unicode_is_follower(code))
            return 0;
    }
    return token.bytes > 0 && test(first_character(token));
}

/* Bytes of the apostrophe, straight or curly, that text begins with, or 0. */
static size_t apostrophe_at(const char *text, size_t bytes)
{
    if (bytes >= 1 && text[0] == '\'')
        return 1;
    return bytes >= 3 && memcmp(text, CURLY_APOSTROPHE, 3) == 0 ? 3 : 0;
}

static int is_english_contraction(struct token token, struct token before)
{
    size_t mark = apostrophe_at(token.text, token.bytes);
    struct token rest = { token.text + mark, token.bytes - mark };

    return mark > 0 && dgm_unicode_is(first_character(rest), DGM_UNICODE_ALPHA) &&
           dgm_unicode_is(last_character(before), DGM_UNICODE_ALNUM);
}

/* Whether letters and an apostrophe end the token: l' */
static int is_elided(struct token token)
{
    struct token rest = token;

    if (token.bytes > 1 && apostrophe_at(token.text + token.bytes - 1, 1) > 0)
        rest.bytes -= 1;
    else if (token.bytes > 3 && apostrophe_at(token.text + token.bytes - 3, 3) > 0)
        rest.bytes -= 3;
    return rest.bytes < token.bytes && dgm_unicode_is(last_character(rest), DGM_UNICODE_ALPHA);
}

/* ---- joining --------------------------------------------------------------------------------- */

/* Writes the token, behind a blank if `before` and the last token allow it. */
static dgm_status put(struct state *state, struct token token, int before, int behind)
{
    if (before && state->out->size > state->line_start)
        DGM_TRY(dgm_buf_add_char(state->env, state->out, ' '));
    state->blank = behind;
    return dgm_buf_add(state->env, state->out, token.text, token.bytes);
}

static dgm_status put_quote(struct state *state, struct token token, int opens)
{
    dgm_quotes_meet(&state->quotes, first_character(token));
    return opens ? put(state, token, state->blank, 0) : put(state, token, 0, 1);
}

/* Grave accents and several marks in a token open and close in turn. */
static dgm_status put_marks_in_turn(struct state *state, struct token token)
{
    struct dgm_map_entry *entry;

    DGM_TRY(dgm_map_insert(state->env, &state->turns, token.text, token.bytes, &entry, NULL));
    return entry->value++ % 2 != 0 ? put(state, token, 0, 1) : put(state, token, state->blank, 0);
}

static dgm_status put_straight_quote(struct state *state, struct token token, struct token before)
{
    int opens;

    if (token.bytes > 1 || token.text[0] == '`')
        return put_marks_in_turn(state, token);
    opens = dgm_quotes_opens(&state->quotes, first_character(token));
    /* "The Jones' house": no quotation begins here. */
    if (opens && state->language == DGM_MOSES_EN && token.text[0] == '\'' && before.bytes > 0 &&
        before.text[before.bytes - 1] == 's')
        return put(state, token, 0, 1);
    return put_quote(state, token, opens);
}

/* "Hans' Auto": the apostrophe ends the word; elsewhere it stands within one. An s with a mark is
 * another letter. */
static int ends_in_s(struct token before)
{
    const char *end = before.text + before.bytes;

    if (before.bytes >= 2 && memcmp(end - 2, "\xC3\x9F", 2) == 0)
        return 1;
    return before.bytes >= 1 && (end[-1] == 's' || end[-1] == 'x' || end[-1] == 'z');
}

static dgm_status put_curly_quote(struct state *state, struct token token, struct token before,
                                  struct token after)
{
    const int opens = dgm_quotes_opens(&state->quotes, first_character(token));

    if (opens && apostrophe_at(token.text, token.bytes) > 0 &&
        dgm_unicode_is(last_character(before), DGM_UNICODE_ALNUM))
        return put(state, token, 0,
                   ends_in_s(before) || !dgm_unicode_is(first_character(after), DGM_UNICODE_ALNUM));
    return put_quote(state, token, opens);
}

/* ---- the general rules ----------------------------------------------------------------------- */

/* Where a token that is a single mark, or full stops in a row, joins; DGM_JOINS_NONE for a word. */
static enum dgm_joins joins_of(struct token token)
{
    uint32_t code = first_character(token), next;
    size_t at = 0;

    if (token.bytes == 0)
        return DGM_JOINS_NONE;
    at += dgm_utf8_decode(&code, token.text, token.bytes);
    while (at < token.bytes) {
        at += dgm_utf8_decode(&next, token.text + at, token.bytes - at);
        if (!dgm_unicode_is_follower(next) && !(code == '.' && next == '.'))
            return DGM_JOINS_NONE;
    }
    return dgm_joins_of(code);
}

static int joins_as_han(const struct state *state, uint32_t c)
{
    return state->han_joins && is_cjk(c) && !is_spaced_cjk(c) && dgm_joins_of(c) == DGM_JOINS_NONE;
}

static dgm_status put_word(struct state *state, struct token token, struct token before,
                           struct token after)
{
    const int is_ending =
        state->apostrophe == DGM_APOSTROPHE_RIGHT && is_english_contraction(token, before);
    const int is_elision = state->apostrophe == DGM_APOSTROPHE_LEFT && is_elided(token) &&
                           dgm_unicode_is(first_character(after), DGM_UNICODE_ALNUM);
    const int is_han =
        joins_as_han(state, first_character(token)) && joins_as_han(state, last_character(before));
    size_t at = 0;
    uint32_t code;

    while (at < token.bytes) {
        at += dgm_utf8_decode(&code, token.text + at, token.bytes - at);
        dgm_quotes_pass(&state->quotes, code);
    }
    return put(state, token, state->blank && !is_ending && !is_han, !is_elision);
}

/* Joins what general.h cuts. */
static dgm_status put_by_mark(struct state *state, struct token token, struct token before,
                              struct token after)
{
    const uint32_t code = first_character(token);
    enum dgm_joins joins = joins_of(token);

    if (state->apostrophe == DGM_APOSTROPHE_LEFT && apostrophe_at(token.text, token.bytes) > 0 &&
        joins == DGM_JOINS_QUOTE) {
        joins = DGM_JOINS_CLOSING;
    } else if (joins == DGM_JOINS_QUOTE) {
        return put_quote(state, token, dgm_quotes_opens(&state->quotes, code));
    }
    switch (joins) {
    case DGM_JOINS_OPENING: return put(state, token, state->blank, 0);
    case DGM_JOINS_CLOSING: return put(state, token, 0, 1);
    case DGM_JOINS_BOTH: return put(state, token, 0, 0);
    default: return put_word(state, token, before, after);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static dgm_status put_token(struct state *state, struct token token, struct token before,
                            struct token after)
{
    if (state->language == DGM_MOSES_OTHER)
        return put_by_mark(state, token, before, after);
    if (is_cjk(first_character(token)))
        return put(state, token, state->blank && !is_cjk(last_character(before)), 1);
    if (is_all(token, is_opening))
        return put(state, token, state->blank, 0);
    if (is_all(token, is_closing)) {
        int spaced = state->language == DGM_MOSES_FR && token.bytes == 1 &&
                     strchr("?!:;\\%", token.text[0]) != NULL;

        return put(state, token, spaced, 1);
    }
    if (state->language == DGM_MOSES_EN && is_english_contraction(token, before))
        return put(state, token, 0, 1);
    if (state->language == DGM_MOSES_FR && is_elided(token) &&
        dgm_unicode_is(first_character(after), DGM_UNICODE_ALPHA))
        return put(state, token, state->blank, 0);
    if (is_all(token, is_straight_quote))
        return put_straight_quote(state, token, before);
    if (is_all(token, is_curly_quote))
        return put_curly_quote(state, token, before, after);
    return put(state, token, state->blank, 1);
}

static dgm_status join_tokens(struct state *state, const char *line, size_t bytes)
{
    struct token before = { "", 0 }, token = { "", 0 }, after = { "", 0 };
    size_t at = 0;
    int more = dgm_word_counts_next(line, bytes, &at, &token.text, &token.bytes);

    state->blank = 1;
    while (more) {
        more = dgm_word_counts_next(line, bytes, &at, &after.text, &after.bytes);
        DGM_TRY(put_token(state, token, before, after));
        before = token;
        token = after;
    }
    return DGM_OK;
}

dgm_status dgm_detokenize_line(struct dgm_env *env, struct dgm_buf *out, const char *line,
                               size_t bytes, const char *language)
{
    struct dgm_buf text = { 0 };
    struct state state = { .env = env, .out = out, .line_start = out->size };
    dgm_status status;

    state.language = dgm_moses_language(language);
    state.apostrophe = dgm_apostrophe_of(language);
    state.han_joins = dgm_han_joins(language);
    DGM_TRY_OUT(dgm_written_unescape(env, &text, line, bytes));
    DGM_TRY_OUT(join_tokens(&state, text.data != NULL ? text.data : "", text.size));
out:
    dgm_map_clear(env, &state.turns);
    dgm_buf_clear(env, &text);
    return status;
}
