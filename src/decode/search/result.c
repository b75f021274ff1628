/*
 * result.c: finished hypotheses: length penalties (specification 1.11) and their order.
 */
#include "decode/search/result.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "decode/search/search.h"

dgm_status dgm_penalty_read(struct dgm_env *env, const char *name, enum dgm_penalty *penalty)
{
    if (strcmp(name, "fairseq") == 0)
        *penalty = DGM_PENALTY_FAIRSEQ;
    else if (strcmp(name, "gnmt") == 0)
        *penalty = DGM_PENALTY_GNMT;
    else if (strcmp(name, "none") == 0)
        *penalty = DGM_PENALTY_NONE;
    else
        return dgm_fail(env, DGM_USAGE, "penalty \"%s\"; expected fairseq, gnmt or none", name);
    return DGM_OK;
}

double dgm_result_score(const struct dgm_search_options *options, double logp, int32_t length)
{
    switch (options->penalty) {
    case DGM_PENALTY_FAIRSEQ: return logp / pow((double)length, options->alpha);
    case DGM_PENALTY_GNMT: return logp / pow((5.0 + (double)length) / 6.0, options->alpha);
    case DGM_PENALTY_NONE: break;
    }
    return logp;
}

void dgm_result_sort(struct dgm_result *result)
{
    int32_t i, j;

    /* Insertion sort: it is stable, and a result has at most DGM_MAX_BEAM hypotheses. */
    for (i = 1; i < result->count; i++) {
        struct dgm_hypothesis item = result->items[i];
        for (j = i; j > 0 && result->items[j - 1].score < item.score; j--)
            result->items[j] = result->items[j - 1];
        result->items[j] = item;
    }
}

void dgm_result_clear(struct dgm_env *env, struct dgm_result *result)
{
    for (int32_t i = 0; i < result->count; i++)
        dgm_release(env, result->items[i].tokens);
    dgm_release(env, result->items);
    memset(result, 0, sizeof *result);
}
