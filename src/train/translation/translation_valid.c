/*
 * translation_valid.c: the validation set: what the model thinks of its target, and what it makes
 * of its source.
 */
#include "train/translation/translation_valid.h"

#include <string.h>

#include "train/translation/translation_batch.h"
#include "train/translation/translation_hits.h"
#include "train/translation/translation_scores.h"

/* Batches of the validation set in corpus order, about batch-tokens each: the same sums in the same
 * order at each validation. */
static dgm_status fill_batch(struct dgm_session *session, const struct dgm_corpus *valid,
                             int32_t *next)
{
    int64_t tokens = 0;

    dgm_batch_reset(&session->course.batch);
    while (*next < valid->source.count) {
        int32_t source = dgm_packed_length(&valid->source, *next);
        int32_t target = dgm_packed_length(&valid->target, *next);
        tokens += source > target ? source : target;
        if (session->course.batch.source.count > 0 &&
            tokens > session->run.options.order.batch_tokens)
            break;
        DGM_TRY(dgm_batch_add(session->run.env, &session->course.batch, &valid->source,
                              &valid->target, *next, *next));
        (*next)++;
    }
    return DGM_OK;
}

/* Mean -log p of a target token, without smoothing; adds to `hits`, unless it is NULL. */
static dgm_status read_target(struct dgm_session *session, const struct dgm_corpus *valid,
                              struct dgm_translation_hits *hits, double *mean)
{
    struct dgm_replica *first = &session->replicas.items[0];
    const struct dgm_translation_replica *own = first->self;
    double sums[2], total = 0;
    int64_t labels, all_labels = 0;
    int32_t next = 0;

    while (next < valid->source.count) {
        DGM_TRY(dgm_poll(session->run.env));
        DGM_TRY(fill_batch(session, valid, &next));
        DGM_TRY(dgm_translation_batch_build(session, first, 0, 0));
        if (hits != NULL)
            DGM_TRY(dgm_translation_hits_expect(session, hits, own->loss));
        DGM_TRY(dgm_graph_run(&first->graph));
        DGM_TRY(dgm_translation_batch_read(session, first, sums, &labels));
        if (hits != NULL)
            DGM_TRY(dgm_translation_hits_add(session, hits));
        total += sums[1];
        all_labels += labels;
    }
    *mean = total / (double)all_labels;
    return DGM_OK;
}

/* Cross-entropy, always told, and accuracy, from one pass over the target. */
static dgm_status score_target(struct dgm_session *session, const struct dgm_corpus *valid,
                               const struct dgm_score_set *set)
{
    int wants_accuracy = dgm_session_wants(session, "accuracy");
    struct dgm_translation_hits hits;
    dgm_status status;
    double mean;

    memset(&hits, 0, sizeof hits);
    DGM_TRY_OUT(read_target(session, valid, wants_accuracy ? &hits : NULL, &mean));
    DGM_TRY_OUT(dgm_session_score(session, set, "ce-mean-words", mean, 0));
    if (wants_accuracy)
        status =
            dgm_session_score(session, set, "accuracy", dgm_translation_hits_percent(&hits), 1);
out:
    dgm_translation_hits_clear(session, &hits);
    return status;
}

static int wants_translations(const struct dgm_session *session)
{
    return dgm_session_wants(session, "bleu") || dgm_session_wants(session, "chrf");
}

/* Texts are translated one after the other. */
dgm_status dgm_translation_valid_bytes(struct dgm_session *session, double *bytes)
{
    const struct dgm_translation *self = session->trainee.self;
    double one;

    *bytes = 0;
    for (size_t i = 0; i < self->valid_texts.count && wants_translations(session); i++) {
        DGM_TRY(dgm_translation_scores_bytes(session, &self->valid_sets[i].corpus, &one));
        *bytes = one > *bytes ? one : *bytes;
    }
    return DGM_OK;
}

static dgm_status run_set(struct dgm_session *session, const struct dgm_corpus *valid,
                          const struct dgm_score_set *set)
{
    struct dgm_translation_scores scores;

    DGM_TRY(score_target(session, valid, set));
    if (!wants_translations(session))
        return DGM_OK;
    DGM_TRY(dgm_translation_scores_find(session, valid, &scores));
    if (dgm_session_wants(session, "bleu"))
        DGM_TRY(dgm_session_score(session, set, "bleu", scores.bleu, 1));
    if (dgm_session_wants(session, "chrf"))
        DGM_TRY(dgm_session_score(session, set, "chrf", scores.chrf, 1));
    return DGM_OK;
}

dgm_status dgm_translation_valid_run(struct dgm_session *session)
{
    const struct dgm_translation *self = session->trainee.self;

    for (size_t i = 0; i < self->valid_texts.count; i++) {
        const struct dgm_score_set set = { self->valid_sets[i].name, i == 0 };
        DGM_TRY(run_set(session, &self->valid_sets[i].corpus, &set));
    }
    return DGM_OK;
}
