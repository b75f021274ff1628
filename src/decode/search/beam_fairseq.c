/*
 * beam_fairseq.c: beam search as fairseq does it (specification 1.11, readings B30 to B33).
 *
 * Of the 2b best continuations, those that end are finished if they are among the best b; the best
 * b that do not end live on. A sentence is done when b are finished, or at its limit, where every
 * live hypothesis takes the end symbol at that symbol's own log-probability.
 */
#include <math.h>

#include "decode/search/beam.h"

/* Two passes: whether any row lives on is known when all that end have been counted. */
static dgm_status step_rows(struct dgm_env *env, const struct dgm_search *search,
                            struct dgm_beam *at)
{
    const struct dgm_result *result = &at->results[search->rows[at->first].sentence];
    int beam = search->options.beam, count, live = 0, i;
    struct dgm_candidate best[2 * DGM_MAX_BEAM];

    count = dgm_beam_gather(search, at, best, 2 * beam);
    for (i = 0; i < count && i < beam && result->count < beam; i++)
        if (best[i].id == search->eos)
            DGM_TRY(dgm_beam_finish(env, search, at, &best[i]));
    for (i = 0; i < count && live < beam && result->count < beam; i++)
        if (best[i].id != search->eos) {
            dgm_beam_continue(search, at, &best[i]);
            live++;
        }
    return DGM_OK;
}

static dgm_status end_rows(struct dgm_env *env, const struct dgm_search *search,
                           struct dgm_beam *at)
{
    const struct dgm_result *result = &at->results[search->rows[at->first].sentence];
    struct dgm_candidate best[2 * DGM_MAX_BEAM];
    int count = 0, i;

    for (int64_t r = at->first; r < at->last; r++) {
        struct dgm_candidate candidate;
        candidate.row = (int32_t)r;
        candidate.id = search->eos;
        candidate.logp = search->rows[r].logp + (double)search->ends[r];
        if (isfinite(candidate.logp))
            dgm_beam_keep(best, &count, search->options.beam, candidate);
    }
    for (i = 0; i < count && result->count < search->options.beam; i++)
        DGM_TRY(dgm_beam_finish(env, search, at, &best[i]));
    return DGM_OK;
}

static dgm_status advance(struct dgm_env *env, const struct dgm_search *search, struct dgm_beam *at)
{
    if (at->step >= dgm_beam_limit(search, at, search->rows[at->first].sentence))
        return end_rows(env, search, at);
    return step_rows(env, search, at);
}

const struct dgm_beam_rule dgm_beam_fairseq = {
    .name = "fairseq",
    .forces_end = 1,
    .advance = advance,
};
