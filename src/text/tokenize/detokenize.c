/* detokenize.c: decides for each token whether a blank stands before it and behind it. */
#include "text/tokenize/detokenize.h"

#include <string.h>

#include "base/map.h"
#include "text/bpe/word_counts.h"
#include "text/match/written.h"
#include "text/tokenize/moses.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

struct token {
    const char *text;
    size_t bytes;
};

struct state {
    struct dgm_env *env;
    struct dgm_buf *out;
    size_t line_start; /* of the line within `out` */
    enum dgm_moses_language language;
    int blank;             /* a blank goes before the next token */
    struct dgm_map quotes; /* quotation mark -> how many of them have been met */
};

/* ---- classes of tokens ----------------------------------------------------------------------- */

static uint32_t first_character(struct token token)
{
    uint32_t code = DGM_UTF8_BAD;

    if (token.bytes > 0)
        dgm_utf8_decode(&code, token.text, token.bytes);
    return code;
}

static uint32_t last_character(struct token token)
{
    size_t at = token.bytes;
    uint32_t code = DGM_UTF8_BAD;

    while (at > 0 && ((unsigned char)token.text[at - 1] & 0xC0) == 0x80)
        at--;
    if (at > 0)
        dgm_utf8_decode(&code, token.text + at - 1, token.bytes - at + 1);
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

static int is_quote(uint32_t c)
{
    return c == '\'' || c == '"' || c == '`' || c == 0x201E || c == 0x201C;
}

static int is_double_quote(uint32_t c)
{
    return c == 0x201E || c == 0x201C;
}

/* Whether every character of the token passes the test. */
static int is_all(struct token token, int (*test)(uint32_t c))
{
    size_t at = 0;
    uint32_t code;

    while (at < token.bytes) {
        at += dgm_utf8_decode(&code, token.text + at, token.bytes - at);
        if (!test(code))
            return 0;
    }
    return token.bytes > 0;
}

static int is_english_contraction(struct token token, struct token before)
{
    const struct token rest = { token.text + 1, token.bytes - 1 };

    return token.text[0] == '\'' && dgm_unicode_is(first_character(rest), DGM_UNICODE_ALPHA) &&
           dgm_unicode_is(last_character(before), DGM_UNICODE_ALNUM);
}

static int is_french_elision(struct token token, struct token after)
{
    const struct token rest = { token.text, token.bytes - 1 };

    return token.text[token.bytes - 1] == '\'' &&
           dgm_unicode_is(last_character(rest), DGM_UNICODE_ALPHA) &&
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

/* Quotation marks of one kind open and close in turn. */
static dgm_status put_quote(struct state *state, struct token token, struct token before)
{
    struct dgm_map_entry *entry;
    int is_double = is_all(token, is_double_quote);

    DGM_TRY(dgm_map_insert(state->env, &state->quotes, is_double ? "\"" : token.text,
                           is_double ? 1 : token.bytes, &entry, NULL));
    if (entry->value % 2 != 0) {
        entry->value++;
        return put(state, token, 0, 1);
    }
    /* "The Jones' house": no quotation begins here. */
    if (state->language == DGM_MOSES_EN && token.bytes == 1 && token.text[0] == '\'' &&
        last_character(before) == 's')
        return put(state, token, 0, 1);
    entry->value++;
    return put(state, token, state->blank, 0);
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
    if (is_all(token, is_quote))
        return put_quote(state, token, before);
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
