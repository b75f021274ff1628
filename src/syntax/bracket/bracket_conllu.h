/*
 * bracket_conllu.h: phrase structure as dependencies: a tree of brackets as a block of CoNLL-U.
 *
 * Each constituent has a head word: that of the child that head_rules.h finds. The head words of
 * the other children depend on it. So the tree has one root, no arcs cross, and of each constituent
 * one word alone has a head outside.
 *
 * XPOS is the tag. UPOS is the universal one of a tag of the Penn Treebank (DGM_HEADS_ENGLISH;
 * Petrov, Das and McDonald, LREC 2012, with the names of Universal Dependencies; be, have and do
 * are VERB, IN below SBAR is SCONJ), a tag that is universal, PUNCT for punctuation, else X.
 */
#ifndef DGM_SYNTAX_BRACKET_BRACKET_CONLLU_H
#define DGM_SYNTAX_BRACKET_BRACKET_CONLLU_H

#include "syntax/bracket/head_rules.h"

/* What DEPREL says. The root's is `root`. */
enum dgm_bracket_relations {
    DGM_RELATIONS_PHRASES, /* the labels of the constituent around both words and of the largest one
                            * that the dependent heads, in small letters: s-np, np-dt; punct */
    DGM_RELATIONS_LABELS,  /* the label of that largest constituent as it stands: NP, or nsubj of
                            * what tree_brackets.h has written; dep without one */
    DGM_RELATIONS_DEP,     /* dep */
    DGM_BRACKET_RELATIONS
};

/* "phrases", "labels", "dep". */
extern const char *const dgm_bracket_relations_names[DGM_BRACKET_RELATIONS];

/* Zero-initialise it, but for the two choices; memory of one sentence after another. */
struct dgm_bracket_conllu {
    enum dgm_head_rules rules;
    enum dgm_bracket_relations relations;
    int32_t unknown; /* the first node of the latest tree without a rule, or -1 */
    struct dgm_buf out;
    /* Of the latest tree: */
    int32_t *head;    /* (words) as in tree.h */
    int32_t *largest; /* (words) the largest constituent that each one heads */
    int32_t *lexical; /* (nodes) the head word of each */
    size_t head_capacity, largest_capacity, lexical_capacity;
};

/* Fills head, largest, lexical and unknown. The tree has at least one word. */
dgm_status dgm_bracket_find_heads(struct dgm_env *env, struct dgm_bracket_conllu *conllu,
                                  const struct dgm_bracket_tree *tree);
/* Replaces out by the block, a blank line behind it. Without a parse HEAD and DEPREL are `_`;
 * without words it is a comment alone. */
dgm_status dgm_bracket_to_conllu(struct dgm_env *env, struct dgm_bracket_conllu *conllu,
                                 const struct dgm_bracket_tree *tree);
void dgm_bracket_conllu_clear(struct dgm_env *env, struct dgm_bracket_conllu *conllu);

#endif
