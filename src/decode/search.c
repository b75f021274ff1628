/*
 * search.c: beam search over packed hypotheses.
 */
#include "decode/search.h"

#include <string.h>

#include "base/mem.h"

/* A live hypothesis; the rows of one sentence stand together, in order of their scores. */
struct dgm_beam_row {
    int32_t sentence;
    double logp;
};

/* A continuation of a live hypothesis. */
struct candidate {
    double logp;
    int32_t row, id;
};

dgm_status dgm_search_init(struct dgm_env *env, struct dgm_search *search,
                           const struct dgm_net *const *models, int model_count,
                           struct dgm_device *device, const struct dgm_search_options *options)
{
    int m;

    memset(search, 0, sizeof *search);
    if (options->beam < 1 || options->beam > DGM_MAX_BEAM)
        return dgm_fail(env, DGM_USAGE, "a beam of %d; expected 1..%d", options->beam,
                        (int)DGM_MAX_BEAM);
    search->options = *options;
    search->device = device;
    search->vocab = models[0]->vocab[DGM_DECODER];
    search->eos = models[0]->eos;
    for (m = 0; m < model_count; m++) {
        if (models[m]->vocab[DGM_DECODER] != search->vocab || models[m]->eos != search->eos)
            return dgm_fail(env, DGM_MODEL, "models of %lld and %lld target types; expected the "
                            "same vocabulary", (long long)search->vocab,
                            (long long)models[m]->vocab[DGM_DECODER]);
        DGM_TRY(dgm_incremental_init(env, &search->models[m], models[m], device));
        search->model_count++;
    }
    return DGM_OK;
}

void dgm_search_clear(struct dgm_env *env, struct dgm_search *search)
{
    int m;

    for (m = 0; m < search->model_count; m++)
        dgm_incremental_clear(env, &search->models[m]);
    if (search->device != NULL)
        dgm_device_release(env, search->device, search->top);
    dgm_release(env, search->values);
    dgm_release(env, search->ids);
    dgm_release(env, search->ends);
    dgm_release(env, search->rows);
    dgm_release(env, search->next_rows);
    dgm_release(env, search->tokens);
    dgm_release(env, search->next_tokens);
    dgm_release(env, search->from);
    dgm_release(env, search->last);
    memset(search, 0, sizeof *search);
}

/* ---- memory of a batch ---------------------------------------------------------------------- */

static dgm_status reserve(struct dgm_env *env, struct dgm_search *search, size_t rows,
                          size_t stride)
{
    size_t live = search->row_capacity, next = live, from = live, past = search->token_capacity;

    DGM_TRY(dgm_reserve(env, &search->rows, &live, rows, sizeof *search->rows));
    DGM_TRY(dgm_reserve(env, &search->next_rows, &next, rows, sizeof *search->next_rows));
    DGM_TRY(dgm_reserve(env, &search->from, &from, rows, sizeof *search->from));
    DGM_TRY(dgm_reserve(env, &search->last, &search->row_capacity, rows, sizeof *search->last));
    DGM_TRY(dgm_reserve(env, &search->tokens, &past, rows * stride, sizeof *search->tokens));
    return dgm_reserve(env, &search->next_tokens, &search->token_capacity, rows * stride,
                       sizeof *search->next_tokens);
}

/* ---- one batch ------------------------------------------------------------------------------ */

/* Where a batch stands. */
struct progress {
    const struct dgm_batch *batch;
    struct dgm_result *results;
    int64_t most;    /* tokens that the longest may have before its end symbol */
    int64_t rows;    /* live hypotheses */
    int64_t step;    /* tokens each of them has */
    size_t stride;   /* of search->tokens */
};

/* Tokens that sentence s may have before its end symbol. */
static int64_t limit_of(const struct dgm_search *search, const struct progress *at, int32_t s)
{
    const struct dgm_search_options *options = &search->options;
    double n = (double)dgm_packed_length(&at->batch->source, s);
    double limit = options->length_factor * n + (double)options->length_extra;

    if (!(limit < (double)at->most)) /* also where it is not a number */
        return at->most;
    return limit > 0 ? (int64_t)limit : 0;
}

