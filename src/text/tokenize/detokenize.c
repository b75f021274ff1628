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
#include "text/unicode/mark.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

struct token {
    const char *text;
    size_t bytes;
};

#define CURLY_APOSTROPHE "\xE2\x80\x99"

enum { SINGLE_QUOTES, DOUBLE_QUOTES };

struct state {
    struct dgm_env *env;
    struct dgm_buf *out;
    size_t line_start; /* of the line within `out` */
    enum dgm_moses_language language;
    int blank;             /* a blank goes before the next token */
    struct dgm_map quotes; /* straight quotation mark -> how many of them have been met */
    uint32_t opened[2];    /* by kind: the curly mark that has opened a quotation, or 0 */
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

static int is_french_elision(struct token token, struct token after)
{
    struct token rest = token;

    if (token.bytes > 1 && apostrophe_at(token.text + token.bytes - 1, 1) > 0)
        rest.bytes -= 1;
    else if (token.bytes > 3 && apostrophe_at(token.text + token.bytes - 3, 3) > 0)
        rest.bytes -= 3;
    return rest.bytes < token.bytes && dgm_unicode_is(last_character(rest), DGM_UNICODE_ALPHA) &&
           dgm_unicode_is(first_character(after), DGM_UNICODE_ALPHA);
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

/* Straight quotation marks of one kind open and close in turn. */
static dgm_status put_straight_quote(struct state *state, struct token token, struct token before)
{
    struct dgm_map_entry *entry;
    uint32_t *opened = &state->opened[DOUBLE_QUOTES];

    DGM_TRY(dgm_map_insert(state->env, &state->quotes, token.text, token.bytes, &entry, NULL));
    if (token.bytes == 1 && token.text[0] == '"' && *opened != 0) {
        *opened = 0;
        return put(state, token, 0, 1);
    }
    if (entry->value % 2 != 0) {
        entry->value++;
        return put(state, token, 0, 1);
    }
    /* "The Jones' house": no quotation begins here. */
    if (state->language == DGM_MOSES_EN && token.bytes == 1 && token.text[0] == '\'' &&
        before.bytes > 0 && before.text[before.bytes - 1] == 's')
        return put(state, token, 0, 1);
    entry->value++;
    return put(state, token, state->blank, 0);
}

/* Whether a curly mark opens a quotation: that of English is that which ends a German one, and that
 * which ends an English one does both in Swedish. */
static int is_curly_opening(struct state *state, uint32_t c)
{
    uint32_t opened = state->opened[c < 0x201C ? SINGLE_QUOTES : DOUBLE_QUOTES];
    struct dgm_map_entry *straight;

    if (c == 0x2018 || c == 0x201C)
        return opened != c + 2;
    if (c == 0x201A || c == 0x201E)
        return 1;
    if (c == 0x2019 || opened != 0)
        return opened == 0;
    straight = dgm_map_find(&state->quotes, "\"", 1);
    if (straight == NULL || straight->value % 2 == 0)
        return 1;
    straight->value++;
    return 0;
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
    uint32_t c = first_character(token);
    uint32_t *opened = &state->opened[c < 0x201C ? SINGLE_QUOTES : DOUBLE_QUOTES];

    if (c == 0x2019 && *opened == 0 && dgm_unicode_is(last_character(before), DGM_UNICODE_ALNUM))
        return put(state, token, 0,
                   ends_in_s(before) || !dgm_unicode_is(first_character(after), DGM_UNICODE_ALNUM));
    if (is_curly_opening(state, c)) {
        *opened = c;
        return put(state, token, state->blank, 0);
    }
    *opened = 0;
    return put(state, token, 0, 1);
}

static dgm_status put_token(struct state *state, struct token token, struct token before,
                            struct token after)
{
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
    if (state->language == DGM_MOSES_FR && is_french_elision(token, after))
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
    DGM_TRY_OUT(dgm_written_unescape(env, &text, line, bytes));
    DGM_TRY_OUT(join_tokens(&state, text.data != NULL ? text.data : "", text.size));
out:
    dgm_map_clear(env, &state.quotes);
    dgm_buf_clear(env, &text);
    return status;
}
