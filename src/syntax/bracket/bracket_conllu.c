/* bracket_conllu.c: phrase structure as dependencies. Nothing recurses. */
#include "syntax/bracket/bracket_conllu.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/conllu/conllu.h"

const char *const dgm_bracket_relations_names[DGM_BRACKET_RELATIONS] = { "phrases", "labels",
                                                                         "dep" };

/* ---- heads ----------------------------------------------------------------------------------- */

static dgm_status reserve(struct dgm_env *env, struct dgm_bracket_conllu *conllu,
                          const struct dgm_bracket_tree *tree)
{
    size_t words = (size_t)tree->word_count;

    DGM_TRY(dgm_reserve(env, &conllu->head, &conllu->head_capacity, words, sizeof *conllu->head));
    DGM_TRY(dgm_reserve(env, &conllu->largest, &conllu->largest_capacity, words,
                        sizeof *conllu->largest));
    return dgm_reserve(env, &conllu->lexical, &conllu->lexical_capacity, (size_t)tree->node_count,
                       sizeof *conllu->lexical);
}

/* The head word of each node, children before their parents. */
static void find_lexical(struct dgm_bracket_conllu *conllu, const struct dgm_bracket_tree *tree)
{
    conllu->unknown = -1;
    for (int32_t i = tree->node_count - 1; i >= 0; i--) {
        const struct dgm_bracket_node *node = &tree->nodes[i];
        int is_known = 1;

        conllu->lexical[i] =
            node->is_word ? node->first_word
                          : conllu->lexical[dgm_head_child(tree, i, conllu->rules, &is_known)];
        if (!is_known)
            conllu->unknown = i;
    }
}

dgm_status dgm_bracket_find_heads(struct dgm_env *env, struct dgm_bracket_conllu *conllu,
                                  const struct dgm_bracket_tree *tree)
{
    const int32_t *lexical;

    DGM_TRY(reserve(env, conllu, tree));
    find_lexical(conllu, tree);
    lexical = conllu->lexical;
    conllu->head[lexical[0]] = lexical[0];
    conllu->largest[lexical[0]] = 0;
    for (int32_t i = 1; i < tree->node_count; i++) {
        int32_t above = lexical[tree->nodes[i].parent];

        if (lexical[i] == above)
            continue;
        conllu->head[lexical[i]] = above;
        conllu->largest[lexical[i]] = i;
    }
    return DGM_OK;
}

/* ---- tags ------------------------------------------------------------------------------------ */

/* clang-format off */
static const struct { const char *upos, *tags; } penn[] = {
    { "ADJ", " JJ JJR JJS " },
    { "ADP", " IN RP " },
    { "ADV", " RB RBR RBS WRB " },
    { "AUX", " MD " },
    { "CCONJ", " CC " },
    { "DET", " DT PDT " },
    { "INTJ", " UH " },
    { "NOUN", " NN NNS " },
    { "NUM", " CD " },
    { "PART", " POS TO " },
    { "PRON", " EX PRP PRP$ WDT WP WP$ " },
    { "PROPN", " NNP NNPS " },
    { "SYM", " $ # SYM " },
    { "VERB", " VB VBD VBG VBN VBP VBZ " },
};
/* clang-format on */

static const char universal[] = " ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT "
                                "SCONJ SYM VERB X ";

/* The label of the constituent around a word and its tag. */
static const char *label_around(const struct dgm_bracket_tree *tree, int32_t tag)
{
    int32_t parent = tree->nodes[tag].parent;

    return parent < 0 ? "" : dgm_bracket_text(tree, parent);
}

static int is_category(const char *label, const char *category)
{
    size_t length = dgm_bracket_category(label);

    return strlen(category) == length && memcmp(label, category, length) == 0;
}

static const char *penn_upos(const struct dgm_bracket_tree *tree, int32_t tag, const char *label)
{
    const char *around = label_around(tree, tag);

    if (strcmp(label, "IN") == 0 && is_category(around, "SBAR"))
        return "SCONJ";
    if (strcmp(label, "TO") == 0 && is_category(around, "PP"))
        return "ADP";
    for (size_t i = 0; i < sizeof penn / sizeof penn[0]; i++)
        if (dgm_conllu_list_holds(penn[i].tags, label, strlen(label)))
            return penn[i].upos;
    return NULL;
}

static const char *upos_of(const struct dgm_bracket_conllu *conllu,
                           const struct dgm_bracket_tree *tree, int32_t tag)
{
    const char *label = dgm_bracket_text(tree, tag), *upos = NULL;

    if (dgm_bracket_is_punctuation(tree, tag))
        return "PUNCT";
    if (conllu->rules == DGM_HEADS_ENGLISH)
        upos = penn_upos(tree, tag, label);
    if (upos != NULL)
        return upos;
    return dgm_conllu_list_holds(universal, label, strlen(label)) ? label : "X";
}

