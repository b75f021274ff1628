/*
 * scores.c: the validation source translated, and the translations scored.
 */
#include "train/translation/scores.h"

#include "base/mem.h"
#include "decode/search/search_memory.h"
#include "decode/translate.h"
#include "train/judge.h"

/* As `translate` has them by default. */
static struct dgm_search_options search_options(const struct dgm_run *run,
                                                const struct dgm_translation *self)
{
    struct dgm_search_options options = dgm_search_defaults();

    options.beam = (int)dgm_settings_int(run->settings, "beam-size");
    options.alpha = 1;
    options.bars_unknown = self->model.pipeline.has_spm && !self->model.has_links;
    return options;
}

/* Of sources that are searched together: those of a batch, but not more than by default where the
 * memory decides about batches. Translations do not depend on it. */
enum { MOST_TOKENS = 4096 };

static int64_t most_tokens(const struct dgm_run *run)
{
    const int64_t tokens = run->options.order.batch_tokens;

    return run->options.fits_memory && tokens > MOST_TOKENS ? MOST_TOKENS : tokens;
}

static dgm_status translate(const struct dgm_run *run, const struct dgm_translation *self,
                            const struct dgm_corpus *valid, struct dgm_result *results)
{
    struct dgm_env *env = run->env;
    const struct dgm_net *net = &self->model.net;
    struct dgm_search_options options = search_options(run, self);
    struct dgm_workers workers;
    dgm_status status;

    DGM_TRY_OUT(dgm_workers_init(env, &workers, &net, 1, run->device, &options));
    status = dgm_translate_all(env, &workers, &valid->source, most_tokens(run), results, NULL);
    status = dgm_judge_settle(env, status);
out:
    dgm_workers_clear(env, &workers);
    return status;
}

/* ---- scores --------------------------------------------------------------------------------- */

/* A translation and its reference, both from ids. */
struct texts {
    struct dgm_buf hypothesis, reference;
    int32_t *ids; /* of the reference */
    size_t capacity;
};

static struct dgm_metric_text text_of(const struct dgm_buf *buf)
{
    return (struct dgm_metric_text){ .data = buf->size > 0 ? buf->data : "", .bytes = buf->size };
}

/* What stands for unknown words of the reference is no translation of them: they become the symbol
 * that no search writes. */
static dgm_status write_reference(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                  struct texts *texts, const int32_t *ids, int32_t n,
                                  int detokenize)
{
    struct dgm_target_ids target = { .n = n };

    DGM_TRY(dgm_reserve(env, &texts->ids, &texts->capacity, (size_t)n, sizeof *texts->ids));
    for (int32_t i = 0; i < n; i++)
        texts->ids[i] = ids[i] == DGM_VOCAB_UNK ? DGM_VOCAB_PAD : ids[i];
    target.ids = texts->ids;
    return dgm_pipeline_decode(env, pipeline, &texts->reference, &target, detokenize);
}

/* The same of pieces of SentencePiece, which write no such symbol: with blanks around it, as around
 * the sign of what is unknown in a translation. */
static dgm_status write_reference_of_pieces(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                            struct texts *texts, const int32_t *ids, int32_t n)
{
    struct dgm_target_ids target = { .ids = ids };

    for (int32_t i = 0; i <= n; i++) {
        if (i < n && ids[i] != DGM_VOCAB_UNK)
            continue;
        target.n = i;
        DGM_TRY(dgm_pipeline_decode(env, pipeline, &texts->reference, &target, 0));
        if (i < n)
            DGM_TRY(dgm_buf_add_text(env, &texts->reference, " <pad> "));
        target.from = i + 1;
    }
    return DGM_OK;
}

static dgm_status write_texts(const struct dgm_run *run, struct dgm_translation *self,
                              const struct dgm_packed *target, struct texts *texts,
                              const struct dgm_result *result, int32_t s, int detokenize)
{
    const int32_t *ids = target->ids + target->offsets[s];
    const int32_t n = dgm_packed_length(target, s);
    struct dgm_target_ids best = { .ids = NULL };

    dgm_buf_reset(&texts->hypothesis);
    dgm_buf_reset(&texts->reference);
    if (result->count > 0) {
        best.ids = result->items[0].tokens;
        best.n = result->items[0].length;
        DGM_TRY(dgm_pipeline_decode(run->env, &self->model.pipeline, &texts->hypothesis, &best,
                                    detokenize));
    }
    if (self->model.pipeline.has_spm)
        return write_reference_of_pieces(run->env, &self->model.pipeline, texts, ids, n);
    return write_reference(run->env, &self->model.pipeline, texts, ids, n, detokenize);
}

