/*
 * search.c: beam search over packed hypotheses.
 */
#include "decode/search/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "decode/search/beam.h"
#include "decode/search/candidates.h"
#include "decode/search/search_defaults.h"

struct dgm_search_options dgm_search_defaults(void)
{
    const struct dgm_search_options options = {
        .beam = DGM_SEARCH_BEAM,
        .penalty = DGM_PENALTY_FAIRSEQ,
        .alpha = DGM_SEARCH_ALPHA,
        .length_factor = DGM_SEARCH_LENGTH_FACTOR,
        .length_extra = DGM_SEARCH_LENGTH_EXTRA,
        .forbidden = DGM_VOCAB_PAD,
        .least = 1,
    };

    return options;
}

dgm_status dgm_search_init(struct dgm_env *env, struct dgm_search *search,
                           const struct dgm_net *const *models, int model_count,
                           struct dgm_device *device, const struct dgm_search_options *options)
{
    memset(search, 0, sizeof *search);
    if (options->beam < 1 || options->beam > DGM_MAX_BEAM)
        return dgm_fail(env, DGM_USAGE, "a beam of %d; expected 1..%d", options->beam,
                        (int)DGM_MAX_BEAM);
    search->options = *options;
    if (options->rule == NULL)
        search->options.rule = dgm_beam_rule_entry(0);
    search->device = device;
    search->vocab = search->width = models[0]->vocab[DGM_TARGET];
    search->eos = models[0]->eos;
    for (int m = 0; m < model_count; m++) {
        if (models[m]->vocab[DGM_TARGET] != search->vocab)
            return dgm_fail(env, DGM_MODEL,
                            "models of %lld and %lld target types; expected the same vocabulary",
                            (long long)search->vocab, (long long)models[m]->vocab[DGM_TARGET]);
        if (models[m]->eos != search->eos)
            return dgm_fail(env, DGM_MODEL,
                            "models that end translations with entries %ld and %ld; expected the "
                            "same end symbol",
                            (long)search->eos, (long)models[m]->eos);
        search->model_count++; /* what was begun is cleared, too */
        DGM_TRY(dgm_incremental_init(env, &search->models[m], models[m], device));
    }
    assert(options->shortlist == NULL ||
           (options->shortlist->types[DGM_TARGET] == search->vocab &&
            search->eos < DGM_VOCAB_SPECIALS && options->forbidden < DGM_VOCAB_SPECIALS));
    return DGM_OK;
}

void dgm_search_clear(struct dgm_env *env, struct dgm_search *search)
{
    for (int m = 0; m < search->model_count; m++)
        dgm_incremental_clear(env, &search->models[m]);
    if (search->device != NULL)
        dgm_device_release(env, search->device, search->top);
    dgm_shortlist_choice_clear(env, &search->choice);
    dgm_release(env, search->values);
    dgm_release(env, search->ends);
    dgm_release(env, search->rows);
    dgm_release(env, search->next_rows);
    dgm_release(env, search->tokens);
    dgm_release(env, search->next_tokens);
    dgm_release(env, search->from);
    dgm_release(env, search->last);
    memset(search, 0, sizeof *search);
}

int64_t dgm_search_longest(const struct dgm_search *search)
{
    int64_t longest = search->models[0].net->config.max_length;

    for (int m = 1; m < search->model_count; m++)
        if (search->models[m].net->config.max_length < longest)
            longest = search->models[m].net->config.max_length;
    return longest;
}

/* ---- memory of a batch ---------------------------------------------------------------------- */

static dgm_status reserve(struct dgm_env *env, struct dgm_search *search, size_t rows,
                          size_t stride)
{
    const struct dgm_parallel of_rows[] = { { &search->rows, sizeof *search->rows },
                                            { &search->next_rows, sizeof *search->next_rows },
                                            { &search->from, sizeof *search->from },
                                            { &search->last, sizeof *search->last },
                                            { NULL, 0 } };
    const struct dgm_parallel of_tokens[] = { { &search->tokens, sizeof *search->tokens },
                                              { &search->next_tokens, sizeof *search->next_tokens },
                                              { NULL, 0 } };

    DGM_TRY(dgm_reserve_parallel(env, of_rows, &search->row_capacity, rows));
    return dgm_reserve_parallel(env, of_tokens, &search->token_capacity, rows * stride);
}

/* ---- one batch ------------------------------------------------------------------------------ */

static int64_t sentence_end(const struct dgm_search *search, const struct dgm_beam *at,
                            int64_t first)
{
    int64_t last = first + 1;

    while (last < at->rows && search->rows[last].sentence == search->rows[first].sentence)
        last++;
    return last;
}

/* The log-probability of the end symbol costs a pass over all scores: the models are asked for it
 * only in steps in which some sentence needs it. */
static int any_at_limit(const struct dgm_search *search, const struct dgm_beam *at)
{
    for (int64_t r = 0; r < at->rows; r++)
        if (at->step >= dgm_beam_limit(search, at, search->rows[r].sentence))
            return 1;
    return 0;
}

static void swap_rows(struct dgm_search *search)
{
    struct dgm_beam_row *rows = search->rows;
    int32_t *tokens = search->tokens;

    search->rows = search->next_rows;
    search->next_rows = rows;
    search->tokens = search->next_tokens;
    search->next_tokens = tokens;
}

/* Row r of the next step has the past of row from[r] of this one, in every model's cache. */
static dgm_status select_rows(struct dgm_env *env, struct dgm_search *search, int64_t count)
{
    for (int m = 0; m < search->model_count; m++)
        DGM_TRY(dgm_incremental_select(env, &search->models[m], search->from, count));
    return DGM_OK;
}

