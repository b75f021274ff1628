/*
 * head_rules.h: which child of a constituent is its head.
 *
 * A head rule looks only at the labels of a constituent and of its children, so that it knows the
 * label of a word's tag as well: (DT the) is a child labelled DT.
 */
#ifndef DGM_SYNTAX_BRACKET_HEAD_RULES_H
#define DGM_SYNTAX_BRACKET_HEAD_RULES_H

#include "syntax/bracket/bracket.h"

enum dgm_head_rules {
    DGM_HEADS_ENGLISH, /* the Penn Treebank: Collins, "Head-Driven Statistical Models for Natural
                        * Language Parsing" (1999), appendix A, with his rules for noun phrases and
                        * for coordination */
    DGM_HEADS_FIRST,   /* the first child that is no punctuation */
    DGM_HEADS_LAST,    /* the last such one */
    DGM_HEADS_WORD, /* the only child that is a word, with or without a tag, as in tree_brackets.h;
                        * where there is not just one, the last that is no punctuation */
    DGM_HEAD_RULES
};

/* "english", "first", "last", "word". */
extern const char *const dgm_head_rules_names[DGM_HEAD_RULES];

/* The child of a bracket (no word) that is its head. *is_known, which may be NULL, is set to 0
 * where the rules do not have the bracket's label; the last child that is no punctuation is its
 * head then. */
int32_t dgm_head_child(const struct dgm_bracket_tree *tree, int32_t node, enum dgm_head_rules rules,
                       int *is_known);

/* How much of a label is its category: NP of NP-SBJ-1, NP=2 and NP|ADVP, all of -LRB-. */
size_t dgm_bracket_category(const char *label);

/* Whether a node is a word, or a bracket with one word and nothing else. */
int dgm_bracket_is_tagged(const struct dgm_bracket_tree *tree, int32_t node);
/* Whether it is one whose tag is that of punctuation: nothing but punctuation marks, or a name:
 * PUNCT, PU, HYPH, NFP, -LRB- and its kin, $. and its kin (TIGER). */
int dgm_bracket_is_punctuation(const struct dgm_bracket_tree *tree, int32_t node);

#endif
