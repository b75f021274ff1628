/*
 * tree_cell_plan.h: what the operations that run a dgm_tree_cell_plan ask of it, and random plans
 * for their gradient checks.
 */
#ifndef DGM_GRAPH_RECURRENT_TREE_CELL_PLAN_H
#define DGM_GRAPH_RECURRENT_TREE_CELL_PLAN_H

#include "graph/op.h"

/* The nodes of the largest step: they size the working memory. */
int64_t dgm_tree_cell_plan_most(const struct dgm_tree_cell_plan *plan);

/* A few random binary trees. A step composes any of the states that are ready; there may be no
 * internal node at all. */
struct dgm_tree_cell_plan dgm_tree_cell_plan_sample(struct dgm_graph *g, struct dgm_sample *sample);

#endif
