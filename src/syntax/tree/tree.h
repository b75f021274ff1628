/*
 * tree.h: a dependency tree over the words of one sentence, as an array of heads.
 *
 * head[i] is the word that word i depends on, counted from 0; a root is its own head.
 * Several roots are allowed: they hang below a virtual root that is no word, so that
 * words of different trees are depth_i + depth_j + 2 apart. A sentence without a usable
 * parse keeps its words and says has_parse = 0; all its heads are -1. Nothing here
 * needs the tree to be projective, and nothing recurses: a chain of 100,000 words is an
 * ordinary input.
 *
 * A tree has four forms on its way from a treebank to a model:
 *
 *     struct dgm_conllu_sentence   all ten columns of a treebank's sentence, as text
 *       .tree                      its heads in this form, over the words of the treebank
 *     struct dgm_line_tree         heads and features over the words of one tokenised line, as
 *                                  numbers: data/tree/line_tree.c compares the words of both
 *     struct dgm_packed            .heads and .features of all lines of a corpus, or of a batch,
 *                                  one behind the other; this is what training keeps in memory
 *     struct dgm_attn_sentence     .tree, one sentence of a batch in this form again, borrowed from
 *                                  the packed heads, with .align from words to subword pieces
 *
 * The last is made again in each step, because depths and distances of a short tree are cheaper to
 * compute than to keep.
 */
#ifndef DGM_SYNTAX_TREE_TREE_H
#define DGM_SYNTAX_TREE_TREE_H

#include "base/env.h"

struct dgm_tree {
    int32_t *head; /* (count) */
    int32_t count; /* words */
    int has_parse;
};

/*
 * Makes a tree of `count` words with a copy of `head`, or without a parse where `head`
 * is NULL. The heads are not examined. Zero-initialise before; free with
 * dgm_tree_clear.
 */
dgm_status dgm_tree_init(struct dgm_env *env, struct dgm_tree *tree, const int32_t *head,
                         int32_t count);
void dgm_tree_clear(struct dgm_env *env, struct dgm_tree *tree);

/* Forgets the parse and keeps the words. */
void dgm_tree_drop(struct dgm_tree *tree);

/* DGM_DATA unless every head is a word of the sentence and every chain of heads ends in
 * a root; the message lists the cycle in word numbers from 1, as CoNLL-U counts. mark: (n), the
 * caller's. */
dgm_status dgm_tree_validate(struct dgm_env *env, int32_t *mark, const struct dgm_tree *tree);

/*
 * The first word (from 0) on a cycle, or -1. Heads must lie in 0..count-1. Only memory
 * can fail.
 */
dgm_status dgm_tree_find_cycle(struct dgm_env *env, int32_t *word, const struct dgm_tree *tree);

/* "2 -> 3 -> 2": the cycle through `word`, long ones shortened to fit `size` bytes. */
void dgm_tree_describe_cycle(char *text, size_t size, const struct dgm_tree *tree, int32_t word);

/* ---- the rest asks for a valid tree with has_parse -------------------------------- */

int32_t dgm_tree_root_count(const struct dgm_tree *tree);

/* depth: (n), roots 0, a child one more than its head. */
void dgm_tree_depths(int32_t *depth, const struct dgm_tree *tree);

/* order: (n), the words sorted by depth, so that every head comes before its
 * dependents. */
dgm_status dgm_tree_order(struct dgm_env *env, int32_t *order, const int32_t *depth,
                          const struct dgm_tree *tree);
/* The same in memory of the caller's; next: (n+1). */
void dgm_tree_order_with(int32_t *order, int32_t *next, const int32_t *depth,
                         const struct dgm_tree *tree);

/* distance: (n,n) row-major, the number of arcs between two words; O(n^2). */
dgm_status dgm_tree_distances(struct dgm_env *env, int32_t *distance, const struct dgm_tree *tree);
/* The same without asking for memory; work: (3n+1), its content does not matter. */
void dgm_tree_distances_in(int32_t *distance, int32_t *work, const struct dgm_tree *tree);

/* adjacent: (n,n) row-major, 1 on the diagonal and between a head and its dependent. */
void dgm_tree_adjacency(int32_t *adjacent, const struct dgm_tree *tree);

#endif
