/* batch_costs.c: costs of the batches of an update, in their order. */
#include "train/step/batch_costs.h"

#include <string.h>

#include "base/mem.h"
#include "train/session.h"

dgm_status dgm_batch_costs_init(struct dgm_session *session)
{
    const int64_t ranks = dgm_run_count(&session->run);
    struct dgm_batch_costs *costs = &session->costs;

    costs->per_rank = (session->run.options.accumulate + ranks - 1) / ranks;
    costs->items =
        dgm_alloc(session->run.env, (size_t)(ranks * costs->per_rank), sizeof *costs->items);
    return costs->items != NULL ? DGM_OK : DGM_MEMORY;
}

void dgm_batch_costs_clear(struct dgm_session *session)
{
    dgm_release(session->run.env, session->costs.items);
    memset(&session->costs, 0, sizeof session->costs);
}

void dgm_beside_costs_add(struct dgm_beside_costs *to, const struct dgm_beside_costs *from)
{
    to->parse_cost += from->parse_cost;
    to->parse_rows += from->parse_rows;
    to->link_cost += from->link_cost;
    to->link_rows += from->link_rows;
}

struct dgm_batch_cost *dgm_batch_costs_at(struct dgm_session *session, int64_t number)
{
    const int64_t ranks = dgm_run_count(&session->run);

    return &session->costs.items[number % ranks * session->costs.per_rank + number / ranks];
}

dgm_status dgm_batch_costs_add(struct dgm_session *session, int64_t *labels)
{
    const struct dgm_batch_costs *costs = &session->costs;
    struct dgm_train_state *state = &session->run.state;
    int64_t k;

    if (session->run.ranks != NULL)
        DGM_TRY(dgm_ranks_gather(session->run.env, session->run.ranks, costs->items,
                                 (size_t)costs->per_rank * sizeof *costs->items));
    *labels = 0;
    for (k = 0; k < session->run.options.accumulate; k++) {
        const struct dgm_batch_cost *cost = dgm_batch_costs_at(session, k);
        state->cost += cost->cost;
        state->cost_labels += (double)cost->labels;
        dgm_beside_costs_add(&session->report.beside, &cost->beside);
        *labels += cost->labels;
    }
    return DGM_OK;
}
