/*
 * projective.h: from scores of arcs, as in spanning.h, to the best projective dependency tree.
 */
#ifndef DGM_SYNTAX_SPANNING_PROJECTIVE_H
#define DGM_SYNTAX_SPANNING_PROJECTIVE_H

#include "syntax/spanning/spanning.h"

/*
 * As dgm_spanning_tree, over projective trees only: O(n^3) time, 48 n^2 bytes. Of equal trees it
 * takes the smallest root, then the smallest place to split each span.
 */
dgm_status dgm_projective_tree(struct dgm_env *env, int32_t *head, const dgm_real *scores,
                               int32_t n, struct dgm_spanning_work *work);

#endif
