/*
 * test_batch_costs.c: what the batches of an update cost, added in their order on all ranks.
 */
#include "train/step/batch_costs.h"

#include "test.h"
#include "thread_ranks.h"

enum { BATCHES = 5 };

/* Numbers whose sum depends on the order. */
static const double costs[BATCHES] = { 1, 1e17, -1e17, 1e17, -1e17 };

static dgm_status add_up(struct dgm_run *run, struct dgm_beside_costs *beside, int64_t *labels)
{
    struct dgm_batch_costs all = { 0 };
    dgm_status status;

    run->options.accumulate = BATCHES;
    DGM_TRY(dgm_batch_costs_init(run, &all));
    for (int64_t k = dgm_run_rank(run); k < BATCHES; k += dgm_run_count(run)) {
        struct dgm_batch_cost *cost = dgm_batch_costs_at(&all, k);

        cost->cost = cost->beside.link_cost = costs[k];
        cost->beside.parse_rows = (double)k;
        cost->labels = 10 + k;
    }
    status = dgm_batch_costs_add(run, &all, beside, labels);
    dgm_batch_costs_clear(run->env, &all);
    return status;
}

static int adds_up(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_run run = { .env = env, .ranks = ranks, .state.cost = 3 };
    struct dgm_beside_costs beside = { 1, 2, 0, 4 };
    int64_t labels;

    return add_up(&run, &beside, &labels) == DGM_OK && labels == 60 &&
           run.state.cost_labels == 60 &&
           run.state.cost == 3.0 + costs[0] + costs[1] + costs[2] + costs[3] + costs[4] &&
           beside.link_cost == costs[0] + costs[1] + costs[2] + costs[3] + costs[4] &&
           beside.parse_cost == 1 && beside.parse_rows == 12 && beside.link_rows == 4;
}

TEST(batch_costs_are_added_in_their_order)
{
    CHECK(adds_up(test_env(), NULL));
    for (int ranks = 2; ranks <= 4; ranks++)
        CHECK(run_ranks(ranks, adds_up));
}
