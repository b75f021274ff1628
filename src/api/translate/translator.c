/*
 * translator.c: translating lines behind the public interface.
 */
#include <limits.h>
#include <string.h>

#include "api/context.h"
#include "api/program.h"
#include "api/translate/casing.h"
#include "api/translate/shared.h"
#include "api/translate/shown_attention.h"
#include "api/translate/shown_links.h"
#include "api/translate/wording.h"
#include "base/mem.h"
#include "data/shortlist/shortlist_file.h"
#include "decode/search/beam.h"
#include "decode/translate.h"

struct dgm_translator {
    dgm_context *context;
    struct dgm_device *device;
    struct dgm_ensemble ensemble;
    struct dgm_shared_use shared;
    struct dgm_shortlist shortlist;
    struct dgm_workers workers;
    struct dgm_search_options options;
    int n_best, keep_tokens, allow_empty;
    int64_t batch_tokens;
    struct dgm_source_queue queue;
    int ran;                    /* results below belong to the queue */
    struct dgm_result *results; /* (queue.packed.count) */
    size_t result_count;
    size_t done; /* lines from the first on whose results can be had */
    struct dgm_casing casing;
    struct dgm_wording wording;
    long copied; /* lines whose source stands for a translation that has no words */
    struct dgm_shown_attention attention; /* where it is wanted */
    struct dgm_shown_links links;         /* the same */
    dgm_progress_fn progress;             /* may be NULL */
    void *progress_user;
};

/* ---- making and freeing ------------------------------------------------------------------- */

static dgm_status check_options(struct dgm_env *env, const dgm_translator_options *chosen)
{
    DGM_TRY(dgm_range_int(env, "dgm_translator_options.beam", chosen->beam, 0, DGM_MAX_BEAM));
    DGM_TRY(dgm_range_int(env, "dgm_translator_options.n_best", chosen->n_best, 0, DGM_MAX_BEAM));
    DGM_TRY(dgm_range_int(env, "dgm_translator_options.batch_tokens", chosen->batch_tokens, 0,
                          INT_MAX));
    DGM_TRY(
        dgm_range_real(env, "dgm_translator_options.length_factor", chosen->length_factor, 0, 100));
    if (!chosen->has_alpha)
        return DGM_OK;
    return dgm_range_real(env, "dgm_translator_options.alpha", chosen->alpha, 0, 10);
}

static dgm_status read_options(struct dgm_env *env, struct dgm_translator *translator,
                               const dgm_translator_options *chosen)
{
    struct dgm_search_options *options = &translator->options;

    DGM_TRY(check_options(env, chosen));
    *options = dgm_search_defaults();
    if (chosen->beam > 0)
        options->beam = chosen->beam;
    if (chosen->has_alpha)
        options->alpha = chosen->alpha;
    if (chosen->length_factor > 0)
        options->length_factor = chosen->length_factor;
    if (chosen->penalty != NULL)
        DGM_TRY(dgm_penalty_read(env, chosen->penalty, &options->penalty));
    if (chosen->beam_rule != NULL)
        DGM_TRY(dgm_beam_rule_read(env, chosen->beam_rule, &options->rule));
    translator->n_best = chosen->n_best > 0 ? chosen->n_best : 1;
    translator->batch_tokens =
        chosen->batch_tokens > 0 ? chosen->batch_tokens : DGM_SEARCH_BATCH_TOKENS;
    translator->keep_tokens = chosen->keep_tokens;
    translator->allow_empty = chosen->allow_empty;
    translator->progress = chosen->progress;
    translator->progress_user = chosen->progress_user;
    return dgm_range_int(env, "dgm_translator_options.n_best", translator->n_best, 0,
                         options->beam);
}

/* For the search, which knows numbers alone, not whose they are. */
static dgm_status open_shortlist(struct dgm_env *env, struct dgm_translator *translator,
                                 const char *path)
{
    const struct dgm_pipeline *pipeline = &translator->ensemble.models[0].pipeline;

    if (path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_shortlist_load(env, &translator->shortlist, path));
    translator->options.shortlist = &translator->shortlist;
    return dgm_shortlist_check(env, &translator->shortlist, path,
                               dgm_pipeline_vocab(pipeline, DGM_SOURCE),
                               dgm_pipeline_vocab(pipeline, DGM_TARGET));
}

/* What a search and its hypotheses are told of the models and of the lines. */
static void open_texts(struct dgm_translator *translator)
{
    struct dgm_pipeline *pipeline = &translator->ensemble.models[0].pipeline;

    translator->options.lines = dgm_source_queue_lines(&translator->queue);
    translator->options.least = translator->allow_empty ? 0 : 1 + pipeline->has_target_tags;
    translator->wording.pipeline = pipeline;
    translator->wording.keep_tokens = translator->keep_tokens;
}

