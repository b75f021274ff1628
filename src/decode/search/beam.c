/*
 * beam.c: what the rules of beam search share: the best continuations, finished and live.
 */
#include "decode/search/beam.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "decode/search/candidates.h"

#define BEAM_RULE(name) extern const struct dgm_beam_rule dgm_beam_##name;
#include "decode/search/beam_list.h"
#undef BEAM_RULE

static const struct dgm_beam_rule *const rules[] = {
#define BEAM_RULE(name) &dgm_beam_##name,
#include "decode/search/beam_list.h"
#undef BEAM_RULE
};

const struct dgm_beam_rule *dgm_beam_rule_entry(int i)
{
    return i < (int)(sizeof rules / sizeof *rules) ? rules[i] : NULL;
}

const struct dgm_beam_rule *dgm_beam_rule_find(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i]->name, name) == 0)
            return rules[i];
    return NULL;
}

dgm_status dgm_beam_rule_read(struct dgm_env *env, const char *name,
                              const struct dgm_beam_rule **rule)
{
    static const char names[] =
#define BEAM_RULE(name) " or " #name
#include "decode/search/beam_list.h"
#undef BEAM_RULE
        ;

    *rule = dgm_beam_rule_find(name);
    if (*rule == NULL)
        return dgm_fail(env, DGM_USAGE, "beam rule \"%s\"; expected %s", name, names + 4);
    return DGM_OK;
}

int64_t dgm_beam_limit(const struct dgm_search *search, const struct dgm_beam *at, int32_t s)
{
    const struct dgm_search_options *options = &search->options;
    double n = (double)dgm_packed_length(&at->batch->source, s);
    double limit = options->length_factor * n + (double)options->length_extra;

    if (!(limit < (double)at->most)) /* also where it is not a number */
        return at->most;
    return limit > (double)options->least ? (int64_t)limit : options->least;
}

/* Best first: log-probability, then the row, then the token: a total order without NaN. */
static int comes_before(const struct dgm_candidate *a, const struct dgm_candidate *b)
{
    if (a->logp != b->logp)
        return a->logp > b->logp;
    if (a->row != b->row)
        return a->row < b->row;
    return a->id < b->id;
}

void dgm_beam_keep(struct dgm_candidate *best, int *count, int most, struct dgm_candidate candidate)
{
    int i = *count;

    /* A full list loses its last entry, or the candidate is no better than that. The list is short
     * (at most 2 DGM_MAX_BEAM) and most candidates fail at once: no heap is needed. */
    if (i == most) {
        if (!comes_before(&candidate, &best[most - 1]))
            return;
        i--;
    } else {
        (*count)++;
    }
    for (; i > 0 && comes_before(&candidate, &best[i - 1]); i--)
        best[i] = best[i - 1];
    best[i] = candidate;
}

int dgm_beam_gather(const struct dgm_search *search, const struct dgm_beam *at,
                    struct dgm_candidate *best, int most)
{
    int k = dgm_candidates_width(search), count = 0, j;

    /* Sums are doubles: a hypothesis of hundreds of tokens keeps the digits that decide. */
    for (int64_t r = at->first; r < at->last; r++)
        for (j = 0; j < k; j++) {
            struct dgm_candidate candidate;
            candidate.id = search->ids[r * k + j];
            candidate.row = (int32_t)r;
            candidate.logp = search->rows[r].logp + (double)search->values[r * k + j];
            if (candidate.id >= 0 && isfinite(candidate.logp))
                dgm_beam_keep(best, &count, most, candidate);
        }
    return count;
}

/* ---- what a rule does with a candidate ------------------------------------------------------- */

dgm_status dgm_beam_finish(struct dgm_env *env, const struct dgm_search *search,
                           struct dgm_beam *at, const struct dgm_candidate *candidate)
{
    struct dgm_result *result = &at->results[search->rows[candidate->row].sentence];
    const int32_t *tokens = search->tokens + (size_t)candidate->row * at->stride;
    struct dgm_hypothesis *item;

    assert(candidate->row >= at->first && candidate->row < at->last);
    assert(result->count < search->options.beam);
    if (result->items == NULL) {
        DGM_TRY(dgm_new(env, &result->items, (size_t)search->options.beam, sizeof *result->items));
    }
    item = &result->items[result->count];
    item->length = (int32_t)at->step + 1;
    DGM_TRY(dgm_new(env, &item->tokens, (size_t)item->length, sizeof *item->tokens));
    memcpy(item->tokens, tokens, (size_t)at->step * sizeof *tokens);
    item->tokens[at->step] = candidate->id;
    item->logp = candidate->logp;
    item->score = dgm_result_score(&search->options, candidate->logp, item->length);
    result->count++;
    return DGM_OK;
}

void dgm_beam_continue(const struct dgm_search *search, struct dgm_beam *at,
                       const struct dgm_candidate *candidate)
{
    /* Other rows may continue the same hypothesis: tokens are copied, not moved. */
    const int32_t *old = search->tokens + (size_t)candidate->row * at->stride;
    int64_t r = at->next++;
    int32_t *new = search->next_tokens + (size_t)r * at->stride;

    assert(candidate->row >= at->first && candidate->row < at->last);
    assert(r - at->first_next < search->options.beam);
    memcpy(new, old, (size_t)at->step * sizeof *old);
    new[at->step] = candidate->id;
    search->next_rows[r].sentence = search->rows[candidate->row].sentence;
    search->next_rows[r].logp = candidate->logp;
    search->from[r] = candidate->row;
    search->last[r] = candidate->id;
}