/* The bracket that holds the word and nothing else, or -1. */
static int32_t tag_of(const struct dgm_bracket_tree *tree, int32_t word)
{
    int32_t parent = tree->nodes[tree->words[word]].parent;

    return parent > 0 && dgm_bracket_is_tagged(tree, parent) ? parent : -1;
}

/* ---- relations ------------------------------------------------------------------------------- */

/* NP-SBJ-1: np-sbj. Letters of ASCII stay, and - between them; x where there are none. */
static dgm_status add_small(struct dgm_env *env, struct dgm_buf *out, const char *label,
                            size_t length)
{
    size_t start = out->size;
    int parts = 0;

    for (const char *stop = label + length; label < stop; label++) {
        int is_big = *label >= 'A' && *label <= 'Z';

        if (!is_big && (*label < 'a' || *label > 'z')) {
            parts |= *label == '-' || *label == '|';
            continue;
        }
        if (parts && out->size > start)
            DGM_TRY(dgm_buf_add_char(env, out, '-'));
        parts = 0;
        DGM_TRY(dgm_buf_add_char(env, out, is_big ? (char)(*label - 'A' + 'a') : *label));
    }
    return out->size > start ? DGM_OK : dgm_buf_add_char(env, out, 'x');
}

static dgm_status add_relation(struct dgm_env *env, struct dgm_bracket_conllu *conllu,
                               const struct dgm_bracket_tree *tree, int32_t word)
{
    const struct dgm_bracket_node *node = &tree->nodes[conllu->largest[word]];
    struct dgm_buf *out = &conllu->out;
    const char *label;

    if (conllu->head[word] == word)
        return dgm_buf_add_text(env, out, "root");
    if (conllu->relations == DGM_RELATIONS_DEP ||
        (conllu->relations == DGM_RELATIONS_LABELS && node->is_word))
        return dgm_buf_add_text(env, out, "dep");
    if (conllu->relations == DGM_RELATIONS_LABELS)
        return dgm_buf_add_text(env, out, dgm_bracket_text(tree, conllu->largest[word]));
    if (dgm_bracket_is_punctuation(tree, conllu->largest[word]))
        return dgm_buf_add_text(env, out, "punct");
    label = dgm_bracket_text(tree, node->parent);
    DGM_TRY(add_small(env, out, label, dgm_bracket_category(label)));
    DGM_TRY(dgm_buf_add_char(env, out, '-'));
    label = node->is_word ? "" : dgm_bracket_text(tree, conllu->largest[word]);
    return add_small(env, out, label, strlen(label));
}

/* ---- rows ------------------------------------------------------------------------------------ */

static dgm_status add_row(struct dgm_env *env, struct dgm_bracket_conllu *conllu,
                          const struct dgm_bracket_tree *tree, int32_t word)
{
    int32_t tag = tag_of(tree, word), head = tree->has_parse ? conllu->head[word] : 0;
    struct dgm_buf *out = &conllu->out;

    DGM_TRY(dgm_buf_add_format(env, out, "%ld\t%s\t_\t%s\t%s\t_\t", (long)word + 1,
                               dgm_bracket_text(tree, tree->words[word]),
                               tag < 0 ? "X" : upos_of(conllu, tree, tag),
                               tag < 0 ? "_" : dgm_bracket_text(tree, tag)));
    if (!tree->has_parse)
        return dgm_buf_add_text(env, out, "_\t_\t_\t_\n");
    DGM_TRY(dgm_buf_add_format(env, out, "%ld\t", head == word ? 0L : (long)head + 1));
    DGM_TRY(add_relation(env, conllu, tree, word));
    return dgm_buf_add_text(env, out, "\t_\t_\n");
}

dgm_status dgm_bracket_to_conllu(struct dgm_env *env, struct dgm_bracket_conllu *conllu,
                                 const struct dgm_bracket_tree *tree)
{
    struct dgm_buf *out = &conllu->out;

    dgm_buf_reset(out);
    conllu->unknown = -1;
    if (tree->has_parse && tree->word_count > 0)
        DGM_TRY(dgm_bracket_find_heads(env, conllu, tree));
    DGM_TRY(dgm_buf_add_text(env, out, "# text ="));
    for (int32_t w = 0; w < tree->word_count; w++) {
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add_text(env, out, dgm_bracket_text(tree, tree->words[w])));
    }
    DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    for (int32_t w = 0; w < tree->word_count; w++)
        DGM_TRY(add_row(env, conllu, tree, w));
    return dgm_buf_add_char(env, out, '\n');
}

void dgm_bracket_conllu_clear(struct dgm_env *env, struct dgm_bracket_conllu *conllu)
{
    dgm_buf_clear(env, &conllu->out);
    dgm_release(env, conllu->head);
    dgm_release(env, conllu->largest);
    dgm_release(env, conllu->lexical);
    memset(conllu, 0, sizeof *conllu);
}