static dgm_status open_all(struct dgm_translator *translator, const dgm_translator_options *chosen)
{
    struct dgm_env *env = &translator->context->env;
    struct dgm_ensemble *ensemble = &translator->ensemble;
    const struct dgm_model_choice models = {
        "dgm_translator_options", chosen->models,       chosen->model_count,
        chosen->shared,           chosen->shared_count, chosen->compute_type,
    };
    enum dgm_compute_type type;
    const struct dgm_source_trees trees = { chosen->trees, chosen->no_trees, chosen->no_parse };

    DGM_TRY(read_options(env, translator, chosen));
    DGM_TRY(dgm_model_choice_check(env, &models, &type));
    DGM_TRY(dgm_context_open_device(translator->context, &translator->device));
    DGM_TRY(dgm_model_choice_open(env, ensemble, &translator->shared, &models, translator->device,
                                  type));
    DGM_TRY(open_shortlist(env, translator, chosen->shortlist));
    open_texts(translator);
    DGM_TRY(dgm_workers_init(env, &translator->workers, ensemble->nets, ensemble->count,
                             translator->device, &translator->options));
    DGM_TRY(
        dgm_source_queue_open(env, &translator->queue, ensemble, translator->device, type, &trees));
    DGM_TRY(dgm_source_queue_set_tags(env, &translator->queue, chosen->tag, chosen->target_tag,
                                      !chosen->no_line_tags));
    DGM_TRY(dgm_casing_open(env, &translator->casing, chosen->letter_case,
                            translator->wording.pipeline, translator->queue.reads_tags));
    if (chosen->attention || chosen->alignment)
        translator->queue.keeps_words = 1;
    translator->queue.keeps_raw = !chosen->allow_empty;
    if (chosen->alignment)
        DGM_TRY(dgm_shown_links_open(env, &translator->links, ensemble, translator->device));
    if (!chosen->attention)
        return DGM_OK;
    return dgm_shown_attention_open(env, &translator->attention, ensemble, translator->device,
                                    chosen->attention_kinds, chosen->attention_layers,
                                    chosen->attention_heads);
}

dgm_status dgm_translator_new(dgm_context *context, const dgm_translator_options *options,
                              dgm_translator **translator)
{
    dgm_translator_options chosen;
    struct dgm_translator *made;
    dgm_status status;

    DGM_ENTER_NEW(context, translator);
    DGM_TRY(
        dgm_options_take(&context->env, &chosen, sizeof chosen, options, "dgm_translator_options"));
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    status = open_all(made, &chosen);
    if (status == DGM_OK)
        *translator = made;
    else
        dgm_translator_free(made);
    return status;
}

/* Releases the results of the last run. */
static void forget_results(struct dgm_env *env, struct dgm_translator *translator)
{
    for (size_t i = 0; i < translator->result_count; i++)
        dgm_result_clear(env, &translator->results[i]);
    dgm_release(env, translator->results);
    translator->results = NULL;
    translator->result_count = 0;
}

void dgm_translator_free(dgm_translator *translator)
{
    struct dgm_env *env;

    if (DGM_IS_HELD(translator))
        return;
    env = &translator->context->env;
    forget_results(env, translator);
    dgm_shown_attention_clear(env, &translator->attention);
    dgm_shown_links_clear(env, &translator->links);
    dgm_source_queue_clear(env, &translator->queue);
    dgm_wording_clear(env, &translator->wording);
    dgm_casing_clear(env, &translator->casing);
    dgm_workers_clear(env, &translator->workers);
    dgm_shortlist_clear(env, &translator->shortlist);
    dgm_ensemble_clear(env, &translator->ensemble);
    dgm_shared_leave(&translator->shared);
    if (translator->device != NULL)
        dgm_device_close(env, translator->device);
    dgm_release(env, translator);
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Forgets queue and results after a run: the next line begins a new queue. */
static void begin_queue(struct dgm_env *env, struct dgm_translator *translator)
{
    if (!translator->ran)
        return;
    forget_results(env, translator);
    dgm_source_queue_reset(&translator->queue);
    translator->ran = 0;
    translator->done = 0;
}

dgm_status dgm_translator_add(dgm_translator *translator, const char *line, size_t bytes)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_line_check(env, &line, bytes));
    begin_queue(env, translator);
    DGM_TRY(dgm_casing_take(env, &translator->casing, translator->queue.count, &line, &bytes));
    return dgm_source_queue_add(env, &translator->queue, line, bytes);
}

dgm_status dgm_translator_pass(dgm_translator *translator, long lines)
{
    DGM_ENTER_HANDLE(translator);
    return dgm_source_queue_pass(&translator->context->env, &translator->queue, lines);
}