static dgm_status add_sentence(const struct dgm_run *run, struct dgm_translation *self,
                               const struct dgm_packed *target, struct texts *texts,
                               const struct dgm_result *result, int32_t s,
                               struct dgm_measure *measure, int64_t *sums)
{
    struct dgm_metric_count count;
    struct dgm_metric_text reference;

    DGM_TRY(write_texts(run, self, target, texts, result, s, !measure->metric->reads_words));
    reference = text_of(&texts->reference);
    DGM_TRY(
        dgm_measure_count(run->env, measure, &count, text_of(&texts->hypothesis), &reference, 1));
    dgm_measure_add(measure, sums, count.sums);
    return DGM_OK;
}

static dgm_status score_by(const struct dgm_run *run, struct dgm_translation *self,
                           const struct dgm_metric *metric, const struct dgm_packed *target,
                           const struct dgm_result *results, double *score)
{
    struct dgm_measure measure = { .metric = NULL };
    int64_t sums[DGM_METRIC_WIDTH] = { 0 };
    struct texts texts = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_measure_open_valid(run->env, &measure, metric));
    for (int32_t s = 0; s < target->count; s++)
        DGM_TRY_OUT(add_sentence(run, self, target, &texts, &results[s], s, &measure, sums));
    *score = dgm_measure_score(&measure, sums);
out:
    dgm_measure_close(run->env, &measure);
    dgm_buf_clear(run->env, &texts.hypothesis);
    dgm_buf_clear(run->env, &texts.reference);
    dgm_release(run->env, texts.ids);
    return status;
}

static dgm_status score_results(const struct dgm_run *run, struct dgm_translation *self,
                                const struct dgm_packed *target, const struct dgm_result *results,
                                double scores[DGM_METRICS])
{
    for (size_t i = 0; i < DGM_METRICS; i++) {
        const struct dgm_metric *metric = dgm_metric_entry(i);

        if (dgm_judge_wants(run->settings, metric->name))
            DGM_TRY(score_by(run, self, metric, target, results, &scores[i]));
    }
    return DGM_OK;
}

dgm_status dgm_scores_find(const struct dgm_run *run, struct dgm_translation *self,
                           const struct dgm_corpus *valid, double scores[DGM_METRICS])
{
    struct dgm_env *env = run->env;
    int32_t s, count = valid->source.count;
    struct dgm_result *results;
    dgm_status status;

    DGM_TRY(dgm_new(env, &results, (size_t)count, sizeof *results));
    DGM_TRY_OUT(translate(run, self, valid, results));
    status = score_results(run, self, &valid->target, results, scores);
out:
    for (s = 0; s < count; s++)
        dgm_result_clear(env, &results[s]);
    dgm_release(env, results);
    return status;
}

dgm_status dgm_scores_bytes(const struct dgm_run *run, const struct dgm_translation *self,
                            const struct dgm_corpus *valid, double *bytes)
{
    const struct dgm_packed *source = &valid->source;
    const int64_t most = most_tokens(run);
    const int is_chosen = run->options.fits_memory;
    struct dgm_search search = { 0 };
    int32_t *order;
    int workers;

    /* A number of tokens is chosen whatever the threads: as if all of it were searched at once.
     * Where that leaves no room for all threads, fewer of them search. */
    search.device = is_chosen ? NULL : run->device;
    search.options = search_options(run, self);
    search.models[0].net = &self->model.net;
    search.model_count = 1;
    workers = dgm_search_workers(&search, source, most);
    DGM_TRY(dgm_packed_order(run->env, source, &order));
    *bytes = dgm_search_memory(&search, source, order, most, workers);
    dgm_release(run->env, order);
    return DGM_OK;
}
