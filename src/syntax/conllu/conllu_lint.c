/*
 * conllu_lint.c: checks that no tree needs but a treebank should pass (options.strict):
 * known UPOS and relations, FEATS without repetition, DEPS of the right form, `# text`
 * equal to the words.
 *
 * The lists are those of Universal Dependencies, version 2.
 */
#include "syntax/conllu/conllu_lint.h"

#include <stdio.h>
#include <string.h>

#include "syntax/conllu/conllu_fault.h"

static const char upos_list[] =
    " ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X _ ";

static const char deprel_list[] =
    " acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det "
    "discourse"
    " dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan"
    " parataxis punct reparandum root vocative xcomp _ ";

static int deprel_is_known(const char *text)
{
    return dgm_conllu_list_holds(deprel_list, text, strcspn(text, ":"));
}

/* Name=Value|Name=Value, every name once. */
static int feats_are_good(const char *text)
{
    const char *at, *other;

    if (strcmp(text, "_") == 0)
        return 1;
    for (at = text;; at += strcspn(at, "|") + 1) {
        size_t field = strcspn(at, "|");
        size_t name = strcspn(at, "=|");

        if (name == 0 || at[name] != '=' || name + 1 == field)
            return 0;
        for (other = text; other < at; other += strcspn(other, "|") + 1) {
            if (strncmp(other, at, name + 1) == 0)
                return 0;
        }
        if (at[field] == '\0')
            return 1;
    }
}

/* head:relation|head:relation; a head is a word or an empty node. */
static int deps_are_good(const char *text)
{
    const char *at = text;

    if (strcmp(text, "_") == 0)
        return 1;
    for (;;) {
        size_t digits = strspn(at, "0123456789.");
        size_t field = strcspn(at, "|");

        if (digits == 0 || at[0] == '.' || at[digits] != ':' || digits + 1 >= field)
            return 0;
        if (at[field] == '\0')
            return 1;
        at += field + 1;
    }
}

static dgm_status check_row(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            const struct dgm_conllu_sentence *sentence, int32_t word)
{
    static const char *const expected[] = { "one of the 17 UPOS tags",
                                            "a universal relation, perhaps with a subtype",
                                            "Name=Value|..., each name once", "head:relation|..." };
    static const enum dgm_conllu_column columns[] = { DGM_CONLLU_UPOS, DGM_CONLLU_DEPREL,
                                                      DGM_CONLLU_FEATS, DGM_CONLLU_DEPS };
    const struct dgm_conllu_row *row = &sentence->rows[sentence->words[word]];
    const char *upos = dgm_conllu_row_text(sentence, row, DGM_CONLLU_UPOS);
    char quoted[DGM_QUOTE_SIZE];
    const char *text;
    int good[4];
    int i;

    good[0] = dgm_conllu_list_holds(upos_list, upos, strlen(upos));
    good[1] = deprel_is_known(dgm_conllu_row_text(sentence, row, DGM_CONLLU_DEPREL));
    good[2] = feats_are_good(dgm_conllu_row_text(sentence, row, DGM_CONLLU_FEATS));
    good[3] = deps_are_good(dgm_conllu_row_text(sentence, row, DGM_CONLLU_DEPS));
    for (i = 0; i < 4; i++) {
        if (good[i])
            continue;
        text = dgm_conllu_row_text(sentence, row, columns[i]);
        dgm_quote(quoted, sizeof quoted, text, strlen(text));
        snprintf(reader->note, sizeof reader->note, "\"%s\"; expected %s", quoted, expected[i]);
        DGM_TRY(dgm_conllu_fault_report(env, reader, DGM_CONLLU_BAD_LABEL, row->line,
                                        dgm_conllu_place(sentence, row, columns[i])));
    }
    return DGM_OK;
}

/* Walks the text along the surface forms; blanks between them are free. */
static int text_matches(const struct dgm_conllu_sentence *sentence, const char *text)
{
    int32_t covered = 0;
    size_t i;

    for (i = 0; i < sentence->row_count; i++) {
        const struct dgm_conllu_row *row = &sentence->rows[i];
        const char *form = dgm_conllu_row_text(sentence, row, DGM_CONLLU_FORM);

        if (row->kind == DGM_CONLLU_EMPTY ||
            (row->kind == DGM_CONLLU_WORD && row->first <= covered))
            continue;
        covered = row->last;
        text += strspn(text, " ");
        if (strncmp(text, form, strlen(form)) != 0)
            return 0;
        text += strlen(form);
    }
    return text[strspn(text, " ")] == '\0';
}

dgm_status dgm_conllu_lint(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           const struct dgm_conllu_sentence *sentence)
{
    static const char label[] = "# text = ";
    int32_t word;
    size_t i;

    for (word = 0; word < reader->word_count; word++)
        DGM_TRY(check_row(env, reader, sentence, word));
    for (i = 0; i < sentence->comment_count; i++) {
        const char *comment = sentence->bytes.data + sentence->comments[i];

        if (strncmp(comment, label, sizeof label - 1) != 0 ||
            text_matches(sentence, comment + sizeof label - 1))
            continue;
        snprintf(reader->note, sizeof reader->note,
                 "# text differs from the words; expected the same forms");
        dgm_conllu_fault_warn(env, reader, DGM_CONLLU_BAD_TEXT, sentence->line);
    }
    return DGM_OK;
}
