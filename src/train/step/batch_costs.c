/* batch_costs.c: costs of the batches of an update, in their order. */
#include "train/step/batch_costs.h"

#include <string.h>

#include "base/mem.h"
#include "base/ranks/ranks.h"

dgm_status dgm_batch_costs_init(const struct dgm_run *run, struct dgm_batch_costs *costs)
{
    costs->ranks = dgm_run_count(run);
    costs->per_rank = (run->options.accumulate + costs->ranks - 1) / costs->ranks;
    return dgm_new(run->env, &costs->items, (size_t)(costs->ranks * costs->per_rank),
                   sizeof *costs->items);
}

void dgm_batch_costs_clear(struct dgm_env *env, struct dgm_batch_costs *costs)
{
    dgm_release(env, costs->items);
    memset(costs, 0, sizeof *costs);
}

static void add_beside(struct dgm_beside_costs *to, const struct dgm_beside_costs *from)
{
    to->parse_cost += from->parse_cost;
    to->parse_rows += from->parse_rows;
    to->link_cost += from->link_cost;
    to->link_rows += from->link_rows;
}

struct dgm_batch_cost *dgm_batch_costs_at(const struct dgm_batch_costs *costs, int64_t number)
{
    return &costs->items[number % costs->ranks * costs->per_rank + number / costs->ranks];
}

dgm_status dgm_batch_costs_add(struct dgm_run *run, const struct dgm_batch_costs *costs,
                               struct dgm_beside_costs *beside, int64_t *labels)
{
    struct dgm_train_state *state = &run->state;

    if (run->ranks != NULL)
        DGM_TRY(dgm_ranks_gather(run->env, run->ranks, costs->items,
                                 (size_t)costs->per_rank * sizeof *costs->items));
    *labels = 0;
    for (int64_t k = 0; k < run->options.accumulate; k++) {
        const struct dgm_batch_cost *cost = dgm_batch_costs_at(costs, k);
        state->cost += cost->cost;
        state->cost_labels += (double)cost->labels;
        add_beside(beside, &cost->beside);
        *labels += cost->labels;
    }
    return DGM_OK;
}
