/*
 * binary.h: binary trees over the words of one sentence, for recurrent encoders that compose two
 * constituents at a time.
 *
 * A tree has N leaves, 0..N-1 in the order of the sentence, and N-1 internal nodes N..2N-2 in
 * post-order: all of the left subtree, all of the right subtree, the node, as a shift-reduce parser
 * reduces.
 * left[j] and right[j] are the children of node N+j, so that children come before their parents
 * and the root is the last node. A sentence of one word has no internal node. Nothing recurses.
 *
 * work: DGM_BINARY_WORK (words + 1) numbers of the caller's.
 */
#ifndef DGM_SYNTAX_TREE_BINARY_H
#define DGM_SYNTAX_TREE_BINARY_H

#include "syntax/bracket/bracket.h"
#include "syntax/tree/forms.h"
#include "syntax/tree/tree.h"

enum { DGM_BINARY_WORK = 9 };

/*
 * From a bracket tree of at least one word; left, right (word_count - 1). A bracket around one
 * constituent is that constituent, X -> c1 .. cm becomes c1 (c2 (.. cm)). Words without a parse
 * hang below TOP alone and become a right-branching tree.
 */
dgm_status dgm_binary_from_brackets(struct dgm_env *env, int32_t *left, int32_t *right,
                                    const struct dgm_bracket_tree *tree);

/*
 * From a valid dependency tree of at least one word; left, right (count - 1). The constituent of a
 * word is the constituents of its left dependents, the word, and those of its right ones, in the
 * order of the sentence, made binary as above; so are the roots' at the top. Where the words below
 * a word do not stand side by side, its dependents beyond the gaps are lifted to its head, deepest
 * words first (Nivre and Nilsson, "Pseudo-Projective Dependency Parsing", ACL 2005). Without a
 * parse: right-branching.
 */
void dgm_binary_from_tree(int32_t *left, int32_t *right, const struct dgm_tree *tree,
                          int32_t *work);

/* The same constituents as a projective tree; all arrays (count) lie in `work`. */
struct dgm_binary_lifted {
    const int32_t *head;        /* as in tree.h */
    const int32_t *first, *end; /* of each word all that hangs below it: first .. end-1 */
    int32_t lifted;             /* words whose head is another one now */
};

/* Of a valid tree of at least one word with has_parse. */
void dgm_binary_lift(struct dgm_binary_lifted *lifted, const struct dgm_tree *tree, int32_t *work);

/* ((..)) of `leaves` >= 1 leaves: 0 (1 (2 ..)). */
void dgm_binary_right_branching(int32_t *left, int32_t *right, int32_t leaves);

/*
 * The tree over subwords of a checked tree over `words` >= 1 words: word w becomes the constituent,
 * right-branching, of pieces first[w] .. first[w+1]-1, at least one. left, right: (pieces - 1),
 * pieces = first[words].
 */
void dgm_binary_expand(int32_t *left, int32_t *right, const int32_t *word_left,
                       const int32_t *word_right, int32_t words, const int32_t *first,
                       int32_t *work);

/* A tree over words as a line of brackets, all of them labelled X: "(X (X the dog) barks)". An
 * empty line without words. */
dgm_status dgm_binary_write(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_forms *words, const int32_t *left,
                            const int32_t *right);

/* DGM_DATA [E_TREE] unless it is a tree as described above; `leaves` >= 1. */
dgm_status dgm_binary_check(struct dgm_env *env, const int32_t *left, const int32_t *right,
                            int32_t leaves, int32_t *work);

#endif
