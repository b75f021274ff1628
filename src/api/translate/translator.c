/*
 * translator.c: translating lines behind the public interface.
 */
#include <limits.h>
#include <string.h>

#include "api/context.h"
#include "api/program.h"
#include "api/translate/casing.h"
#include "api/translate/kept.h"
#include "api/translate/line_language.h"
#include "api/translate/parts.h"
#include "api/translate/pivot.h"
#include "api/translate/running.h"
#include "api/translate/shared.h"
#include "api/translate/shown_attention.h"
#include "api/translate/shown_links.h"
#include "api/translate/translated_document.h"
#include "api/translate/wording.h"
#include "base/mem.h"
#include "data/shortlist/shortlist_file.h"
#include "decode/copying.h"
#include "decode/search/beam.h"
#include "decode/repeats.h"
#include "model/guided.h"

struct dgm_translator {
    dgm_context *context;
    struct dgm_device *device;
    struct dgm_ensemble ensemble;
    struct dgm_shared_use shared;
    struct dgm_shortlist shortlist;
    struct dgm_workers workers;
    struct dgm_repeats repeats;
    struct dgm_search_options options;
    int keep_tokens, allow_empty;
    int64_t batch_tokens;
    struct dgm_source_queue queue;
    int ran;                    /* results below belong to the queue */
    struct dgm_result *results; /* (queue.packed.count) */
    size_t result_count;
    size_t done; /* lines from the first on whose results can be had */
    struct dgm_running running;
    struct dgm_casing casing;
    struct dgm_wording wording;
    struct dgm_parts parts;
    long copied; /* lines whose source stands for a translation that has no words */
    struct dgm_shown_attention attention; /* where it is wanted */
    struct dgm_shown_links shown_links;   /* the same */
    struct dgm_shown_part *shown;         /* of the line whose attention was asked for last */
    size_t shown_capacity;
    int shows_links;
    struct dgm_word_links links; /* for these, for copying, and for what is kept */
    struct dgm_copying copying;
    struct dgm_kept kept;
    struct dgm_line_language language; /* of each line, where it is asked for */
    dgm_progress_fn progress;          /* may be NULL */
    void *progress_user;
    struct dgm_pivot *pivot; /* what translates the translations further, or NULL */
};

/* ---- making and freeing ------------------------------------------------------------------- */

static dgm_status check_options(struct dgm_env *env, const dgm_translator_options *chosen)
{
    DGM_TRY(dgm_range_int(env, "dgm_translator_options.beam", chosen->beam, 0, DGM_MAX_BEAM));
    DGM_TRY(dgm_range_int(env, "dgm_translator_options.n_best", chosen->n_best, 0,
                          chosen->beam > 0 ? chosen->beam : DGM_MAX_BEAM));
    DGM_TRY(dgm_range_int(env, "dgm_translator_options.batch_tokens", chosen->batch_tokens, 0,
                          INT_MAX));
    DGM_TRY(
        dgm_range_real(env, "dgm_translator_options.length_factor", chosen->length_factor, 0, 100));
    if (chosen->replace_unk && chosen->no_replace_unk)
        return dgm_fail(env, DGM_USAGE,
                        "dgm_translator_options: replace_unk and no_replace_unk; expected one of "
                        "them, or none");
    if (chosen->allow_unk && chosen->no_allow_unk)
        return dgm_fail(env, DGM_USAGE,
                        "dgm_translator_options: allow_unk and no_allow_unk; expected one of them, "
                        "or none");
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
    translator->parts.most = chosen->n_best > 0 ? chosen->n_best : 1;
    translator->parts.queue = &translator->queue;
    translator->parts.wording = &translator->wording;
    translator->batch_tokens =
        chosen->batch_tokens > 0 ? chosen->batch_tokens : DGM_SEARCH_BATCH_TOKENS;
    translator->keep_tokens = chosen->keep_tokens;
    translator->allow_empty = chosen->allow_empty;
    translator->repeats.is_off = chosen->no_cache;
    translator->progress = chosen->progress;
    translator->progress_user = chosen->progress_user;
    return DGM_OK;
}

