/* lead.c: orders of rank 0. */
#include "train/step/exchange/lead.h"

#include "base/ranks/ranks.h"
#include "base/trace/trace.h"

dgm_status dgm_lead_give(const struct dgm_run *run, enum dgm_lead_order order)
{
    struct dgm_ranks *ranks = run->ranks;
    int32_t word = (int32_t)order;

    if (ranks == NULL)
        return DGM_OK;
    DGM_TRY(dgm_ranks_listen(run->env, ranks));
    return dgm_ranks_broadcast(run->env, ranks, &word, sizeof word, ranks->patience);
}

dgm_status dgm_lead_hear(const struct dgm_run *run, enum dgm_lead_order *order)
{
    int32_t word = DGM_LEAD_UPDATE;

    DGM_TRY(dgm_ranks_listen(run->env, run->ranks));
    DGM_TRY_TRACED(run->env, "wait for orders",
                   dgm_ranks_broadcast(run->env, run->ranks, &word, sizeof word, 0));
    *order = (enum dgm_lead_order)word;
    return DGM_OK;
}

dgm_status dgm_lead_pass(const struct dgm_run *run)
{
    char nothing = 0;

    if (run->ranks == NULL)
        return DGM_OK;
    return dgm_ranks_broadcast(run->env, run->ranks, &nothing, 1, 0);
}
