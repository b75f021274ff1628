/*
 * probe.c: the health of a translation model, on a small batch that stays the same.
 */
#include "train/translation/probe.h"

/* A few sentences tell enough, and cost a small part of an update; none is so long that its
 * attention needs more memory than an update does. */
enum { MOST_TOKENS = 256, MOST_LENGTH = 60 };

static int is_fit(const struct dgm_corpus *corpus, int32_t s)
{
    const int32_t source = dgm_packed_length(&corpus->source, s);

    /* With the end of the sentence: a blank line has one position. */
    return source > 1 && source <= MOST_LENGTH &&
           dgm_packed_length(&corpus->target, s) <= MOST_LENGTH;
}

/* As order.h counts the tokens of a pair: those of its longer side. */
static int32_t tokens_of(const struct dgm_corpus *corpus, int32_t s)
{
    const int32_t source = dgm_packed_length(&corpus->source, s);
    const int32_t target = dgm_packed_length(&corpus->target, s);

    return source > target ? source : target;
}

static dgm_status fill_batch(const struct dgm_run *run, struct dgm_batch *batch,
                             const struct dgm_corpus *corpus)
{
    int64_t most = run->options.order.batch_tokens, tokens = 0;

    if (most > MOST_TOKENS)
        most = MOST_TOKENS;
    dgm_batch_reset(batch);
    for (int32_t s = 0; s < corpus->source.count && tokens < most; s++) {
        if (!is_fit(corpus, s))
            continue;
        tokens += tokens_of(corpus, s);
        if (batch->source.count > 0 && tokens > most)
            break;
        DGM_TRY(dgm_batch_add(run->env, batch, &corpus->source, &corpus->target, s, s));
    }
    return DGM_OK;
}

/* Sentences that are always the same: of a text in windows, those of its first block. */
static const struct dgm_corpus *sentences(const struct dgm_translation *self)
{
    return self->sets.valid_texts.count > 0 ? &self->sets.valid_sets[0].corpus
           : self->sets.cache.is_open       ? &self->sets.sample
                                            : &self->sets.train;
}

dgm_status dgm_translation_probe(const struct dgm_run *run, struct dgm_trainee *trainee,
                                 struct dgm_replica *first, struct dgm_health *health, int *done)
{
    struct dgm_translation *self = trainee->self;
    struct dgm_translation_replica *own = first->self;

    DGM_TRY(fill_batch(run, &self->ahead, sentences(self)));
    *done = self->ahead.source.count > 0;
    return *done ? dgm_health_measure(run->env, health, own->net, &own->step, &first->graph,
                                      &self->ahead)
                 : DGM_OK;
}
