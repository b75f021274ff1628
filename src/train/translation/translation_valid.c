/*
 * translation_valid.c: the validation set: cross-entropy, and BLEU by translating it.
 */
#include "train/translation/translation_valid.h"

#include <string.h>

#include "base/mem.h"
#include "decode/search/search_memory.h"
#include "decode/translate.h"
#include "text/score/bleu.h"
#include "train/translation/translation_batch.h"

/* Batches of the validation set in corpus order, about batch-tokens each: the same sums in the same
 * order at each validation. */
static dgm_status fill_batch(struct dgm_session *session, int32_t *next)
{
    struct dgm_translation *self = session->self;
    const struct dgm_corpus *valid = &self->valid;
    int64_t tokens = 0;

    dgm_batch_reset(&session->batch);
    while (*next < valid->source.count) {
        int32_t source = dgm_packed_length(&valid->source, *next);
        int32_t target = dgm_packed_length(&valid->target, *next);
        tokens += source > target ? source : target;
        if (session->batch.source.count > 0 && tokens > session->options.order.batch_tokens)
            break;
        DGM_TRY(dgm_batch_add(session->env, &session->batch, &valid->source, &valid->target, *next,
                              *next));
        (*next)++;
    }
    return DGM_OK;
}

/* Mean -log p of a target token, without smoothing. */
static dgm_status cross_entropy(struct dgm_session *session, double *mean)
{
    const struct dgm_translation *self = session->self;
    struct dgm_replica *first = &session->replicas.items[0];
    double sums[2], total = 0;
    int64_t labels, all_labels = 0;
    int32_t next = 0;

    while (next < self->valid.source.count) {
        DGM_TRY(dgm_poll(session->env));
        DGM_TRY(fill_batch(session, &next));
        DGM_TRY(dgm_translation_batch_build(session, first, 0, 0));
        DGM_TRY(dgm_graph_run(&first->graph));
        DGM_TRY(dgm_translation_batch_read(session, first, sums, &labels));
        total += sums[1];
        all_labels += labels;
    }
    *mean = total / (double)all_labels;
    return DGM_OK;
}

/* ---- BLEU ----------------------------------------------------------------------------------- */

static struct dgm_search_options search_options(const struct dgm_session *session)
{
    const struct dgm_translation *self = session->self;
    struct dgm_search_options options;

    memset(&options, 0, sizeof options);
    options.beam = (int)dgm_settings_int(session->settings, "beam-size");
    options.penalty = DGM_PENALTY_FAIRSEQ;
    options.alpha = 1;
    options.length_factor = 2;
    options.length_extra = 10;
    options.max_length = self->model.net.config.max_length;
    options.forbidden = DGM_VOCAB_PAD;
    return options;
}

/* Statistics of one translation against its reference: both as words, from ids. */
static dgm_status count_sentence(struct dgm_session *session, struct dgm_bleu *bleu,
                                 struct dgm_bleu_stats *stats, const struct dgm_result *result,
                                 int32_t s, struct dgm_buf texts[2])
{
    struct dgm_translation *self = session->self;
    const struct dgm_packed *target = &self->valid.target;
    struct dgm_bleu_text hypothesis, reference;

    dgm_buf_reset(&texts[0]);
    dgm_buf_reset(&texts[1]);
    if (result->count > 0)
        DGM_TRY(dgm_pipeline_decode(session->env, &self->model.pipeline, &texts[0],
                                    result->items[0].tokens, result->items[0].length, 0));
    DGM_TRY(dgm_pipeline_decode(session->env, &self->model.pipeline, &texts[1],
                                target->ids + target->offsets[s], dgm_packed_length(target, s), 0));
    hypothesis.data = texts[0].size > 0 ? texts[0].data : "";
    hypothesis.bytes = texts[0].size;
    reference.data = texts[1].size > 0 ? texts[1].data : "";
    reference.bytes = texts[1].size;
    memset(stats, 0, sizeof *stats);
    return dgm_bleu_count(session->env, bleu, stats, hypothesis, &reference, 1);
}

static dgm_status score_results(struct dgm_session *session, const struct dgm_result *results,
                                double *score)
{
    const struct dgm_translation *self = session->self;
    struct dgm_bleu bleu;
    struct dgm_bleu_stats sum, part;
    struct dgm_buf texts[2];
    dgm_status status = DGM_OK;
    int32_t s;

    memset(&bleu, 0, sizeof bleu);
    memset(&sum, 0, sizeof sum);
    memset(texts, 0, sizeof texts);
    bleu.options.tokenizer = DGM_BLEU_NONE;
    bleu.options.smoothing = DGM_BLEU_SMOOTH_NONE;
    bleu.options.force = 1;
    for (s = 0; s < self->valid.source.count; s++) {
        DGM_TRY_OUT(count_sentence(session, &bleu, &part, &results[s], s, texts));
        dgm_bleu_add(&sum, &part);
    }
    *score = dgm_bleu_score(&sum, &bleu.options).score;
out:
    dgm_bleu_clear(session->env, &bleu);
    dgm_buf_clear(session->env, &texts[0]);
    dgm_buf_clear(session->env, &texts[1]);
    return status;
}

static dgm_status translate(struct dgm_session *session, struct dgm_result *results)
{
    struct dgm_env *env = session->env;
    const struct dgm_translation *self = session->self;
    const struct dgm_net *net = &self->model.net;
    struct dgm_search_options options = search_options(session);
    struct dgm_search search;
    dgm_status status;

    DGM_TRY_OUT(dgm_search_init(env, &search, &net, 1, session->device, &options));
    status = dgm_translate_all(env, &search, &self->valid.source,
                               session->options.order.batch_tokens, results, NULL);
out:
    dgm_search_clear(env, &search);
    return status;
}

/* BLEU of translations of the validation source, over words, as multi-bleu has it. */
static dgm_status translation_bleu(struct dgm_session *session, double *score)
{
    struct dgm_env *env = session->env;
    const struct dgm_translation *self = session->self;
    int32_t s, count = self->valid.source.count;
    struct dgm_result *results = dgm_alloc(env, (size_t)count, sizeof *results);
    dgm_status status;

    if (results == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(translate(session, results));
    status = score_results(session, results, score);
out:
    for (s = 0; s < count; s++)
        dgm_result_clear(env, &results[s]);
    dgm_release(env, results);
    return status;
}

dgm_status dgm_translation_valid_bytes(struct dgm_session *session, double *bytes)
{
    const struct dgm_translation *self = session->self;
    struct dgm_search search;

    *bytes = 0;
    if (strcmp(session->options.decides, "bleu") != 0)
        return DGM_OK;
    memset(&search, 0, sizeof search);
    search.options = search_options(session);
    search.models[0].net = &self->model.net;
    search.model_count = 1;
    *bytes =
        dgm_search_memory(&search, &self->valid.source, NULL, session->options.order.batch_tokens);
    return DGM_OK;
}

dgm_status dgm_translation_valid_run(struct dgm_session *session)
{
    double value;

    DGM_TRY(cross_entropy(session, &value));
    DGM_TRY(dgm_session_score(session, "ce-mean-words", value, 0));
    if (strcmp(session->options.decides, "bleu") != 0)
        return DGM_OK;
    DGM_TRY(translation_bleu(session, &value));
    return dgm_session_score(session, "bleu", value, 1);
}
