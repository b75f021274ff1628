/*
 * beam_shrinking.c: beam search as the toolkit dl4mt and its descendants do it (specification,
 * recurrent models, 1.5; readings 19).
 *
 * Each finished hypothesis takes a place: the best b - finished continuations of all live ones are
 * kept, those that end are finished, and the sentence is done when b are. At its limit, which
 * counts the end symbol, what is still alive is added as it is, without that symbol. The width is
 * pruned by log-probability alone; a length penalty ranks the results.
 */
#include "decode/search/beam.h"

static dgm_status advance(struct dgm_env *env, const struct dgm_search *search, struct dgm_beam *at)
{
    int32_t s = search->rows[at->first].sentence;
    int at_limit = at->step + 1 >= dgm_beam_limit(search, at, s);
    struct dgm_candidate best[DGM_MAX_BEAM];
    int count, i;

    count = dgm_beam_gather(search, at, best, search->options.beam - at->results[s].count);
    for (i = 0; i < count; i++)
        if (best[i].id == search->eos)
            DGM_TRY(dgm_beam_finish(env, search, at, &best[i]));
        else if (!at_limit)
            dgm_beam_continue(search, at, &best[i]);
    /* What the limit cuts comes after what ended by itself: equal scores keep this order. */
    for (i = 0; at_limit && i < count; i++)
        if (best[i].id != search->eos)
            DGM_TRY(dgm_beam_finish(env, search, at, &best[i]));
    return DGM_OK;
}

const struct dgm_beam_rule dgm_beam_shrinking = {
    .name = "shrinking",
    .advance = advance,
};