void dgm_translator_take_tally(dgm_translator *translator, struct dgm_translator_tally *tally)
{
    struct dgm_source_queue *queue = &translator->queue;
    struct dgm_feature_counts *counts = &queue->trees.line_tree.counts;
    int kind;

    memset(tally, 0, sizeof *tally);
    tally->lines = queue->added;
    tally->missing = queue->missing;
    tally->copied = translator->copied;
    tally->odd_tags = queue->odd_tags;
    tally->found[0] = queue->unknown.words;
    tally->found[1] = queue->unknown.unknown;
    tally->words = counts->words;
    for (kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        tally->lacking[kind] = counts->missing[kind];
        tally->unknown[kind] = counts->unknown[kind];
    }
    queue->added = queue->missing = queue->odd_tags = translator->copied = 0;
    memset(&queue->unknown, 0, sizeof queue->unknown);
    memset(counts, 0, sizeof *counts);
}

void dgm_translator_add_tally(dgm_translator *translator, const struct dgm_translator_tally *tally)
{
    struct dgm_source_queue *queue = &translator->queue;
    struct dgm_feature_counts *counts = &queue->trees.line_tree.counts;
    int kind;

    queue->added += (long)tally->lines;
    queue->missing += (long)tally->missing;
    queue->odd_tags += (long)tally->odd_tags;
    translator->copied += (long)tally->copied;
    queue->unknown.words += tally->found[0];
    queue->unknown.unknown += tally->found[1];
    counts->words += (long)tally->words;
    for (kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        counts->missing[kind] += (long)tally->lacking[kind];
        counts->unknown[kind] += (long)tally->unknown[kind];
    }
}

/* Blank lines count as done from the first. */
static void tell_progress(void *user, int32_t done)
{
    struct dgm_translator *translator = user;
    size_t lines = translator->queue.count;
    size_t blank = lines - (size_t)translator->queue.packed.count;

    dgm_callback_begin(&translator->context->env);
    translator->progress(translator->progress_user, (int64_t)blank + done, (int64_t)lines, "");
    dgm_callback_end(&translator->context->env);
}

/* Lines from the first on whose search came to its end. */
static size_t count_done(const struct dgm_translator *translator)
{
    const struct dgm_source_queue *queue = &translator->queue;
    size_t i;

    for (i = 0; i < queue->count; i++)
        if (queue->lines[i].sentence >= 0 && !translator->results[queue->lines[i].sentence].is_done)
            break;
    return i;
}

/* Hypotheses without words go; where a line has none left, its source stands for them. */
static dgm_status keep_worded(struct dgm_env *env, struct dgm_translator *translator)
{
    struct dgm_result *results = translator->results;

    for (size_t s = 0; s < translator->result_count && !translator->allow_empty; s++) {
        if (!results[s].is_done)
            continue;
        translator->wording.tags = dgm_packed_has_first(&translator->queue.packed, (int32_t)s);
        DGM_TRY(dgm_wording_keep(env, &translator->wording, &results[s], translator->n_best));
        translator->copied += dgm_wording_is_copy(&results[s].items[0]);
    }
    return DGM_OK;
}

static dgm_status translate_queue(struct dgm_env *env, struct dgm_translator *translator)
{
    struct dgm_translate_watch watch;

    watch.tell = tell_progress;
    watch.user = translator;
    DGM_TRY(dgm_source_queue_parse(env, &translator->queue));
    return dgm_translate_all(env, &translator->workers, &translator->queue.packed,
                             translator->batch_tokens, translator->results,
                             translator->progress != NULL ? &watch : NULL);
}

dgm_status dgm_translator_run(dgm_translator *translator, size_t *lines)
{
    struct dgm_env *env;
    dgm_status status;
    size_t count;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_argument_check(env, lines, "lines"));
    *lines = 0;
    begin_queue(env, translator);
    translator->ran = 1;
    count = (size_t)translator->queue.packed.count;
    DGM_TRY(dgm_new(env, &translator->results, count, sizeof *translator->results));
    translator->result_count = count;
    status = translate_queue(env, translator);
    if (status == DGM_OK || status == DGM_INTERRUPTED) {
        translator->done = count_done(translator);
        DGM_TRY(keep_worded(env, translator));
    }
    *lines = translator->done;
    return status;
}

dgm_status dgm_translator_finish(dgm_translator *translator, size_t *refused)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    if (translator->copied > 0)
        dgm_log(env, DGM_LOG_WARNING,
                "the model finds no words for %ld of %ld lines: their translation is a copy",
                translator->copied, translator->queue.added);
    return dgm_source_queue_finish(env, &translator->queue, refused);
}

dgm_status dgm_translator_unknown(dgm_translator *translator, size_t line, int64_t *words,
                                  int64_t *unknown)
{
    struct dgm_env *env;
    const struct dgm_source_queue *queue;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    queue = &translator->queue;
    if (line >= queue->count)
        return dgm_fail(env, DGM_USAGE, "words of line %zu; expected a line below %zu", line,
                        queue->count);
    if (words != NULL)
        *words = queue->lines[line].unknown.words;
    if (unknown != NULL)
        *unknown = queue->lines[line].unknown.unknown;
    return DGM_OK;
}