static dgm_status fail_scores(struct dgm_env *env, const struct dgm_search *search,
                              const struct dgm_beam *at, int64_t row)
{
    const int32_t number = at->batch->numbers[search->rows[row].sentence];

    return dgm_lost_scores_fail(env, &search->options.lines, number, "its translation, token",
                                (long)at->step + 1);
}

/* The best of a row is as finite as what its scores were normalised by: a single NaN among the
 * scores is in their sum. */
static dgm_status check_scores(struct dgm_env *env, const struct dgm_search *search,
                               const struct dgm_beam *at)
{
    const int64_t k = dgm_candidates_width(search);

    for (int64_t r = 0; r < at->rows; r++)
        if (!isfinite((double)search->values[r * k]))
            return fail_scores(env, search, at, r);
    return DGM_OK;
}

/* Asks the rule about every sentence, in the order of the rows (beam.h): at->next becomes the
 * number of rows that live on. */
static dgm_status apply_rule(struct dgm_env *env, struct dgm_search *search, struct dgm_beam *at)
{
    at->next = 0;
    for (at->first = 0; at->first < at->rows; at->first = at->last) {
        at->last = sentence_end(search, at, at->first);
        at->first_next = at->next;
        DGM_TRY(search->options.rule->advance(env, search, at));
        if (at->next == at->first_next && at->results[search->rows[at->first].sentence].count == 0)
            return fail_scores(env, search, at, at->first);
    }
    return DGM_OK;
}

static dgm_status advance(struct dgm_env *env, struct dgm_search *search, struct dgm_beam *at)
{
    const struct dgm_beam_rule *rule = search->options.rule;

    DGM_TRY(dgm_poll(env));
    search->may_end = at->step >= search->options.least;
    DGM_TRY(
        dgm_candidates_find(env, search, at->rows, rule->forces_end && any_at_limit(search, at)));
    DGM_TRY(check_scores(env, search, at));
    DGM_TRY(apply_rule(env, search, at));
    DGM_TRY(select_rows(env, search, at->next));
    swap_rows(search);
    at->rows = at->next;
    at->step++;
    return DGM_OK;
}

/* With a shortlist: what the sentences of a batch may use, for every model. */
static dgm_status choose_words(struct dgm_env *env, struct dgm_search *search,
                               const struct dgm_batch *batch)
{
    if (search->options.shortlist == NULL)
        return DGM_OK;
    DGM_TRY(dgm_shortlist_choose(env, &search->choice, search->options.shortlist, &batch->source,
                                 dgm_narrow_output_group(search->device, search->options.beam),
                                 dgm_candidates_asked(search)));
    search->width = search->choice.width;
    for (int m = 0; m < search->model_count; m++)
        search->models[m].choice = &search->choice;
    return DGM_OK;
}

/* All hypotheses of a sentence have its first token; what the models would have in its place is not
 * read. It need not be on a shortlist. */
static dgm_status take_first(struct dgm_env *env, struct dgm_search *search, struct dgm_beam *at)
{
    const int32_t *firsts = at->batch->source.firsts;
    struct dgm_ref scores;

    for (int m = 0; m < search->model_count; m++)
        DGM_TRY(dgm_incremental_step(env, &search->models[m], search->last, &scores));
    for (int64_t r = 0; r < at->rows; r++) {
        assert(dgm_packed_has_first(&at->batch->source, (int32_t)r));
        search->tokens[(size_t)r * at->stride] = search->last[r] = firsts[r];
        search->from[r] = (int32_t)r;
    }
    at->step = 1;
    return select_rows(env, search, at->rows);
}

static dgm_status begin(struct dgm_env *env, struct dgm_search *search, struct dgm_beam *at)
{
    int64_t longest = 0, past = 0;

    at->most = dgm_search_longest(search);
    for (int32_t s = 0; s < at->batch->source.count; s++) {
        if (dgm_beam_limit(search, at, s) > longest)
            longest = dgm_beam_limit(search, at, s);
        past += search->options.beam * (dgm_beam_limit(search, at, s) + 1);
    }
    at->rows = at->batch->source.count;
    at->stride = (size_t)longest + 1;
    DGM_TRY(reserve(env, search, (size_t)at->rows * (size_t)search->options.beam, at->stride));
    for (int32_t s = 0; s < at->batch->source.count; s++) {
        search->rows[s].sentence = s;
        search->rows[s].logp = 0;
        search->last[s] = search->eos;
    }
    DGM_TRY(choose_words(env, search, at->batch));
    /* Tokens of all hypotheses at their limits, end symbols included: no cache needs more. */
    for (int m = 0; m < search->model_count; m++)
        search->models[m].most_past = past;
    for (int m = 0; m < search->model_count; m++)
        DGM_TRY(dgm_incremental_begin(env, &search->models[m], at->batch));
    return dgm_packed_has_first(&at->batch->source, 0) ? take_first(env, search, at) : DGM_OK;
}

dgm_status dgm_search_batch(struct dgm_env *env, struct dgm_search *search,
                            const struct dgm_batch *batch, struct dgm_result *results)
{
    struct dgm_beam at = { 0 };

    if (batch->source.count == 0)
        return DGM_OK;
    at.batch = batch;
    at.results = results;
    DGM_TRY(begin(env, search, &at));
    while (at.rows > 0)
        DGM_TRY(advance(env, search, &at));
    for (int32_t s = 0; s < batch->source.count; s++) {
        dgm_result_sort(&results[s]);
        results[s].is_done = 1;
    }
    return DGM_OK;
}
