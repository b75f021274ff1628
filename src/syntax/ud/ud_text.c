/*
 * ud_text.c: `# text` and the tokens it is made of (level 2). Between tokens stands white space, or
 * MISC says SpaceAfter=No; not of words inside a range, whose line speaks for them, and not of
 * empty nodes, which are none of the text. Where the last token of a sentence has it, no document
 * and no paragraph begins behind.
 */
#include "syntax/ud/ud_parts.h"

#include <stdio.h>
#include <string.h>

#include "syntax/conllu/surface.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

static const char no_space[] = "SpaceAfter=No";

static const char *misc_of(const struct dgm_ud_check *check, const struct dgm_conllu_row *row)
{
    return dgm_conllu_row_text(check->sentence, row, DGM_CONLLU_MISC);
}

/* Whether one of the parts of MISC says SpaceAfter=No. */
static int is_glued(const char *misc)
{
    for (;; misc++) {
        size_t bytes = strcspn(misc, "|");

        if (bytes == sizeof no_space - 1 && memcmp(misc, no_space, bytes) == 0)
            return 1;
        misc += bytes;
        if (*misc == '\0')
            return 0;
    }
}

/* Behind the white space at the front, as Python's lstrip takes it. */
static const char *skip_blanks(const char *text)
{
    const char *end = text + strlen(text);
    uint32_t code;

    while (text < end) {
        size_t used = dgm_utf8_decode(&code, text, (size_t)(end - text));

        if (!dgm_unicode_is_blank(code))
            break;
        text += used;
    }
    return text;
}

static int ends_blank(const char *text)
{
    const char *last = text + strlen(text) - 1;
    uint32_t code;

    while (last > text && ((unsigned char)*last & 0xC0) == 0x80)
        last--;
    dgm_utf8_decode(&code, last, strlen(last));
    return dgm_unicode_is_blank(code);
}

/* ---- comments ----------------------------------------------------------------------------- */

/* `# newdoc` or `# newpar`, alone or with one word behind. */
static int is_break(const char *comment, const char *key)
{
    const char *at = dgm_ud_comment_key(comment, key), *word;

    if (at == NULL || *at == '\0')
        return at != NULL;
    word = dgm_ud_skip_space(at);
    return word > at && *word != '\0' && *dgm_ud_skip_word(word) == '\0';
}

static dgm_status check_breaks(const struct dgm_ud_check *check, const char *key)
{
    int count = 0;

    for (size_t i = 0; i < check->sentence->comment_count; i++) {
        if (!is_break(dgm_ud_comment(check, i), key))
            continue;
        if (count++ > 0)
            return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, i, "a second %s; expected one",
                                         key);
        if (check->ud->glued)
            return dgm_ud_refuse_comment(
                check, DGM_CONLLU_BAD_META, i,
                "%s behind a token with SpaceAfter=No; expected none there", key);
    }
    return DGM_OK;
}

static dgm_status find_text(const struct dgm_ud_check *check, const char **text, size_t *place)
{
    *text = NULL;
    for (size_t i = 0; i < check->sentence->comment_count; i++) {
        const char *found = dgm_ud_comment_value(dgm_ud_comment(check, i), "text");

        if (found != NULL && *text != NULL)
            return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, i,
                                         "a second # text; expected one");
        if (found == NULL)
            continue;
        *text = found;
        *place = i;
    }
    if (*text == NULL)
        return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, 0,
                                     "a sentence without a comment # text = TEXT; expected one");
    if (**text == '\0')
        return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, *place,
                                     "an empty # text; expected the text of the sentence");
    if (ends_blank(*text))
        return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, *place,
                                     "# text ends with white space; expected none there");
    return DGM_OK;
}

/* ---- tokens ------------------------------------------------------------------------------- */

/* Words inside a range and empty nodes say nothing of spaces. */
static dgm_status check_inner(const struct dgm_ud_check *check)
{
    int32_t last = 0;

    for (size_t i = 0; i < check->sentence->row_count; i++) {
        const struct dgm_conllu_row *row = &check->sentence->rows[i];

        if (row->kind == DGM_CONLLU_RANGE) {
            last = row->last;
            continue;
        }
        if ((row->kind == DGM_CONLLU_WORD && row->first > last) ||
            strstr(misc_of(check, row), no_space) == NULL)
            continue;
        return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_TEXT, row, DGM_CONLLU_MISC,
                                   row->kind == DGM_CONLLU_EMPTY
                                       ? "no SpaceAfter=No at an empty node"
                                       : "no SpaceAfter=No inside a range, but in its own line");
    }
    return DGM_OK;
}

/* Fails at a token: the text goes on otherwise. */
static dgm_status refuse(const struct dgm_ud_check *check, const struct dgm_conllu_row *row,
                         enum dgm_conllu_column column, const char *expected, const char *text)
{
    char note[DGM_QUOTE_SIZE + 100], quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, text, strlen(text));
    snprintf(note, sizeof note, "%s \"%s\"", expected, quoted);
    return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_TEXT, row, column, note);
}

/* Takes a token and the white space behind it off the text. */
static dgm_status take(const struct dgm_ud_check *check, const struct dgm_conllu_row *row,
                       const char **text)
{
    const char *form = dgm_conllu_row_text(check->sentence, row, DGM_CONLLU_FORM);
    size_t bytes = strlen(form);
    const char *next;

    if (strncmp(*text, form, bytes) != 0)
        return refuse(check, row, DGM_CONLLU_FORM, "the form with which # text goes on:", *text);
    *text += bytes;
    check->ud->glued = is_glued(misc_of(check, row));
    if (check->ud->glued || **text == '\0')
        return DGM_OK;
    next = skip_blanks(*text);
    if (next == *text)
        return refuse(check, row, DGM_CONLLU_MISC,
                      "SpaceAfter=No, as # text goes on without a space:", next);
    *text = next;
    return DGM_OK;
}

static dgm_status check_end(const struct dgm_ud_check *check, const char *text, size_t place)
{
    char quoted[DGM_QUOTE_SIZE];

    if (*text == '\0')
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, text, strlen(text));
    return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_TEXT, place,
                                 "# text goes on behind the last word: \"%s\"; expected its end",
                                 quoted);
}

dgm_status dgm_ud_text(const struct dgm_ud_check *check)
{
    struct dgm_surface_token token;
    const char *text;
    size_t place = 0, at = 0;

    DGM_TRY(check_breaks(check, "newdoc"));
    DGM_TRY(check_breaks(check, "newpar"));
    DGM_TRY(find_text(check, &text, &place));
    DGM_TRY(check_inner(check));
    while (dgm_surface_next(check->sentence, &at, &token))
        DGM_TRY(take(check, token.row, &text));
    return check_end(check, text, place);
}
