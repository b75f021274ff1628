/*
 * tree_marginals.h: from scores of arcs, as in spanning.h, to the probability of each arc.
 */
#ifndef DGM_SYNTAX_SPANNING_TREE_MARGINALS_H
#define DGM_SYNTAX_SPANNING_TREE_MARGINALS_H

#include "base/env.h"
#include "base/real.h"

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