/* What nobody asked for is as it was where the model comes from. */
static dgm_status take_habits(struct dgm_env *env, struct dgm_translator *translator,
                              const dgm_translator_options *chosen)
{
    const struct dgm_settings *habits = &translator->ensemble.models[0].habits;
    struct dgm_search_options *options = &translator->options;

    if (habits->count > 0) {
        if (chosen->beam == 0 && dgm_settings_is_set(habits, "beam-size"))
            options->beam = (int)dgm_settings_int(habits, "beam-size");
        if (!chosen->has_alpha && dgm_settings_is_set(habits, "normalize"))
            options->alpha = dgm_settings_real(habits, "normalize");
        if (chosen->length_factor == 0 && dgm_settings_is_set(habits, "max-length-factor")) {
            options->length_factor = dgm_settings_real(habits, "max-length-factor");
            options->length_extra = dgm_settings_int(habits, "max-length-extra");
        }
        if (chosen->penalty == NULL && dgm_settings_is_set(habits, "penalty"))
            DGM_TRY(dgm_penalty_read(env, dgm_settings_text(habits, "penalty"), &options->penalty));
        if (chosen->beam_rule == NULL && dgm_settings_is_set(habits, "beam-rule"))
            DGM_TRY(
                dgm_beam_rule_read(env, dgm_settings_text(habits, "beam-rule"), &options->rule));
    }
    if (translator->parts.most <= options->beam)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE, "n-best %d with a beam of %d; expected at most that",
                    translator->parts.most, options->beam);
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

/* The first model that has learned links, or the first. */
static int find_linked(const struct dgm_ensemble *ensemble)
{
    for (int i = 0; i < ensemble->count; i++)
        if (ensemble->models[i].has_links)
            return i;
    return 0;
}

static int replaces_unknown(const struct dgm_translator *translator,
                            const dgm_translator_options *chosen)
{
    const struct dgm_ensemble *ensemble = &translator->ensemble;

    return chosen->replace_unk ||
           (!chosen->no_replace_unk && ensemble->models[find_linked(ensemble)].has_links);
}

/* What a search and its hypotheses are told of the models and of the lines. */
static void open_texts(struct dgm_translator *translator, const dgm_translator_options *chosen)
{
    struct dgm_pipeline *pipeline = &translator->ensemble.models[0].pipeline;

    translator->options.lines = dgm_source_queue_lines(&translator->queue);
    translator->options.bars_unknown =
        chosen->no_allow_unk ||
        (!chosen->allow_unk && pipeline->has_spm && !replaces_unknown(translator, chosen));
    translator->options.least = translator->allow_empty ? 0 : 1 + pipeline->has_target_tags;
    translator->wording.pipeline = pipeline;
    translator->wording.keep_tokens = translator->keep_tokens;
}

static dgm_status open_split(struct dgm_env *env, struct dgm_translator *translator,
                             const dgm_translator_options *chosen)
{
    static const char *const words[] = { "auto", "sentence", "none" };
    static const enum dgm_line_split splits[] = { DGM_LINES_AUTO, DGM_LINES_SENTENCES,
                                                  DGM_LINES_WHOLE };
    struct dgm_source_queue *queue = &translator->queue;
    int split;

    DGM_TRY(dgm_options_choose(env, &split, "split", chosen->split, words, 3));
    queue->split = splits[split];
    queue->crops = chosen->crop;
    dgm_sentence_walk_begin(&queue->walk, translator->ensemble.models[0].pipeline.language[0], "",
                            0);
    return DGM_OK;
}

/* Text that is cut into words already has lost what its addresses were. */
static const char *which_kept(const struct dgm_translator *translator,
                              const dgm_translator_options *chosen, int shows)
{
    const struct dgm_pipeline *pipeline = translator->wording.pipeline;
    const int is_running = pipeline->moses || pipeline->has_spm || pipeline->has_slots ||
                           translator->running.pipeline != NULL;

    if (chosen->protect != NULL)
        return chosen->protect;
    return shows || !is_running ? "none" : "auto";
}

