/*
 * ud_label.c: UPOS and relations, and what ranges and empty nodes leave empty (level 2).
 *
 * The 17 tags and 37 relations are those of Universal Dependencies, version 2.
 */
#include "syntax/ud/ud_parts.h"

#include <string.h>

#include "text/unicode/mark.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

static const char tags[] =
    " ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X ";

static const char relations[] =
    " acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse"
    " dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan"
    " parataxis punct reparandum root vocative xcomp ";

/* ---- relations ---------------------------------------------------------------------------- */

/* How many bytes there are before the next colon. */
static size_t part_of(const char *text, size_t bytes)
{
    const char *colon = memchr(text, ':', bytes);

    return colon == NULL ? bytes : (size_t)(colon - text);
}

static int is_lower(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (text[i] < 'a' || text[i] > 'z')
            return 0;
    return bytes > 0;
}

int dgm_ud_is_relation(const char *text, size_t bytes)
{
    size_t part = part_of(text, bytes);

    return dgm_conllu_list_holds(relations, text, part) &&
           (part == bytes || is_lower(text + part + 1, bytes - part - 1));
}

/* A letter that is not upper or title case, or a mark. */
static int is_letter(uint32_t code)
{
    if (dgm_unicode_is(code, DGM_UNICODE_LETTER))
        return !dgm_unicode_is(code, DGM_UNICODE_UPPER) && dgm_unicode_lower(code) == code;
    return dgm_unicode_is_mark(code);
}

/* Letters, with single underscores between them: a preposition as `because_of`. */
static int is_words(const char *text, size_t bytes)
{
    int before = 0;

    for (size_t at = 0, used; at < bytes; at += used) {
        uint32_t code;

        used = dgm_utf8_decode(&code, text + at, bytes - at);
        if (!(code == '_' ? before : is_letter(code)))
            return 0;
        before = code != '_';
    }
    return before;
}

/* relation[:subtype][:preposition][:case]: none of them needs the one before it, and the
 * preposition alone may have letters other than a to z. */
int dgm_ud_is_enhanced_relation(const char *text, size_t bytes)
{
    size_t part = part_of(text, bytes), at = part;
    int parts = 0, foreign = 0, foreign_at = 0;

    if (!dgm_conllu_list_holds(relations, text, part) &&
        !(part == 3 && memcmp(text, "ref", 3) == 0))
        return 0;
    for (; at < bytes; at += part) {
        at++;
        part = part_of(text + at, bytes - at);
        parts++;
        if (!is_words(text + at, part))
            return 0;
        if (!is_lower(text + at, part)) {
            foreign++;
            foreign_at = parts;
        }
    }
    return parts <= 3 && foreign <= 1 && (foreign == 0 || parts < 3 || foreign_at == 2);
}

/* ---- columns ------------------------------------------------------------------------------ */

static const char *text_of(const struct dgm_ud_check *check, const struct dgm_conllu_row *row,
                           enum dgm_conllu_column column)
{
    return dgm_conllu_row_text(check->sentence, row, column);
}

static int is_empty(const char *text)
{
    return strcmp(text, "_") == 0;
}

static dgm_status check_range(const struct dgm_ud_check *check, const struct dgm_conllu_row *row)
{
    for (int column = DGM_CONLLU_LEMMA; column < DGM_CONLLU_MISC; column++) {
        const char *text = text_of(check, row, (enum dgm_conllu_column)column);
        int is_feats = column == DGM_CONLLU_FEATS;

        if (!is_empty(text) && !(is_feats && strcmp(text, "Typo=Yes") == 0))
            return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_RANGE, row,
                                       (enum dgm_conllu_column)column,
                                       is_feats ? "_ or Typo=Yes in the line of a range"
                                                : "_ in the line of a range");
    }
    return DGM_OK;
}

static dgm_status check_empty(const struct dgm_ud_check *check, const struct dgm_conllu_row *row)
{
    static const char expected[] = "_, as an empty node has no place in the tree";

    if (!is_empty(text_of(check, row, DGM_CONLLU_HEAD)))
        return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_NODE, row, DGM_CONLLU_HEAD, expected);
    if (!is_empty(text_of(check, row, DGM_CONLLU_DEPREL)))
        return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_NODE, row, DGM_CONLLU_DEPREL, expected);
    return DGM_OK;
}

dgm_status dgm_ud_labels(const struct dgm_ud_check *check, const struct dgm_conllu_row *row)
{
    const char *tag = text_of(check, row, DGM_CONLLU_UPOS);
    const char *relation = text_of(check, row, DGM_CONLLU_DEPREL);

    if (row->kind == DGM_CONLLU_RANGE)
        return check_range(check, row);
    if (row->kind == DGM_CONLLU_EMPTY)
        DGM_TRY(check_empty(check, row));
    if (!(row->kind == DGM_CONLLU_EMPTY && is_empty(tag)) &&
        !dgm_conllu_list_holds(tags, tag, strlen(tag)))
        return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_LABEL, row, DGM_CONLLU_UPOS,
                                   "one of the 17 UPOS tags");
    if (row->kind == DGM_CONLLU_WORD && !dgm_ud_is_relation(relation, strlen(relation)))
        return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_LABEL, row, DGM_CONLLU_DEPREL,
                                   "a universal relation, perhaps with a subtype");
    return DGM_OK;
}
