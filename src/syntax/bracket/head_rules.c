/*
 * head_rules.c: which child of a constituent is its head.
 *
 * The table is that of Collins (1999), appendix A, in its notation: a direction, from which the
 * children are looked through, and labels; the first label that any child has decides, and of the
 * children with that label the first one in the direction. Without any of the labels it is the
 * first child in the direction. NML and NX are noun phrases (NML is younger than the table), as are
 * NPB, the base noun phrases of his parser. Labels of clauses in questions and what else newer
 * treebanks have without a rule are unknown.
 */
#include "syntax/bracket/head_rules.h"

#include <string.h>

#include "syntax/conllu/conllu.h"

const char *const dgm_head_rules_names[DGM_HEAD_RULES] = { "english", "first", "last", "word" };

enum direction { LEFT, RIGHT }; /* from the left end, from the right end */

struct rule {
    const char *label;
    enum direction from;
    const char *heads; /* with a blank before and behind each */
};

/* clang-format off */
static const struct rule english[] = {
    { "ADJP", LEFT, " NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB " },
    { "ADVP", RIGHT, " RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN " },
    { "CONJP", RIGHT, " CC RB IN " },
    { "FRAG", RIGHT, "" },
    { "INTJ", LEFT, "" },
    { "LST", RIGHT, " LS : " },
    { "NAC", LEFT, " NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW " },
    { "PP", RIGHT, " IN TO VBG VBN RP FW " },
    { "PRN", LEFT, "" },
    { "PRT", RIGHT, " RP " },
    { "QP", LEFT, " $ IN NNS NN JJ RB DT CD NCD QP JJR JJS " },
    { "RRC", RIGHT, " VP NP ADVP ADJP PP " },
    { "S", LEFT, " TO IN VP S SBAR ADJP UCP NP " },
    { "SBAR", LEFT, " WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG " },
    { "SBARQ", LEFT, " SQ S SINV SBARQ FRAG " },
    { "SINV", LEFT, " VBZ VBD VBP VB MD VP S SINV ADJP NP " },
    { "SQ", LEFT, " VBZ VBD VBP VB MD VP SQ " },
    { "TOP", LEFT, "" },
    { "UCP", RIGHT, "" },
    { "VP", LEFT, " TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP " },
    { "WHADJP", LEFT, " CC WRB JJ ADJP " },
    { "WHADVP", RIGHT, " CC WRB " },
    { "WHNP", LEFT, " WDT WP WP$ WHADJP WHPP WHNP " },
    { "WHPP", RIGHT, " IN TO FW " },
    { "X", RIGHT, "" },
};

/* Of noun phrases any label of a step will do; then comes the next step. The rule before them, that
 * a POS at the end is the head, is in the first one. */
static const struct rule noun_phrase[] = {
    { "NP", RIGHT, " NN NNP NNPS NNS NX NML POS JJR " },
    { "NP", LEFT, " NP NPB " },
    { "NP", RIGHT, " $ ADJP PRN " },
    { "NP", RIGHT, " CD " },
    { "NP", RIGHT, " JJ JJS RB QP " },
};
/* clang-format on */

static const char noun_phrases[] = " NP NPB NX NML ";

enum { ENGLISH_RULES = sizeof english / sizeof english[0] };
enum { NOUN_STEPS = sizeof noun_phrase / sizeof noun_phrase[0] };

/* ---- children -------------------------------------------------------------------------------- */

size_t dgm_bracket_category(const char *label)
{
    if (label[0] == '-' || label[0] == '\0')
        return strlen(label);
    return 1 + strcspn(label + 1, "-=|");
}

static int holds(const char *list, const char *label)
{
    return label[0] != '\0' && dgm_conllu_list_holds(list, label, dgm_bracket_category(label));
}

/* Nothing is the label of a word without a tag. */
static const char *label_of(const struct dgm_bracket_tree *tree, int32_t node)
{
    return tree->nodes[node].is_word ? "" : dgm_bracket_text(tree, node);
}

int dgm_bracket_is_tagged(const struct dgm_bracket_tree *tree, int32_t node)
{
    int32_t child = tree->nodes[node].first_child;

    if (tree->nodes[node].is_word)
        return 1;
    return child >= 0 && tree->nodes[child].is_word && tree->nodes[child].next_sibling < 0;
}

int dgm_bracket_is_punctuation(const struct dgm_bracket_tree *tree, int32_t node)
{
    static const char names[] =
        " PUNCT PU HYPH NFP -LRB- -RRB- -LSB- -RSB- -LCB- -RCB- $. $, $( $[ ";
    const char *label = label_of(tree, node), *at;

    if (!dgm_bracket_is_tagged(tree, node) || label[0] == '\0')
        return 0;
    if (dgm_conllu_list_holds(names, label, strlen(label)))
        return 1;
    for (at = label; *at != '\0'; at++) /* letters beyond ASCII are letters */
        if (strchr("`'\",.:;?!-()[]{}/", *at) == NULL)
            return 0;
    return 1;
}

