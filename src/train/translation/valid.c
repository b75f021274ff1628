/*
 * valid.c: the validation set: what the model thinks of its target, and what it makes
 * of its source.
 */
#include "train/translation/valid.h"

#include "train/translation/batch.h"
#include "train/translation/hits.h"
#include "train/translation/scores.h"

/* One text, and what it is measured with. */
struct validation {
    const struct dgm_run *run;
    struct dgm_translation *self;
    struct dgm_replica *replica;
    struct dgm_judge *judge;
    const struct dgm_corpus *corpus;
    struct dgm_score_set set;
};

static dgm_status tell(const struct validation *valid, const char *metric, double value,
                       int upwards)
{
    return dgm_judge_score(valid->run->env, valid->judge, &valid->set, metric, value, upwards);
}

static int wants(const struct validation *valid, const char *metric)
{
    return dgm_judge_wants(valid->run->settings, metric);
}

/* ---- the target ------------------------------------------------------------------------------ */

/* Batches of the validation set in corpus order, about batch-tokens each: the same sums in the same
 * order at each validation. */
static dgm_status fill_batch(const struct dgm_run *run, struct dgm_batch *batch,
                             const struct dgm_corpus *valid, int32_t *next)
{
    int64_t tokens = 0;

    dgm_batch_reset(batch);
    while (*next < valid->source.count) {
        int32_t source = dgm_packed_length(&valid->source, *next);
        int32_t target = dgm_packed_length(&valid->target, *next);
        tokens += source > target ? source : target;
        if (batch->source.count > 0 && tokens > run->options.order.batch_tokens)
            break;
        DGM_TRY(dgm_batch_add(run->env, batch, &valid->source, &valid->target, *next, *next));
        (*next)++;
    }
    return DGM_OK;
}

/* Mean -log p of a target token, without smoothing; adds to `hits`, unless it is NULL. */
static dgm_status read_target(const struct validation *valid, struct dgm_hits *hits, double *mean)
{
    const struct dgm_run *run = valid->run;
    const struct dgm_translation_replica *own = valid->replica->self;
    struct dgm_translation *self = valid->self;
    struct dgm_batch *batch = &self->ahead;
    double sums[2], total = 0;
    int64_t labels, all_labels = 0;
    int32_t next = 0;

    while (next < valid->corpus->source.count) {
        DGM_TRY(dgm_poll(run->env));
        DGM_TRY(fill_batch(run, batch, valid->corpus, &next));
        DGM_TRY(dgm_translation_batch_build(run, self, batch, valid->replica, 0));
        if (hits != NULL)
            DGM_TRY(dgm_hits_expect(run, hits, own->loss));
        DGM_TRY(dgm_graph_run(&valid->replica->graph));
        DGM_TRY(dgm_translation_batch_read(run, self, valid->replica, sums, &labels));
        if (hits != NULL)
            DGM_TRY(dgm_hits_add(run, hits, &batch->target));
        total += sums[1];
        all_labels += labels;
    }
    *mean = total / (double)all_labels;
    return DGM_OK;
}

/* Cross-entropy, always told, and accuracy, from one pass over the target. */
static dgm_status score_target(const struct validation *valid)
{
    int wants_accuracy = wants(valid, "accuracy");
    struct dgm_hits hits = { 0 };
    dgm_status status;
    double mean;

    DGM_TRY_OUT(read_target(valid, wants_accuracy ? &hits : NULL, &mean));
    DGM_TRY_OUT(tell(valid, "ce-mean-words", mean, 0));
    if (wants_accuracy)
        status = tell(valid, "accuracy", dgm_hits_percent(&hits), 1);
out:
    dgm_hits_clear(valid->run, &hits);
    return status;
}

/* ---- translations ---------------------------------------------------------------------------- */

static int wants_translations(const struct dgm_run *run)
{
    for (size_t i = 0; i < DGM_METRICS; i++)
        if (dgm_judge_wants(run->settings, dgm_metric_entry(i)->name))
            return 1;
    return 0;
}

/* Texts are translated one after the other. */
dgm_status dgm_valid_bytes(const struct dgm_run *run, struct dgm_trainee *trainee, double *bytes)
{
    const struct dgm_translation *self = trainee->self;
    double one;

    *bytes = 0;
    for (size_t i = 0; i < self->sets.valid_texts.count && wants_translations(run); i++) {
        DGM_TRY(dgm_scores_bytes(run, self, &self->sets.valid_sets[i].corpus, &one));
        *bytes = one > *bytes ? one : *bytes;
    }
    return DGM_OK;
}

static dgm_status score_translations(const struct validation *valid)
{
    double scores[DGM_METRICS];

    DGM_TRY(dgm_scores_find(valid->run, valid->self, valid->corpus, scores));
    for (size_t i = 0; i < DGM_METRICS; i++) {
        const struct dgm_metric *metric = dgm_metric_entry(i);

        if (wants(valid, metric->name))
            DGM_TRY(tell(valid, metric->name, scores[i], !metric->is_error));
    }
    return DGM_OK;
}

dgm_status dgm_valid_run(const struct dgm_run *run, struct dgm_trainee *trainee,
                         struct dgm_replica *replica, struct dgm_judge *judge)
{
    struct dgm_translation *self = trainee->self;
    struct validation valid = { run, self, replica, judge, NULL, { NULL, 0 } };

    for (size_t i = 0; i < self->sets.valid_texts.count; i++) {
        valid.corpus = &self->sets.valid_sets[i].corpus;
        valid.set.name = self->sets.valid_sets[i].name;
        valid.set.decides = i == 0;
        DGM_TRY(score_target(&valid));
        if (wants_translations(run))
            DGM_TRY(score_translations(&valid));
    }
    return DGM_OK;
}