/* Of what is shown of words, the places are those of the whole line. */
static dgm_status open_kept(struct dgm_env *env, struct dgm_translator *translator,
                            const dgm_translator_options *chosen)
{
    const int shows = chosen->attention || chosen->alignment || chosen->trees != NULL;
    struct dgm_kept *kept = &translator->kept;
    const char *which;

    kept->pipeline = &translator->ensemble.models[0].pipeline;
    kept->has_slots = kept->pipeline->has_slots;
    kept->reads_tags = translator->queue.reads_tags;
    kept->of_cut_lines = translator->running.pipeline != NULL && chosen->protect == NULL;
    which = which_kept(translator, chosen, shows);
    kept->leaves_numbers = strcmp(which, "auto") == 0;
    DGM_TRY(
        dgm_span_kinds_read(env, "protect", kept->leaves_numbers ? "all" : which, &kept->kinds));
    kept->keeps_lines = chosen->langid != NULL;
    if (shows && (kept->kinds != 0 || kept->keeps_lines))
        return dgm_fail(env, DGM_USAGE,
                        "%s \"%s\" with trees, attention or alignment, whose words are those of "
                        "the whole line; expected one of them",
                        kept->keeps_lines ? "langid" : "protect",
                        kept->keeps_lines ? chosen->langid : which);
    return DGM_OK;
}

/* Links are shown of one model; unknown marks are replaced by those of any. */
static dgm_status open_links(struct dgm_env *env, struct dgm_translator *translator,
                             const dgm_translator_options *chosen)
{
    const struct dgm_ensemble *ensemble = &translator->ensemble;
    const int which = find_linked(ensemble);

    translator->shows_links = chosen->alignment;
    translator->copying.links = &translator->links;
    translator->copying.queue = &translator->queue;
    if (replaces_unknown(translator, chosen))
        translator->parts.copying = &translator->copying;
    if (chosen->alignment && ensemble->count > 1)
        return dgm_fail(env, DGM_USAGE, "alignment of %d models; expected one", ensemble->count);
    DGM_TRY(open_kept(env, translator, chosen));
    if (!translator->shows_links && translator->parts.copying == NULL &&
        (translator->kept.kinds == 0 || !dgm_guided_can(ensemble->nets[which])))
        return DGM_OK;
    translator->kept.links = &translator->links;
    translator->queue.keeps_words = 1;
    translator->queue.keeps_raw |= translator->parts.copying != NULL;
    return dgm_word_links_open(env, &translator->links, ensemble, which, translator->device,
                               translator->shows_links || translator->parts.copying != NULL);
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
    DGM_TRY(take_habits(env, translator, chosen));
    DGM_TRY(open_shortlist(env, translator, chosen->shortlist));
    open_texts(translator, chosen);
    DGM_TRY(dgm_running_open(env, &translator->running, chosen->lines, translator->wording.pipeline,
                             chosen->trees != NULL, translator->keep_tokens));
    DGM_TRY(dgm_workers_init(env, &translator->workers, ensemble->nets, ensemble->count,
                             translator->device, &translator->options));
    DGM_TRY(
        dgm_source_queue_open(env, &translator->queue, ensemble, translator->device, type, &trees));
    DGM_TRY(dgm_source_queue_set_tags(env, &translator->queue, chosen->tag, chosen->target_tag,
                                      !chosen->no_line_tags));
    DGM_TRY(dgm_casing_open(env, &translator->casing, chosen->letter_case,
                            translator->wording.pipeline, translator->queue.reads_tags));
    DGM_TRY(open_split(env, translator, chosen));
    DGM_TRY(dgm_line_language_open(env, &translator->language, chosen->langid,
                                   translator->wording.pipeline, chosen->target_tag));
    translator->queue.keeps_raw = !chosen->allow_empty;
    DGM_TRY(open_links(env, translator, chosen));
    if (!chosen->attention)
        return DGM_OK;
    translator->queue.keeps_words = 1;
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
    DGM_TRY(dgm_pivot_check(&context->env, &chosen));
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    status = open_all(made, &chosen);
    if (status == DGM_OK && chosen.then != NULL)
        status = dgm_pivot_new(context, &chosen, made, &made->pivot);
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
    translator->parts.results = NULL;
    translator->result_count = 0;
}

