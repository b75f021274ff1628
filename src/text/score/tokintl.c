/*
 * tokintl.c: the international tokeniser of mteval-v14.
 *
 * Punctuation is set off unless a number stands on the side in question, symbols
 * always. A match uses up both of its characters, as in the original's s///g.
 */
#include <string.h>

#include "text/score/mteval.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* One character of the text: its bytes and what it is. */
struct character {
    size_t at, bytes;
    unsigned flags;
};

static struct character character_at(const struct dgm_buf *text, size_t at)
{
    struct character c = { 0, 0, 0 };
    uint32_t code;

    c.at = at;
    if (at < text->size) {
        c.bytes = dgm_utf8_decode(&code, text->data + at, text->size - at);
        c.flags = dgm_unicode_flags(code);
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
static dgm_status split_behind(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *text)
{
    struct character c = character_at(text, 0), next;

    while (c.bytes > 0) {
        next = character_at(text, c.at + c.bytes);
        DGM_TRY(add(env, out, text, c, 0));
        if (!(c.flags & DGM_UNICODE_NUMBER) && (next.flags & DGM_UNICODE_PUNCT)) {
            DGM_TRY(add(env, out, text, next, 1));
            next = character_at(text, next.at + next.bytes);
        }
        c = next;
    }
    return DGM_OK;
}

/* ... and before anything but a number. */
static dgm_status split_before(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *text)
{
    struct character c = character_at(text, 0), next;

    while (c.bytes > 0) {
        next = character_at(text, c.at + c.bytes);
        if ((c.flags & DGM_UNICODE_PUNCT) && next.bytes > 0 && !(next.flags & DGM_UNICODE_NUMBER)) {
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
            int is_symbol = (c.flags & DGM_UNICODE_SYMBOL) != 0;

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
    struct dgm_buf text, spare;
    dgm_status status;

    memset(&text, 0, sizeof text);
    memset(&spare, 0, sizeof spare);
    DGM_TRY_OUT(dgm_buf_add(env, &text, line, bytes));
    DGM_TRY_OUT(split_behind(env, &spare, &text));
    dgm_buf_reset(&text);
    DGM_TRY_OUT(split_before(env, &text, &spare));
    DGM_TRY_OUT(split_symbols(env, out, &text));
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &spare);
    return status;
}
