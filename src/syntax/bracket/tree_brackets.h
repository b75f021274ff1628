/*
 * tree_brackets.h: a dependency tree in the brackets of the Penn Treebank, one line of them.
 *
 * A word's constituent is a bracket labelled with its relation: the constituents of its left
 * dependents, the word below its tag, those of its right ones.
 *
 *     (TOP (root (nsubj (det (DET The)) (NOUN dog)) (VERB saw) (obj (NOUN cats))))
 *
 * The tag is UPOS or, where that is `_`, XPOS; without both the word stands alone. Words stand in
 * the order of the sentence; where arcs cross, dependents are lifted (syntax/tree/binary.h). A
 * blank inside a word becomes U+00A0; a blank or bracket inside a label `_`. A sentence without
 * words is an empty line, one without a tree `(())`, as parsers write where they have failed.
 */
#ifndef DGM_SYNTAX_BRACKET_TREE_BRACKETS_H
#define DGM_SYNTAX_BRACKET_TREE_BRACKETS_H

#include "syntax/conllu/conllu.h"
#include "syntax/tree/binary.h"

/* Zero-initialise it; memory of one sentence after another. */
struct dgm_tree_brackets {
    int32_t lifted; /* words of the latest sentence */
    int32_t *work;
    size_t work_capacity;
    struct dgm_buf word;
};

/* Writes the line with its LF. */
dgm_status dgm_tree_brackets_write(struct dgm_env *env, struct dgm_tree_brackets *brackets,
                                   struct dgm_writer *writer,
                                   const struct dgm_conllu_sentence *sentence);
void dgm_tree_brackets_clear(struct dgm_env *env, struct dgm_tree_brackets *brackets);

#endif
