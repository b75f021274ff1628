/*
 * conllu_lint.c: checks that no tree needs but a treebank should pass (options.strict):
 * known UPOS and relations, FEATS without repetition, DEPS of the right form, `# text`
 * equal to the words.
 *
 * The lists are those of Universal Dependencies, version 2.
 */
#include "syntax/conllu/conllu_lint.h"

#include <string.h>

#include "syntax/conllu/conllu_fault.h"
#include "syntax/conllu/surface.h"

static const char upos_list[] =
    " ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X _ ";

static const char deprel_list[] =
    " acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det "
    "discourse"
    " dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan"
    " parataxis punct reparandum root vocative xcomp _ ";

static int upos_is_known(const char *text)
{
    return dgm_conllu_list_holds(upos_list, text, strlen(text));
}

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

static const struct {
    enum dgm_conllu_column column;
    int (*is_good)(const char *text);
    const char *expected;
} checks[] = {
    { DGM_CONLLU_UPOS, upos_is_known, "one of the 17 UPOS tags" },
    { DGM_CONLLU_DEPREL, deprel_is_known, "a universal relation, perhaps with a subtype" },
    { DGM_CONLLU_FEATS, feats_are_good, "Name=Value|..., each name once" },
    { DGM_CONLLU_DEPS, deps_are_good, "head:relation|..." },
};

static dgm_status check_row(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            const struct dgm_conllu_sentence *sentence, int32_t word)
{
    const struct dgm_conllu_row *row = &sentence->rows[sentence->words[word]];
    char quoted[DGM_QUOTE_SIZE];

    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        const char *text = dgm_conllu_row_text(sentence, row, checks[i].column);

        if (checks[i].is_good(text))
            continue;
        dgm_quote(quoted, sizeof quoted, text, strlen(text));
        DGM_TRY(dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_LABEL, row->line,
                                 dgm_conllu_place(sentence, row, checks[i].column),
                                 "\"%s\"; expected %s", quoted, checks[i].expected));
    }
    return DGM_OK;
}

/* Walks the text along the surface forms; blanks between them are free. */
static int text_matches(const struct dgm_conllu_sentence *sentence, const char *text)
{
    struct dgm_surface_token token;
    size_t at = 0;

    while (dgm_surface_next(sentence, &at, &token)) {
        const char *form = dgm_conllu_row_text(sentence, token.row, DGM_CONLLU_FORM);

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

    for (int32_t word = 0; word < reader->word_count; word++)
        DGM_TRY(check_row(env, reader, sentence, word));
    for (size_t i = 0; i < sentence->comment_count; i++) {
        const char *comment = sentence->bytes.data + sentence->comments[i];

        if (strncmp(comment, label, sizeof label - 1) != 0 ||
            text_matches(sentence, comment + sizeof label - 1))
            continue;
        dgm_conllu_fault_warn(env, reader, DGM_CONLLU_BAD_TEXT, sentence->line,
                              "# text differs from the words; expected the same forms");
    }
    return DGM_OK;
}
