/*
 * tok13a.c: the tokeniser of mteval-v13a, by which WMT scores.
 *
 * Punctuation and symbols of ASCII are set off; full stops and commas unless they stand
 * within a number; hyphens behind a digit. All of it concerns ASCII alone, so the
 * passes work on bytes.
 */
#include <string.h>

#include "text/score/mteval.h"

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

static void swap(struct dgm_buf *a, struct dgm_buf *b)
{
    struct dgm_buf c = *a;

    *a = *b;
    *b = c;
    dgm_buf_reset(b);
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
    swap(text, spare);
    return DGM_OK;
}

/* One after the other, so that &amp;lt; becomes < as in the original. */
static dgm_status undo_escapes(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare)
{
    if (text->size > 0 && memchr(text->data, '<', text->size) != NULL)
        DGM_TRY(replace(env, text, spare, "<skipped>", ""));
    if (text->size == 0 || memchr(text->data, '&', text->size) == NULL)
        return DGM_OK;
    DGM_TRY(replace(env, text, spare, "&quot;", "\""));
    DGM_TRY(replace(env, text, spare, "&amp;", "&"));
    DGM_TRY(replace(env, text, spare, "&lt;", "<"));
    return replace(env, text, spare, "&gt;", ">");
}

/* The line between blanks, with its symbols set off. */
static dgm_status split_symbols(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare)
{
    size_t i;

    DGM_TRY(dgm_buf_add_char(env, spare, ' '));
    for (i = 0; i < text->size; i++) {
        char c = text->data[i] == '\n' ? ' ' : text->data[i];

        DGM_TRY(is_symbol(c) ? add_spaced(env, spare, c) : dgm_buf_add_char(env, spare, c));
    }
    DGM_TRY(dgm_buf_add_char(env, spare, ' '));
    swap(text, spare);
    return DGM_OK;
}

/* Full stops and commas behind anything but a digit. */
static dgm_status split_stops_behind(struct dgm_env *env, struct dgm_buf *text,
                                     struct dgm_buf *spare)
{
    size_t i;

    for (i = 0; i < text->size; i++) {
        DGM_TRY(dgm_buf_add_char(env, spare, text->data[i]));
        if (i + 1 < text->size && !is_digit(text->data[i]) && is_stop(text->data[i + 1]))
            DGM_TRY(add_spaced(env, spare, text->data[++i]));
    }
    swap(text, spare);
    return DGM_OK;
}

/* ... and before anything but a digit. */
static dgm_status split_stops_before(struct dgm_env *env, struct dgm_buf *text,
                                     struct dgm_buf *spare)
{
    size_t i;

    for (i = 0; i < text->size; i++) {
        if (i + 1 < text->size && is_stop(text->data[i]) && !is_digit(text->data[i + 1])) {
            DGM_TRY(add_spaced(env, spare, text->data[i]));
            DGM_TRY(dgm_buf_add_char(env, spare, text->data[++i]));
        } else {
            DGM_TRY(dgm_buf_add_char(env, spare, text->data[i]));
        }
    }
    swap(text, spare);
    return DGM_OK;
}

static dgm_status split_hyphens(struct dgm_env *env, struct dgm_buf *text, struct dgm_buf *spare)
{
    size_t i;

    for (i = 0; i < text->size; i++) {
        DGM_TRY(dgm_buf_add_char(env, spare, text->data[i]));
        if (i + 1 < text->size && is_digit(text->data[i]) && text->data[i + 1] == '-')
            DGM_TRY(add_spaced(env, spare, text->data[++i]));
    }
    swap(text, spare);
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

dgm_status dgm_mteval_13a(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes)
{
    struct dgm_buf text, spare;
    dgm_status status;

    memset(&text, 0, sizeof text);
    memset(&spare, 0, sizeof spare);
    DGM_TRY_OUT(dgm_buf_add(env, &text, line, bytes));
    DGM_TRY_OUT(undo_escapes(env, &text, &spare));
    DGM_TRY_OUT(split_symbols(env, &text, &spare));
    DGM_TRY_OUT(split_stops_behind(env, &text, &spare));
    DGM_TRY_OUT(split_stops_before(env, &text, &spare));
    DGM_TRY_OUT(split_hyphens(env, &text, &spare));
    DGM_TRY_OUT(join_words(env, out, &text));
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &spare);
    return status;
}