void dgm_translator_free(dgm_translator *translator)
{
    struct dgm_env *env;

    if (DGM_IS_HELD(translator))
        return;
    env = &translator->context->env;
    dgm_pivot_free(env, translator->pivot);
    forget_results(env, translator);
    dgm_shown_attention_clear(env, &translator->attention);
    dgm_shown_links_clear(env, &translator->shown_links);
    dgm_release(env, translator->shown);
    dgm_word_links_clear(env, &translator->links);
    dgm_copying_clear(env, &translator->copying);
    dgm_kept_clear(env, &translator->kept);
    dgm_line_language_clear(env, &translator->language);
    dgm_source_queue_clear(env, &translator->queue);
    dgm_wording_clear(env, &translator->wording);
    dgm_running_clear(env, &translator->running);
    dgm_casing_clear(env, &translator->casing);
    dgm_parts_clear(env, &translator->parts);
    dgm_repeats_clear(env, &translator->repeats);
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
    dgm_kept_reset(&translator->kept);
    translator->ran = 0;
    translator->done = 0;
}

dgm_status dgm_translator_add(dgm_translator *translator, const char *line, size_t bytes)
{
    struct dgm_env *env;
    size_t number;
    int stays;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_line_check(env, &line, bytes));
    begin_queue(env, translator);
    number = translator->queue.added_count;
    dgm_line_language_ask(&translator->language, line, bytes, &stays);
    DGM_TRY(dgm_running_take(env, &translator->running, number, line, bytes));
    DGM_TRY(stays ? dgm_kept_take_all(env, &translator->kept, &line, &bytes)
                  : dgm_kept_take(env, &translator->kept, &line, &bytes));
    DGM_TRY(dgm_casing_take(env, &translator->casing, number, &line, &bytes));
    DGM_TRY(dgm_running_lower(env, &translator->running, number, &line, &bytes));
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
    tally->stayed = translator->language.stayed;
    tally->cut = translator->running.cut;
    tally->odd_tags = queue->odd_tags;
    tally->found[0] = queue->unknown.words;
    tally->found[1] = queue->unknown.unknown;
    tally->words = counts->words;
    for (kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        tally->lacking[kind] = counts->missing[kind];
        tally->unknown[kind] = counts->unknown[kind];
    }
    queue->added = queue->missing = queue->odd_tags = translator->copied = 0;
    translator->language.stayed = 0;
    translator->running.cut = 0;
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
    translator->language.stayed += (long)tally->stayed;
    translator->running.cut += tally->cut;
    queue->unknown.words += tally->found[0];
    queue->unknown.unknown += tally->found[1];
    counts->words += (long)tally->words;
    for (kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        counts->missing[kind] += (long)tally->lacking[kind];
        counts->unknown[kind] += (long)tally->unknown[kind];
    }
}

/* Of the parts of all lines, as a share of the lines. Blank ones count as done from the first. */
static void tell_progress(void *user, int32_t done)
{
    struct dgm_translator *translator = user;
    const struct dgm_source_queue *queue = &translator->queue;
    const int64_t blank = (int64_t)queue->count - queue->packed.count;
    const int64_t lines = (int64_t)queue->added_count, parts = (int64_t)queue->count;
    const int64_t steps = translator->pivot != NULL ? 2 : 1;

    dgm_callback_begin(&translator->context->env);
    translator->progress(translator->progress_user, (blank + done) * lines / parts / steps, lines,
                         "");
    dgm_callback_end(&translator->context->env);
}

void dgm_translator_tell_second(void *user, int64_t done, int64_t total, const char *text)
{
    const struct dgm_translator *translator = user;
    const int64_t lines = (int64_t)translator->queue.added_count;

    translator->progress(translator->progress_user, (lines + done * lines / total) / 2, lines,
                         text);
}

/* Lines from the first on whose search came to its end. */
static size_t count_done(const struct dgm_translator *translator)
{
    size_t i = 0;

    while (i < translator->queue.added_count && dgm_parts_are_done(&translator->parts, i))
        i++;
    return i;
}

