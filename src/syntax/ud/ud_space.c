/* ud_space.c: white space in columns (level 1): FORM, LEMMA and MISC may hold some, one at a time
 * and inside; a range's FORM and LEMMA, and all other columns, none. */
#include "syntax/ud/ud_parts.h"

#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* Of the white space of a text: some; two in a row; at an end. */
struct spaces {
    int any, doubled, at_end;
};

static struct spaces look(const char *text)
{
    struct spaces found = { 0, 0, 0 };
    const char *at = text, *end = text + strlen(text);
    int before = 0;

    while (at < end) {
        uint32_t code;
        size_t used = dgm_utf8_decode(&code, at, (size_t)(end - at));
        int is_space = dgm_unicode_is(code, DGM_UNICODE_SPACE);

        found.any |= is_space;
        found.doubled |= is_space && before;
        if (at == text || at + used == end)
            found.at_end |= dgm_unicode_is_blank(code);
        before = is_space;
        at += used;
    }
    return found;
}

static int may_hold_space(const struct dgm_conllu_row *row, int column)
{
    return column == DGM_CONLLU_MISC || (row->kind != DGM_CONLLU_RANGE &&
                                         (column == DGM_CONLLU_FORM || column == DGM_CONLLU_LEMMA));
}

dgm_status dgm_ud_space(const struct dgm_ud_check *check, const struct dgm_conllu_row *row)
{
    for (int column = 0; column < DGM_CONLLU_COLUMNS; column++) {
        enum dgm_conllu_column at = (enum dgm_conllu_column)column;
        struct spaces found = look(dgm_conllu_row_text(check->sentence, row, at));
        const char *expected = found.any && !may_hold_space(row, column) ? "no white space"
                               : found.at_end  ? "no white space at its ends"
                               : found.doubled ? "no two white spaces in a row"
                                               : NULL;

        if (expected != NULL)
            return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_FIELD, row, at, expected);
    }
    return DGM_OK;
}
