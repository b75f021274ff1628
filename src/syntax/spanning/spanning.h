/*
 * spanning.h: from scores of arcs to the best dependency tree; projective.h finds the best
 * projective one, tree_marginals.h the probability of each arc under all trees.
 *
 * `scores` is row-major (n+1,n+1) for n words: row d is the dependent (1..n), column h its
 * head (0..n, 0 the artificial root). Row 0 and the diagonal are not read. A tree scores the
 * sum of its arcs. -infinity forbids an arc, NaN counts as -infinity, +infinity as the
 * largest float. n >= 0; for n = 0 there is nothing to do.
 */
#ifndef DGM_SYNTAX_SPANNING_SPANNING_H
#define DGM_SYNTAX_SPANNING_SPANNING_H

#include "base/env.h"
#include "base/real.h"

struct dgm_spanning_cell; /* arc_cell.h */

/* Scratch space of the searches. Zero-initialise before the first; it grows to the longest
 * sentence and serves any number of them, so that a warm parser allocates nothing. */
struct dgm_spanning_work {
    struct dgm_spanning_cell *cells;
    int32_t *numbers;
    size_t cell_room, number_room;
};

void dgm_spanning_work_clear(struct dgm_env *env, struct dgm_spanning_work *work);

/*
 * The best tree with exactly one word below the root: head (n), head[d-1] in 0..n for word
 * d. O(n^2) time, 16 n^2 bytes of `work`. There always is a result: where forbidden arcs
 * cannot be avoided, the tree has as few of them as possible, and is the best of those.
 * Sums are in double, so trees closer than its rounding count as equal. Of equal trees the
 * choice is a function of the scores alone: a word takes the smallest of its best heads,
 * a cycle is left at the first of its best places on the path (spanning.c). Only memory can
 * fail, and leaves `head` as it was.
 */
dgm_status dgm_spanning_tree(struct dgm_env *env, int32_t *head, const dgm_real *scores, int32_t n,
                             struct dgm_spanning_work *work);

#endif
