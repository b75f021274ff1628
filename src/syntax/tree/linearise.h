/*
 * linearise.h: trees as lines of brackets without words: what a multi-task model learns to write.
 *
 * Specification 3.11: words and the nodes right above them are left out, an opening bracket and
 * its label are one token, a closing bracket is one; tokens are parted by single blanks, and every
 * line is balanced:
 *
 *     (ROOT (S (NP (DT The) (NN dog)) (VP (VBZ barks))))   ->   (ROOT (S (NP ) (VP ) ) )
 *
 * A dependency tree has no nodes but its words. Each one opens "(relation", then come all its
 * dependents in the order of the sentence, then it closes:
 *
 *     The dog saw cats   ->   (root (nsubj (det ) ) (obj ) )
 */
#ifndef DGM_SYNTAX_TREE_LINEARISE_H
#define DGM_SYNTAX_TREE_LINEARISE_H

#include "base/buf.h"
#include "syntax/bracket/bracket.h"
#include "syntax/tree/tree.h"

/* Appends a tree that was read with has_parse. Its root is written "(ROOT", as bracket.h makes all
 * names of roots one. */
dgm_status dgm_linearise_brackets(struct dgm_env *env, struct dgm_buf *out,
                                  const struct dgm_bracket_tree *tree);

/* Appends a valid tree with has_parse, its roots one after the other; labels: (tree->count). A
 * blank or bracket in a label becomes "_". */
dgm_status dgm_linearise_tree(struct dgm_env *env, struct dgm_buf *out, const struct dgm_tree *tree,
                              const char *const *labels);

#endif
