/*
 * batch_costs.h: what the batches of an update cost, added in their order, whichever rank computed
 * them.
 */
#ifndef DGM_TRAIN_STEP_BATCH_COSTS_H
#define DGM_TRAIN_STEP_BATCH_COSTS_H

#include "train/run.h"

/* Losses beside the cost, summed, and what they are means over. */
struct dgm_beside_costs {
    double parse_cost, parse_rows; /* of heads that parse */
    double link_cost, link_rows;   /* of attention that learns links of words */
};

struct dgm_batch_cost {
    double cost;
    struct dgm_beside_costs beside;
    int64_t labels;
};

struct dgm_batch_costs {
    struct dgm_batch_cost *items; /* (ranks, per_rank): rank r's k-th batch is k ranks + r */
    int64_t ranks, per_rank;
};

dgm_status dgm_batch_costs_init(const struct dgm_run *run, struct dgm_batch_costs *costs);
void dgm_batch_costs_clear(struct dgm_env *env, struct dgm_batch_costs *costs);

/* Batch `number` of the update. */
struct dgm_batch_cost *dgm_batch_costs_at(const struct dgm_batch_costs *costs, int64_t number);
/* When all are known, collective: adds them to the state and to `beside`; *labels: all of them. */
dgm_status dgm_batch_costs_add(struct dgm_run *run, const struct dgm_batch_costs *costs,
                               struct dgm_beside_costs *beside, int64_t *labels);

#endif