/* ---- looking --------------------------------------------------------------------------------- */

/* The first or last child with a label of the list, NULL: with any, or -1. Punctuation has to be in
 * the list by name. */
static int32_t find(const struct dgm_bracket_tree *tree, int32_t node, enum direction from,
                    const char *list)
{
    int32_t found = -1;

    for (int32_t c = tree->nodes[node].first_child; c >= 0; c = tree->nodes[c].next_sibling) {
        int fits =
            list != NULL ? holds(list, label_of(tree, c)) : !dgm_bracket_is_punctuation(tree, c);

        if (fits && from == LEFT)
            return c;
        if (fits)
            found = c;
    }
    return found;
}

/* The first or last child that is no punctuation, if there is one. */
static int32_t any(const struct dgm_bracket_tree *tree, int32_t node, enum direction from)
{
    int32_t found = find(tree, node, from, NULL), c = tree->nodes[node].first_child;

    if (found >= 0 || from == LEFT)
        return found >= 0 ? found : c;
    while (tree->nodes[c].next_sibling >= 0)
        c = tree->nodes[c].next_sibling;
    return c;
}

/* The labels of a rule one after the other. */
static int32_t find_in_order(const struct dgm_bracket_tree *tree, int32_t node,
                             const struct rule *rule)
{
    char one[16] = " ";
    const char *at = rule->heads;

    while (*(at += strspn(at, " ")) != '\0') {
        size_t length = strcspn(at, " ");
        int32_t found;

        memcpy(one + 1, at, length + 1); /* with the blank behind it */
        one[length + 2] = '\0';
        found = find(tree, node, rule->from, one);
        if (found >= 0)
            return found;
        at += length;
    }
    return any(tree, node, rule->from);
}

static int32_t head_of_noun_phrase(const struct dgm_bracket_tree *tree, int32_t node)
{
    for (int step = 0; step < NOUN_STEPS; step++) {
        int32_t found = find(tree, node, noun_phrase[step].from, noun_phrase[step].heads);

        if (found >= 0)
            return found;
    }
    return any(tree, node, RIGHT);
}

/* X CC Y: the head is X, not Y. */
static int32_t cross_conjunction(const struct dgm_bracket_tree *tree, int32_t node, int32_t head)
{
    int32_t first = -1, conjunction = -1;

    /* The last two children before the head that are no punctuation. */
    for (int32_t c = tree->nodes[node].first_child; c != head; c = tree->nodes[c].next_sibling) {
        if (dgm_bracket_is_punctuation(tree, c))
            continue;
        first = conjunction;
        conjunction = c;
    }
    return first >= 0 && holds(" CC CONJP ", label_of(tree, conjunction)) ? first : head;
}

static int32_t english_head(const struct dgm_bracket_tree *tree, int32_t node, int *is_known)
{
    const char *label = label_of(tree, node);

    if (holds(noun_phrases, label))
        return cross_conjunction(tree, node, head_of_noun_phrase(tree, node));
    for (int r = 0; r < ENGLISH_RULES; r++)
        if (strlen(english[r].label) == dgm_bracket_category(label) &&
            strncmp(english[r].label, label, dgm_bracket_category(label)) == 0)
            return cross_conjunction(tree, node, find_in_order(tree, node, &english[r]));
    *is_known = 0;
    return any(tree, node, RIGHT);
}

/* A word, not the constituent of one, which has a relation around the tag. Beside a word without a
 * tag (a b) may be a relation. */
static int32_t word_child(const struct dgm_bracket_tree *tree, int32_t node)
{
    int32_t word = -1, tagged = -1, words = 0, tags = 0;

    for (int32_t c = tree->nodes[node].first_child; c >= 0; c = tree->nodes[c].next_sibling) {
        if (tree->nodes[c].is_word && words++ == 0)
            word = c;
        if (dgm_bracket_is_tagged(tree, c) && tags++ == 0)
            tagged = c;
    }
    return words == 1 ? word : tags == 1 ? tagged : any(tree, node, RIGHT);
}

int32_t dgm_head_child(const struct dgm_bracket_tree *tree, int32_t node, enum dgm_head_rules rules,
                       int *is_known)
{
    int known = 1;
    int32_t head;

    switch (dgm_bracket_is_tagged(tree, node) ? DGM_HEADS_FIRST : rules) {
    case DGM_HEADS_ENGLISH: head = english_head(tree, node, &known); break;
    case DGM_HEADS_LAST: head = any(tree, node, RIGHT); break;
    case DGM_HEADS_WORD: head = word_child(tree, node); break;
    default: head = any(tree, node, LEFT); break;
    }
    if (is_known != NULL && !known)
        *is_known = 0;
    return head;
}