/* Hypotheses without words go; where a part has none left, its source stands for them. */
static dgm_status keep_worded(struct dgm_env *env, struct dgm_translator *translator)
{
    struct dgm_result *results = translator->results;

    if (translator->allow_empty)
        return DGM_OK;
    for (size_t s = 0; s < translator->result_count; s++) {
        if (!results[s].is_done)
            continue;
        translator->wording.tags = dgm_packed_has_first(&translator->queue.packed, (int32_t)s);
        DGM_TRY(dgm_wording_keep(env, &translator->wording, &results[s], translator->parts.most));
    }
    for (size_t i = 0; i < translator->done; i++)
        translator->copied += dgm_parts_have_copy(&translator->parts, i);
    return DGM_OK;
}

static dgm_status translate_queue(struct dgm_env *env, struct dgm_translator *translator)
{
    struct dgm_translate_watch watch;

    watch.tell = tell_progress;
    watch.user = translator;
    DGM_TRY(dgm_source_queue_parse(env, &translator->queue));
    return dgm_repeats_translate(env, &translator->repeats, &translator->workers,
                                 &translator->queue.packed, translator->batch_tokens,
                                 translator->results, translator->progress != NULL ? &watch : NULL);
}

/* One step: what is queued, by the models of this translator. */
static dgm_status run(struct dgm_env *env, struct dgm_translator *translator)
{
    dgm_status status;
    size_t count;

    begin_queue(env, translator);
    translator->ran = 1;
    count = (size_t)translator->queue.packed.count;
    DGM_TRY(dgm_new(env, &translator->results, count, sizeof *translator->results));
    translator->result_count = count;
    translator->parts.results = translator->results;
    status = translate_queue(env, translator);
    if (status == DGM_OK || status == DGM_INTERRUPTED) {
        translator->done = count_done(translator);
        DGM_TRY(keep_worded(env, translator));
    }
    return status;
}

dgm_status dgm_translator_run(dgm_translator *translator, size_t *lines)
{
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_argument_check(env, lines, "lines"));
    *lines = 0;
    status = run(env, translator);
    *lines = translator->done;
    if (translator->pivot == NULL)
        return status;
    if (status == DGM_OK)
        status = dgm_pivot_run(env, translator->pivot, lines);
    else
        *lines = 0;
    translator->done = *lines;
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
    if (translator->running.cut > 0)
        dgm_log(env, DGM_LOG_NOTE,
                "%lld of %ld lines are running text: they were cut into tokens, which this model "
                "reads, and their translations joined",
                (long long)translator->running.cut, translator->queue.added);
    if (translator->language.stayed > 0)
        dgm_log(env, DGM_LOG_NOTE,
                "%ld of %ld lines are in the language of the translations, and stay as they are",
                translator->language.stayed, translator->queue.added);
    if (translator->repeats.again > 0)
        dgm_log(env, DGM_LOG_DEBUG, "%ld sentences came again, and were not searched",
                translator->repeats.again);
    DGM_TRY(dgm_source_queue_finish(env, &translator->queue, refused));
    return translator->pivot != NULL ? dgm_pivot_finish(translator->pivot) : DGM_OK;
}

dgm_status dgm_translator_unknown(dgm_translator *translator, size_t line, int64_t *words,
                                  int64_t *unknown)
{
    struct dgm_env *env;
    const struct dgm_source_queue *queue;
    struct dgm_unknown found;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    queue = &translator->queue;
    if (line >= queue->added_count)
        return dgm_fail(env, DGM_USAGE, "words of line %zu; expected a line below %zu", line,
                        queue->added_count);
    found = dgm_parts_unknown(queue, line);
    if (words != NULL)
        *words = found.words;
    if (unknown != NULL)
        *unknown = found.unknown;
    return DGM_OK;
}

/* ---- results ------------------------------------------------------------------------------ */

/* DGM_USAGE unless the line was run. */
static dgm_status check_line(const struct dgm_translator *translator, size_t line)
{
    if (!translator->ran || line >= translator->done)
        return dgm_fail(&translator->context->env, DGM_USAGE,
                        "result of line %zu; expected a run, and a line below %zu", line,
                        translator->done);
    return DGM_OK;
}

