/*
 * plan.h: where the values, statistics and gradients of a step lie in the graph's pool.
 */
#ifndef DGM_GRAPH_PLAN_H
#define DGM_GRAPH_PLAN_H

#include "graph/graph.h"

/* Decides it for all nodes, and tells how many bytes the pool needs. */
dgm_status dgm_plan_size(struct dgm_graph *g, uint64_t *bytes);
/* How large a new pool is where a step needs so many bytes. */
uint64_t dgm_plan_pool(const struct dgm_graph *g, uint64_t bytes);
/* As dgm_plan_size; then grows the pool, and writes their places into the nodes. */
dgm_status dgm_plan_make(struct dgm_graph *g, uint64_t *bytes);
void dgm_plan_release_pool(struct dgm_graph *g);
void dgm_plan_free(struct dgm_graph *g);

#endif