/* ---- results ------------------------------------------------------------------------------ */

/* The hypotheses of a line, best first; none of a blank one. DGM_USAGE unless it was run. */
static dgm_status find_result(struct dgm_translator *translator, size_t line,
                              struct dgm_result *found)
{
    int32_t s;

    memset(found, 0, sizeof *found);
    if (!translator->ran || line >= translator->done)
        return dgm_fail(&translator->context->env, DGM_USAGE,
                        "result of line %zu; expected a run, and a line below %zu", line,
                        translator->done);
    s = translator->queue.lines[line].sentence;
    if (s >= 0 && (size_t)s < translator->result_count)
        *found = translator->results[s];
    if (found->count > translator->n_best)
        found->count = translator->n_best;
    return DGM_OK;
}

dgm_status dgm_translator_count(dgm_translator *translator, size_t line, size_t *count)
{
    struct dgm_result found;

    DGM_ENTER_HANDLE(translator);
    DGM_TRY(dgm_argument_check(&translator->context->env, count, "count"));
    DGM_TRY(find_result(translator, line, &found));
    *count = (size_t)found.count;
    return DGM_OK;
}

static dgm_status copy_source(struct dgm_env *env, struct dgm_translator *translator, size_t line)
{
    const struct dgm_source_queue *queue = &translator->queue;
    const struct dgm_queued *queued = &queue->lines[line];

    return dgm_wording_copy(env, &translator->wording, queue->raw.data + queued->raw,
                            queued->raw_bytes);
}

dgm_status dgm_translator_result(dgm_translator *translator, size_t line, size_t rank,
                                 const char **text, size_t *bytes, double *score, double *logp)
{
    struct dgm_env *env;
    const struct dgm_hypothesis *item;
    struct dgm_wording *wording;
    struct dgm_result found;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(find_result(translator, line, &found));
    if (rank >= (size_t)found.count)
        return dgm_fail(env, DGM_USAGE, "result %zu of line %zu; there are %d", rank, line,
                        (int)found.count);
    item = &found.items[rank];
    wording = &translator->wording;
    wording->tags =
        dgm_packed_has_first(&translator->queue.packed, translator->queue.lines[line].sentence);
    if (dgm_wording_is_copy(item))
        DGM_TRY(copy_source(env, translator, line));
    else
        DGM_TRY(dgm_wording_write(env, wording, item));
    DGM_TRY(dgm_casing_put_back(env, &translator->casing, line, &wording->text));
    if (text != NULL)
        *text = wording->text.data;
    if (bytes != NULL)
        *bytes = wording->text.size;
    if (score != NULL)
        *score = item->score;
    if (logp != NULL)
        *logp = item->logp;
    return DGM_OK;
}

/* The best hypothesis of a line, which has no tokens if there is none; DGM_USAGE unless the options
 * ask for `what`, which is to be told of it. */
static dgm_status find_best(struct dgm_translator *translator, size_t line, const char *what,
                            int is_open, struct dgm_hypothesis *best)
{
    struct dgm_result found;

    memset(best, 0, sizeof *best);
    DGM_TRY(find_result(translator, line, &found));
    if (!is_open)
        return dgm_fail(&translator->context->env, DGM_USAGE,
                        "%s of a line; expected a translator whose options ask for it", what);
    if (found.count > 0)
        *best = found.items[0];
    return DGM_OK;
}

static void lend(const struct dgm_buf *text, const char **out, size_t *bytes)
{
    *out = text->data;
    if (bytes != NULL)
        *bytes = text->size;
}

dgm_status dgm_translator_attention(dgm_translator *translator, size_t line, const char **json,
                                    size_t *bytes)
{
    struct dgm_env *env;
    struct dgm_hypothesis best;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_argument_check(env, json, "json"));
    DGM_TRY(
        find_best(translator, line, "attention", translator->attention.pipeline != NULL, &best));
    DGM_TRY(dgm_shown_attention_write(env, &translator->attention, &translator->queue, line,
                                      best.tokens, best.length));
    lend(&translator->attention.json, json, bytes);
    return DGM_OK;
}

dgm_status dgm_translator_alignment(dgm_translator *translator, size_t line, const char **links,
                                    size_t *bytes)
{
    struct dgm_env *env;
    struct dgm_hypothesis best;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_argument_check(env, links, "links"));
    DGM_TRY(find_best(translator, line, "alignment", translator->links.pipeline != NULL, &best));
    DGM_TRY(dgm_shown_links_write(env, &translator->links, &translator->queue, line, best.tokens,
                                  best.length));
    lend(&translator->links.text, links, bytes);
    return DGM_OK;
}
