/* columns.c: which columns of CoNLL-U a parser writes, and which of given ones it keeps. */
#include "decode/annotate/columns.h"

#include <string.h>

#include "base/near.h"
#include "decode/annotate/sentence_parser.h"

static const struct {
    const char *name;
    enum dgm_conllu_column column;
} known[] = {
    { "upos", DGM_CONLLU_UPOS },   { "xpos", DGM_CONLLU_XPOS }, { "feats", DGM_CONLLU_FEATS },
    { "lemma", DGM_CONLLU_LEMMA }, { "head", DGM_CONLLU_HEAD }, { "deprel", DGM_CONLLU_DEPREL },
};

enum { KNOWN = sizeof known / sizeof known[0], LIST_SIZE = 96 };

/* ---- names ---------------------------------------------------------------------------------- */

static dgm_status refuse(struct dgm_env *env, const char *name, size_t length)
{
    char quoted[DGM_QUOTE_SIZE], suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;

    dgm_quote(quoted, sizeof quoted, name, length);
    dgm_near_begin(&near, name, length);
    for (int i = 0; i < KNOWN; i++)
        dgm_near_try(&near, known[i].name, strlen(known[i].name));
    dgm_near_suggest(&near, suggestion);
    return dgm_fail(env, DGM_USAGE,
                    "columns: expected some of upos, xpos, feats, lemma, head, deprel, got "
                    "\"%s\"%s",
                    quoted, suggestion);
}

static dgm_status read_one(struct dgm_env *env, unsigned *columns, const char *name, size_t length)
{
    for (int i = 0; i < KNOWN; i++) {
        unsigned bit = 1u << known[i].column;

        if (strlen(known[i].name) != length || memcmp(known[i].name, name, length) != 0)
            continue;
        if (*columns & bit)
            return dgm_fail(env, DGM_USAGE, "columns: \"%s\" stands there twice", known[i].name);
        *columns |= bit;
        return DGM_OK;
    }
    return refuse(env, name, length);
}

dgm_status dgm_columns_read(struct dgm_env *env, unsigned *columns, const char *names)
{
    static const char gaps[] = ", ";

    *columns = 0;
    if (names == NULL)
        return DGM_OK;
    for (names += strspn(names, gaps); *names != '\0'; names += strspn(names, gaps)) {
        size_t length = strcspn(names, gaps);

        DGM_TRY(read_one(env, columns, names, length));
        names += length;
    }
    return DGM_OK;
}

unsigned dgm_columns_morphs(unsigned columns)
{
    unsigned morphs = 0;

    for (int m = 0; m < DGM_MORPHS; m++)
        morphs |= columns == 0 || (columns & 1u << dgm_morph_columns[m]) ? 1u << m : 0;
    return morphs;
}

/* ---- the model ------------------------------------------------------------------------------- */

static unsigned learned(const struct dgm_sentence_parser *parser)
{
    unsigned columns = DGM_COLUMNS_OF_TREE, morphs;

    if (parser->has_head)
        return columns;
    morphs = dgm_parser_morphs(&parser->parser);
    for (int m = 0; m < DGM_MORPHS; m++)
        columns |= morphs & 1u << m ? 1u << dgm_morph_columns[m] : 0;
    return columns | 1u << DGM_CONLLU_UPOS;
}

dgm_status dgm_columns_settle(struct dgm_env *env, unsigned *columns,
                              const struct dgm_sentence_parser *parser)
{
    unsigned there = learned(parser);

    if (*columns == 0) /* an attention head's tag is `_`, which --retag writes */
        *columns = there | 1u << DGM_CONLLU_UPOS;
    else if (*columns & ~there)
        for (int i = 0; i < KNOWN; i++)
            if (*columns & ~there & 1u << known[i].column)
                return dgm_fail(env, DGM_MODEL,
                                parser->has_head
                                    ? "columns: no \"%s\" of an attention head; expected head or "
                                      "deprel"
                                    : "columns: the parser has not learned \"%s\"; expected one "
                                      "of train-parser --columns with it",
                                known[i].name);
    return DGM_OK;
}

/* ---- CoNLL-U --------------------------------------------------------------------------------- */

/* "UPOS, XPOS", in the order of the file. */
static const char *list(char out[LIST_SIZE], unsigned columns)
{
    *out = '\0';
    for (int c = 0; c < DGM_CONLLU_COLUMNS; c++)
        if (columns & 1u << c) {
            strcat(out, *out != '\0' ? ", " : "");
            strcat(out, dgm_conllu_column_names[c]);
        }
    return out;
}

void dgm_columns_tell(struct dgm_env *env, unsigned columns, int retag)
{
    unsigned replaced = retag ? columns : columns & DGM_COLUMNS_OF_TREE;
    unsigned emptied = columns & DGM_COLUMNS_OF_TREE ? 1u << DGM_CONLLU_DEPS : 0;
    unsigned filled = columns & ~replaced;
    unsigned kept = (1u << DGM_CONLLU_COLUMNS) - 1;
    char lists[4][LIST_SIZE];

    kept &= ~(columns | emptied);
    dgm_log(env, DGM_LOG_NOTE, "columns of CoNLL-U: %s%s%s%s%s%s%s kept", list(lists[0], replaced),
            replaced != 0 ? " replaced; " : "", list(lists[1], filled),
            filled != 0 ? " filled in where open; " : "", list(lists[2], emptied),
            emptied != 0 ? " emptied; " : "", list(lists[3], kept));
}

int dgm_columns_has_feats(const struct dgm_conllu_sentence *sentence)
{
    for (int32_t w = 0; w < sentence->tree.count; w++)
        if (strcmp(dgm_conllu_field(sentence, w, DGM_CONLLU_FEATS), "_") != 0)
            return 1;
    return 0;
}

int dgm_columns_is_open(const char *form, const char *value, enum dgm_conllu_column column)
{
    return strcmp(value, "_") == 0 && (column != DGM_CONLLU_LEMMA || strcmp(form, "_") != 0);
}
