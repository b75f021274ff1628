/*
 * beam_fairseq.c: beam search as fairseq does it (specification 1.11, readings B30 to B33).
 *
 * Of the 2b best continuations, those that end are finished if they are among the best b; the best
 * b that do not end live on. A sentence is done when b are finished, or at its limit, where every
 * live hypothesis takes the end symbol at that symbol's own log-probability.
 */
#include "decode/search/beam.h"

static dgm_status step_rows(struct dgm_env *env, struct dgm_search *search, struct dgm_beam *at,
                            int64_t first, int64_t last)
{
    const struct dgm_result *result = &at->results[search->rows[first].sentence];
    int beam = search->options.beam, count, live = 0, i;
    struct dgm_candidate best[2 * DGM_MAX_BEAM];

    count = dgm_beam_gather(search, first, last, best, 2 * beam);
    for (i = 0; i < count; i++) {
        if (best[i].id == search->eos) {
            if (i < beam && result->count < beam)
                DGM_TRY(dgm_beam_finish(env, search, at, &best[i]));
        } else if (live < beam) {
            dgm_beam_continue(search, at, at->next + live, &best[i]);
            live++;
        }
    }
    if (result->count < beam)
        at->next += live;
    return DGM_OK;
}

static dgm_status end_rows(struct dgm_env *env, struct dgm_search *search, struct dgm_beam *at,
                           int64_t first, int64_t last)
{
    const struct dgm_result *result = &at->results[search->rows[first].sentence];
    struct dgm_candidate best[2 * DGM_MAX_BEAM];
    int count = 0, i;
    int64_t r;

    for (r = first; r < last; r++) {
        struct dgm_candidate candidate;
        candidate.row = (int32_t)r;
        candidate.id = search->eos;
        candidate.logp = search->rows[r].logp + (double)search->ends[r];
        if (candidate.logp - candidate.logp == 0)
            dgm_beam_keep(best, &count, search->options.beam, candidate);
    }
    for (i = 0; i < count && result->count < search->options.beam; i++)
        DGM_TRY(dgm_beam_finish(env, search, at, &best[i]));
    return DGM_OK;
}

static dgm_status advance(struct dgm_env *env, struct dgm_search *search, struct dgm_beam *at,
                          int64_t first, int64_t last)
{
    if (at->step >= dgm_beam_limit(search, at, search->rows[first].sentence))
        return end_rows(env, search, at, first, last);
    return step_rows(env, search, at, first, last);
}

const struct dgm_beam_rule dgm_beam_fairseq = {
    .name = "fairseq",
    .forces_end = 1,
    .advance = advance,
};