/* A line of spans alone is its own translation. */
static size_t count_results(const struct dgm_translator *translator, size_t line)
{
    const int32_t count = dgm_parts_count(&translator->parts, line);

    return count == 0 && dgm_kept_has(&translator->kept, line) ? 1 : (size_t)count;
}

dgm_status dgm_translator_count(dgm_translator *translator, size_t line, size_t *count)
{
    DGM_ENTER_HANDLE(translator);
    DGM_TRY(dgm_argument_check(&translator->context->env, count, "count"));
    DGM_TRY(check_line(translator, line));
    if (translator->pivot != NULL)
        return dgm_pivot_count(&translator->context->env, translator->pivot, line, count);
    *count = count_results(translator, line);
    return DGM_OK;
}

dgm_status dgm_translator_own_count(dgm_translator *translator, size_t line, size_t *count)
{
    *count = count_results(translator, line);
    return DGM_OK;
}

static void lend(const struct dgm_buf *text, const char **out, size_t *bytes)
{
    if (out != NULL)
        *out = text->data;
    if (bytes != NULL)
        *bytes = text->size;
}

dgm_status dgm_translator_own_result(dgm_translator *translator, size_t line, size_t rank,
                                     const char **text, size_t *bytes, double *score, double *logp)
{
    struct dgm_env *env = &translator->context->env;
    struct dgm_parts *parts = &translator->parts;
    double found_score, found_logp;

    if (rank >= count_results(translator, line))
        return dgm_fail(env, DGM_USAGE, "result %zu of line %zu; there are %zu", rank, line,
                        count_results(translator, line));
    dgm_running_resume(&translator->running, line);
    DGM_TRY(dgm_parts_write(env, parts, line, (int32_t)rank, &found_score, &found_logp));
    DGM_TRY(dgm_running_put_back(env, &translator->running, line, &parts->text));
    DGM_TRY(dgm_casing_put_back(env, &translator->casing, line, &parts->text));
    DGM_TRY(dgm_kept_put_back(env, &translator->kept, parts, line, (int32_t)rank));
    lend(&parts->text, text, bytes);
    if (score != NULL)
        *score = found_score;
    if (logp != NULL)
        *logp = found_logp;
    return DGM_OK;
}

dgm_status dgm_translator_result(dgm_translator *translator, size_t line, size_t rank,
                                 const char **text, size_t *bytes, double *score, double *logp)
{
    DGM_ENTER_HANDLE(translator);
    DGM_TRY(check_line(translator, line));
    if (translator->pivot != NULL)
        return dgm_pivot_result(&translator->context->env, translator->pivot, line, rank, text,
                                bytes, score, logp);
    return dgm_translator_own_result(translator, line, rank, text, bytes, score, logp);
}

/* DGM_USAGE unless the line was run, and the options ask for `what`, which is to be told of it. */
static dgm_status check_shown(const struct dgm_translator *translator, size_t line,
                              const char *what, int is_open)
{
    DGM_TRY(check_line(translator, line));
    if (!is_open)
        return dgm_fail(&translator->context->env, DGM_USAGE,
                        "%s of a line; expected a translator whose options ask for it", what);
    return DGM_OK;
}

/* The best hypothesis of a part, which has no tokens if there is none. */
static struct dgm_hypothesis best_of(const struct dgm_translator *translator, size_t part)
{
    const struct dgm_hypothesis *item = dgm_parts_item(&translator->parts, part, 0);

    return item != NULL ? *item : (struct dgm_hypothesis){ 0 };
}

static dgm_status find_shown(struct dgm_env *env, struct dgm_translator *translator, size_t line,
                             size_t *count)
{
    size_t first, end;

    dgm_source_queue_parts(&translator->queue, line, &first, &end);
    *count = end - first;
    DGM_TRY(dgm_reserve(env, &translator->shown, &translator->shown_capacity, *count,
                        sizeof *translator->shown));
    for (size_t i = 0; i < *count; i++) {
        const struct dgm_hypothesis best = best_of(translator, first + i);

        translator->shown[i] = (struct dgm_shown_part){ first + i, best.tokens, best.length };
    }
    return DGM_OK;
}