/* Adds a finished hypothesis: the tokens of a row, then the end symbol. */
static dgm_status finish(struct dgm_env *env, struct dgm_search *search, struct progress *at,
                         int32_t s, const int32_t *tokens, double logp)
{
    struct dgm_result *result = &at->results[s];
    struct dgm_hypothesis *item;

    if (result->items == NULL) {
        result->items = dgm_alloc(env, (size_t)search->options.beam, sizeof *result->items);
        if (result->items == NULL)
            return DGM_MEMORY;
    }
    item = &result->items[result->count];
    item->length = (int32_t)at->step + 1;
    item->tokens = dgm_alloc(env, (size_t)item->length, sizeof *item->tokens);
    if (item->tokens == NULL)
        return DGM_MEMORY;
    memcpy(item->tokens, tokens, (size_t)at->step * sizeof *tokens);
    item->tokens[at->step] = search->eos;
    item->logp = logp;
    item->score = dgm_search_score(&search->options, logp, item->length);
    result->count++;
    return DGM_OK;
}

/* Best first: log-probability, then the row, then the token: a total order without NaN. */
static int comes_before(const struct candidate *a, const struct candidate *b)
{
    if (a->logp != b->logp)
        return a->logp > b->logp;
    if (a->row != b->row)
        return a->row < b->row;
    return a->id < b->id;
}

