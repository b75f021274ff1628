/*
 * spanning.h: from scores of arcs to the best dependency tree, and to the probability of
 * each arc under all trees.
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

struct dgm_spanning_cell; /* spanning_part.h */

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

/*
 * The same over projective trees only: O(n^3) time, 48 n^2 bytes. Of equal trees it takes
 * the smallest root, then the smallest place to split each span.
 */
dgm_status dgm_projective_tree(struct dgm_env *env, int32_t *head, const dgm_real *scores,
                               int32_t n, struct dgm_spanning_work *work);

/*
 * The distribution over trees with p(tree) proportional to exp(score): marginal (n+1,n+1),
 * laid out as `scores`, is the probability of each arc (rows 1..n sum to 1, row 0 and the
 * diagonal are 0); log_partition the logarithm of the sum over all trees, with exactly one
 * word below the root, or with one or more where single_root is 0. No temporary is larger
 * than (n,n+1) doubles. Either output may be NULL. O(n^3) time.
 *
 * DGM_FAILURE where no tree is possible, or where the rounding of doubles would leave less
 * than about six digits of the marginals: that takes words that prefer each other, in a
 * cycle, to all the rest by about twenty nats.
 */
dgm_status dgm_tree_marginals(struct dgm_env *env, double *marginal, double *log_partition,
                              const dgm_real *scores, int32_t n, int single_root);

#endif