dgm_status dgm_translator_attention(dgm_translator *translator, size_t line, const char **json,
                                    size_t *bytes)
{
    struct dgm_env *env;
    size_t count;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_argument_check(env, json, "json"));
    DGM_TRY(check_shown(translator, line, "attention", translator->attention.pipeline != NULL));
    DGM_TRY(find_shown(env, translator, line, &count));
    DGM_TRY(dgm_shown_attention_write(env, &translator->attention, &translator->queue,
                                      translator->shown, count, translator->parts.copying));
    lend(&translator->attention.json, json, bytes);
    return DGM_OK;
}

static dgm_status add_links(struct dgm_env *env, struct dgm_translator *translator, size_t part,
                            const struct dgm_hypothesis *best)
{
    const struct dgm_copies *copies;

    DGM_TRY(dgm_copying_look(env, translator->parts.copying, part, best->tokens, best->length,
                             &copies));
    return dgm_shown_links_add(env, &translator->shown_links, &translator->links,
                               &translator->queue, part, best->tokens, best->length, copies);
}

dgm_status dgm_translator_own_alignment(dgm_translator *translator, size_t line, const char **links,
                                        size_t *bytes)
{
    struct dgm_env *env = &translator->context->env;
    size_t part, end;

    DGM_TRY(dgm_shown_links_begin(env, &translator->shown_links));
    dgm_source_queue_parts(&translator->queue, line, &part, &end);
    for (; part < end; part++) {
        const struct dgm_hypothesis best = best_of(translator, part);

        DGM_TRY(add_links(env, translator, part, &best));
    }
    lend(&translator->shown_links.text, links, bytes);
    return DGM_OK;
}

dgm_status dgm_translator_alignment(dgm_translator *translator, size_t line, const char **links,
                                    size_t *bytes)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_argument_check(env, links, "links"));
    DGM_TRY(check_shown(translator, line, "alignment", translator->shows_links));
    if (translator->pivot != NULL)
        return dgm_pivot_alignment(env, translator->pivot, line, links, bytes);
    return dgm_translator_own_alignment(translator, line, links, bytes);
}

int dgm_translator_has_plain_words(const dgm_translator *translator)
{
    return translator->wording.pipeline->has_spm;
}

/* ---- documents ---------------------------------------------------------------------------- */

/* The translator of each step, 0 and 1; NULL: there is no such step. */
static struct dgm_translator *step_of(struct dgm_translator *translator, int step)
{
    if (step == 0)
        return translator;
    return translator->pivot != NULL ? dgm_pivot_second(translator->pivot) : NULL;
}

/* Each step keeps markup, too, as other spans; what it kept before is in kinds. */
static void keep_markup(struct dgm_translator *translator, unsigned kinds[2])
{
    for (int step = 0; step < 2 && step_of(translator, step) != NULL; step++) {
        kinds[step] = step_of(translator, step)->kept.kinds;
        step_of(translator, step)->kept.kinds |= 1U << DGM_SPAN_tag;
    }
}

static void put_back_kinds(struct dgm_translator *translator, const unsigned kinds[2])
{
    for (int step = 0; step < 2 && step_of(translator, step) != NULL; step++)
        step_of(translator, step)->kept.kinds = kinds[step];
}

dgm_status dgm_translator_document(dgm_translator *translator, const char *format,
                                   const char *document, size_t bytes, dgm_write_fn write,
                                   void *user)
{
    struct dgm_env *env;
    unsigned kinds[2] = { 0, 0 };
    dgm_status status;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_argument_check(env, format, "format"));
    if (bytes > 0)
        DGM_TRY(dgm_argument_check(env, document, "document"));
    DGM_TRY(dgm_write_check(env, write));
    if (!translator->ran && translator->queue.added_count > 0)
        return dgm_fail(env, DGM_USAGE, "a document where %zu lines are queued; expected a run",
                        translator->queue.added_count);
    keep_markup(translator, kinds);
    status = dgm_translated_document(env, translator, format, document, bytes, write, user);
    put_back_kinds(translator, kinds);
    return status;
}
