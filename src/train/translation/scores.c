/*
 * scores.c: the validation source translated, and the translations scored.
 */
#include "train/translation/scores.h"

#include <string.h>

#include "base/mem.h"
#include "decode/search/search_memory.h"
#include "decode/translate.h"
#include "text/score/bleu.h"
#include "text/score/chrf.h"

static struct dgm_search_options search_options(const struct dgm_run *run)
{
    struct dgm_search_options options = dgm_search_defaults();

    options.beam = (int)dgm_settings_int(run->settings, "beam-size");
    options.alpha = 1;
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
    struct dgm_search_options options = search_options(run);
    struct dgm_workers workers;
    dgm_status status;

    DGM_TRY_OUT(dgm_workers_init(env, &workers, &net, 1, run->device, &options));
    status = dgm_translate_all(env, &workers, &valid->source, most_tokens(run), results, NULL);
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

/* Everything that counts. */
struct count {
    struct dgm_bleu bleu;
    struct dgm_chrf chrf;
    struct dgm_bleu_stats bleu_sum;
    struct dgm_chrf_stats chrf_sum;
    struct texts texts;
};

static struct dgm_bleu_text text_of(const struct dgm_buf *buf)
{
    struct dgm_bleu_text text;

    text.data = buf->size > 0 ? buf->data : "";
    text.bytes = buf->size;
    return text;
}

/* What stands for unknown words of the reference is no translation of them: they become the symbol
 * that no search writes. */
static dgm_status write_reference(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                  struct texts *texts, const int32_t *ids, int32_t n,
                                  int detokenize)
{
    DGM_TRY(dgm_reserve(env, &texts->ids, &texts->capacity, (size_t)n, sizeof *texts->ids));
    for (int32_t i = 0; i < n; i++)
        texts->ids[i] = ids[i] == DGM_VOCAB_UNK ? DGM_VOCAB_PAD : ids[i];
    return dgm_pipeline_decode(env, pipeline, &texts->reference, texts->ids, n, detokenize);
}

/* The same of pieces of SentencePiece, which write no such symbol: with blanks around it, as around
 * the sign of what is unknown in a translation. */
static dgm_status write_reference_of_pieces(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                            struct texts *texts, const int32_t *ids, int32_t n)
{
    int32_t start = 0;

    for (int32_t i = 0; i <= n; i++) {
        if (i < n && ids[i] != DGM_VOCAB_UNK)
            continue;
        DGM_TRY(dgm_pipeline_decode(env, pipeline, &texts->reference, ids + start, i - start, 0));
        if (i < n)
            DGM_TRY(dgm_buf_add_text(env, &texts->reference, " <pad> "));
        start = i + 1;
    }
    return DGM_OK;
}

static dgm_status write_texts(const struct dgm_run *run, struct dgm_translation *self,
                              const struct dgm_packed *target, struct texts *texts,
                              const struct dgm_result *result, int32_t s, int detokenize)
{
    const int32_t *ids = target->ids + target->offsets[s];
    const int32_t n = dgm_packed_length(target, s);

    dgm_buf_reset(&texts->hypothesis);
    dgm_buf_reset(&texts->reference);
    if (result->count > 0)
        DGM_TRY(dgm_pipeline_decode(run->env, &self->model.pipeline, &texts->hypothesis,
                                    result->items[0].tokens, result->items[0].length, detokenize));
    if (self->model.pipeline.has_spm)
        return write_reference_of_pieces(run->env, &self->model.pipeline, texts, ids, n);
    return write_reference(run->env, &self->model.pipeline, texts, ids, n, detokenize);
}

static dgm_status count_sentence(const struct dgm_run *run, struct dgm_translation *self,
                                 const struct dgm_packed *target, struct count *count,
                                 const struct dgm_result *result, int32_t s)
{
    struct dgm_bleu_stats bleu;
    struct dgm_chrf_stats chrf;
    struct dgm_bleu_text reference;

    memset(&bleu, 0, sizeof bleu);
    memset(&chrf, 0, sizeof chrf);
    DGM_TRY(write_texts(run, self, target, &count->texts, result, s, 0));
    reference = text_of(&count->texts.reference);
    DGM_TRY(dgm_bleu_count(run->env, &count->bleu, &bleu, text_of(&count->texts.hypothesis),
                           &reference, 1));
    dgm_bleu_add(&count->bleu_sum, &bleu);
    DGM_TRY(write_texts(run, self, target, &count->texts, result, s, 1));
    reference = text_of(&count->texts.reference);
    DGM_TRY(dgm_chrf_count(run->env, &count->chrf, &chrf, text_of(&count->texts.hypothesis),
                           &reference, 1));
    dgm_chrf_add(&count->chrf_sum, &chrf);
    return DGM_OK;
}

static void clear_count(struct dgm_env *env, struct count *count)
{
    dgm_bleu_clear(env, &count->bleu);
    dgm_chrf_clear(env, &count->chrf);
    dgm_buf_clear(env, &count->texts.hypothesis);
    dgm_buf_clear(env, &count->texts.reference);
    dgm_release(env, count->texts.ids);
}

static dgm_status score_results(const struct dgm_run *run, struct dgm_translation *self,
                                const struct dgm_corpus *valid, const struct dgm_result *results,
                                struct dgm_scores *scores)
{
    struct count count;
    dgm_status status = DGM_OK;
    int32_t s;

    memset(&count, 0, sizeof count);
    count.bleu.options.tokenizer = DGM_BLEU_NONE;
    count.bleu.options.smoothing = DGM_BLEU_SMOOTH_NONE;
    count.bleu.options.force = 1;
    for (s = 0; s < valid->source.count; s++)
        DGM_TRY_OUT(count_sentence(run, self, &valid->target, &count, &results[s], s));
    scores->bleu = dgm_bleu_score(&count.bleu_sum, &count.bleu.options).score;
    scores->chrf = dgm_chrf_score(&count.chrf_sum, &count.chrf.options);
out:
    clear_count(run->env, &count);
    return status;
}

dgm_status dgm_scores_find(const struct dgm_run *run, struct dgm_translation *self,
                           const struct dgm_corpus *valid, struct dgm_scores *scores)
{
    struct dgm_env *env = run->env;
    int32_t s, count = valid->source.count;
    struct dgm_result *results = dgm_alloc(env, (size_t)count, sizeof *results);
    dgm_status status;

    if (results == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(translate(run, self, valid, results));
    status = score_results(run, self, valid, results, scores);
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
    struct dgm_search search;
    int32_t *order;
    int workers;

    memset(&search, 0, sizeof search);
    /* A number of tokens is chosen whatever the threads: as if all of it were searched at once.
     * Where that leaves no room for all threads, fewer of them search. */
    search.device = is_chosen ? NULL : run->device;
    search.options = search_options(run);
    search.models[0].net = &self->model.net;
    search.model_count = 1;
    workers = dgm_search_workers(&search, source, most);
    DGM_TRY(dgm_packed_order(run->env, source, &order));
    *bytes = dgm_search_memory(&search, source, order, most, workers);
    dgm_release(run->env, order);
    return DGM_OK;
}