/* Inserts into the `most` best so far. */
static void keep_best(struct candidate *best, int *count, int most, struct candidate candidate)
{
    int i = *count;

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

/* The 2b best continuations of rows first..last-1, which belong to one sentence. */
static int gather(const struct dgm_search *search, int64_t first, int64_t last,
                  struct candidate *best)
{
    int width = 2 * search->options.beam, count = 0, j;
    int k = width < search->vocab ? width : (int)search->vocab;
    int64_t r;

    for (r = first; r < last; r++)
        for (j = 0; j < k; j++) {
            struct candidate candidate;
            candidate.id = search->ids[r * k + j];
            candidate.row = (int32_t)r;
            candidate.logp = search->rows[r].logp + (double)search->values[r * k + j];
            if (candidate.id >= 0 && candidate.logp - candidate.logp == 0)
                keep_best(best, &count, width, candidate);
        }
    return count;
}

/* Row r of the next step continues `candidate`. */
static void continue_row(struct dgm_search *search, struct progress *at, int64_t r,
                         const struct candidate *candidate, int32_t s)
{
    const int32_t *old = search->tokens + (size_t)candidate->row * at->stride;
    int32_t *new = search->next_tokens + (size_t)r * at->stride;

    memcpy(new, old, (size_t)at->step * sizeof *old);
    new[at->step] = candidate->id;
    search->next_rows[r].sentence = s;
    search->next_rows[r].logp = candidate->logp;
    search->from[r] = candidate->row;
    search->last[r] = candidate->id;
}

/* Decides about one sentence's rows; *next_count rows live on in all. */
static dgm_status advance_sentence(struct dgm_env *env, struct dgm_search *search,
                                   struct progress *at, int64_t first, int64_t last,
                                   int64_t *next_count)
{
    int32_t s = search->rows[first].sentence;
    struct candidate best[2 * DGM_MAX_BEAM];
    int count = gather(search, first, last, best), i, live = 0;
    int64_t start = *next_count;

    for (i = 0; i < count; i++) {
        if (best[i].id == search->eos) {
            if (i < search->options.beam && at->results[s].count < search->options.beam)
                DGM_TRY(finish(env, search, at, s,
                               search->tokens + (size_t)best[i].row * at->stride, best[i].logp));
        } else if (live < search->options.beam) {
            continue_row(search, at, start + live, &best[i], s);
            live++;
        }
    }
    if (at->results[s].count < search->options.beam)
        *next_count = start + live;
    return DGM_OK;
}

/* The rows of sentences at their limit end with the end symbol's own log-probability. */
static dgm_status end_sentence(struct dgm_env *env, struct dgm_search *search,
                               struct progress *at, int64_t first, int64_t last)
{
    int32_t s = search->rows[first].sentence;
    struct candidate best[2 * DGM_MAX_BEAM];
    int count = 0, i;
    int64_t r;

    for (r = first; r < last; r++) {
        struct candidate candidate;
        candidate.row = (int32_t)r;
        candidate.id = search->eos;
        candidate.logp = search->rows[r].logp + (double)search->ends[r];
        if (candidate.logp - candidate.logp == 0)
            keep_best(best, &count, search->options.beam, candidate);
    }
    for (i = 0; i < count && at->results[s].count < search->options.beam; i++)
        DGM_TRY(finish(env, search, at, s, search->tokens + (size_t)best[i].row * at->stride,
                       best[i].logp));
    return DGM_OK;
}

static int64_t sentence_end(const struct dgm_search *search, const struct progress *at,
                            int64_t first)
{
    int64_t last = first + 1;

    while (last < at->rows && search->rows[last].sentence == search->rows[first].sentence)
        last++;
    return last;
}

static int any_at_limit(const struct dgm_search *search, const struct progress *at)
{
    int64_t r;

    for (r = 0; r < at->rows; r++)
        if (at->step >= limit_of(search, at, search->rows[r].sentence))
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

static dgm_status select_rows(struct dgm_env *env, struct dgm_search *search, int64_t count)
{
    int m;

    for (m = 0; m < search->model_count; m++)
        DGM_TRY(dgm_incremental_select(env, &search->models[m], search->from, count));
    return DGM_OK;
}

static dgm_status advance(struct dgm_env *env, struct dgm_search *search, struct progress *at)
{
    int64_t first, last, next = 0;

    DGM_TRY(dgm_search_expand(env, search, at->rows, at->step < search->options.min_length,
                              any_at_limit(search, at)));
    for (first = 0; first < at->rows; first = last) {
        last = sentence_end(search, at, first);
        if (at->step >= limit_of(search, at, search->rows[first].sentence))
            DGM_TRY(end_sentence(env, search, at, first, last));
        else
            DGM_TRY(advance_sentence(env, search, at, first, last, &next));
    }
    DGM_TRY(select_rows(env, search, next));
    swap_rows(search);
    at->rows = next;
    at->step++;
    return DGM_OK;
}

static dgm_status begin(struct dgm_env *env, struct dgm_search *search, struct progress *at)
{
    int64_t longest = 0;
    int32_t s;
    int m;

    at->most = search->options.max_length;
    for (m = 0; m < search->model_count; m++)
        if (search->models[m].model->config.max_length < at->most)
            at->most = search->models[m].model->config.max_length;
    for (s = 0; s < at->batch->source.count; s++)
        if (limit_of(search, at, s) > longest)
            longest = limit_of(search, at, s);
    at->rows = at->batch->source.count;
    at->stride = (size_t)longest + 1;
    DGM_TRY(reserve(env, search, (size_t)at->rows * (size_t)search->options.beam, at->stride));
    for (s = 0; s < at->batch->source.count; s++) {
        search->rows[s].sentence = s;
        search->rows[s].logp = 0;
        search->last[s] = search->eos;
    }
    for (m = 0; m < search->model_count; m++)
        DGM_TRY(dgm_incremental_begin(env, &search->models[m], at->batch));
    return DGM_OK;
}

dgm_status dgm_search_batch(struct dgm_env *env, struct dgm_search *search,
                            const struct dgm_batch *batch, struct dgm_result *results)
{
    struct progress at;
    int32_t s;

    if (batch->source.count == 0)
        return DGM_OK;
    memset(&at, 0, sizeof at);
    at.batch = batch;
    at.results = results;
    DGM_TRY(begin(env, search, &at));
    while (at.rows > 0)
        DGM_TRY(advance(env, search, &at));
    for (s = 0; s < batch->source.count; s++)
        dgm_result_sort(&results[s]);
    return DGM_OK;
}
