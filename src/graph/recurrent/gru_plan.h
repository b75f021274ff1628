/*
 * gru_plan.h: what the operations that run a dgm_gru_plan ask of it, and random plans for their
 * gradient checks.
 */
#ifndef DGM_GRAPH_RECURRENT_GRU_PLAN_H
#define DGM_GRAPH_RECURRENT_GRU_PLAN_H

#include "graph/op.h"

/*
 * Whether every row of the states but the roots is computed exactly once, by a side that exists,
 * after the rows that its block names; and whether every row of every side is read exactly once.
 */
int dgm_gru_plan_is_sound(const struct dgm_gru_plan *plan);

/* The rows of the largest block, and of the largest side: they size the working memory. */
int64_t dgm_gru_plan_most_in_block(const struct dgm_gru_plan *plan);
int64_t dgm_gru_plan_most_in_side(const struct dgm_gru_plan *plan);

/* A random plan of 1 to `most_sides` sides over a few states, with or without siblings. Its lists
 * are on the device. */
struct dgm_gru_plan dgm_gru_plan_sample(struct dgm_graph *g, struct dgm_sample *sample,
                                        int most_sides, int siblings);

#endif
