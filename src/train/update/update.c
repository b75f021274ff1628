/*
 * update.c: one update of a training run: its batches, spread over the devices, and the step.
 *
 * Batches of an update are numbered from 0 to accumulate - 1. Rounds of as many batches as there
 * are devices: all of a round are started, then all are finished, in the order of their numbers, so
 * that sums of gradients and costs do not depend on how many devices there are.
 */
#include "train/update/update.h"

/* Over the batches of an update. */
struct sums {
    int64_t sentences, labels;
};

/* Packs batch `number` of the update, going on to the next epoch where one ends. */
static dgm_status next_batch(struct dgm_session *session, int64_t number, struct sums *sums)
{
    const struct dgm_learner *learner = session->learner;
    struct dgm_env *env = session->env;
    struct dgm_train_state *state = &session->state;

    if (state->batch >= session->order.batches) {
        state->epoch++;
        state->batch = 0;
        state->sentences = 0;
        DGM_TRY(dgm_order_make(env, &session->order, session->corpus, &session->options.order,
                               state->epoch));
    }
    /* Where an epoch ends within the update, what follows is only known now. */
    if (learner->share != NULL && (number == 0 || state->batch == 0))
        DGM_TRY(learner->share(session, state->batch, session->options.accumulate - number));
    DGM_TRY(dgm_order_batch(env, &session->order, session->corpus, state->batch, &session->batch));
    state->batch++;
    state->sentences += session->batch.source.count;
    sums->sentences += session->batch.source.count;
    return DGM_OK;
}

/* Sets a device to work on the next batch. Only a check of the device waits for its end. */
static dgm_status start(struct dgm_session *session, struct dgm_replica *replica, int64_t number,
                        struct sums *sums)
{
    DGM_TRY(next_batch(session, number, sums));
    DGM_TRY(dgm_replicas_prepare(session, replica));
    DGM_TRY(session->learner->build(session, replica));
    DGM_TRY(dgm_graph_run(&replica->graph));
    DGM_TRY(dgm_device_check_batch(session, replica));
    DGM_TRY(dgm_graph_backward(&replica->graph));
    return dgm_device_flush(session->env, replica->device);
}

/* Waits for it: loss and gradients of batch `number`. */
static dgm_status finish(struct dgm_session *session, struct dgm_replica *replica, int64_t number,
                         struct sums *sums)
{
    struct dgm_train_state *state = &session->state;
    double cost;
    int64_t labels;

    DGM_TRY(session->learner->read(session, replica, &cost, &labels));
    DGM_TRY(dgm_replicas_collect(session, replica, number == 0));
    sums->labels += labels;
    state->cost += cost;
    state->cost_labels += (double)labels;
    return DGM_OK;
}

dgm_status dgm_update_run(struct dgm_session *session)
{
    const struct dgm_session_options *options = &session->options;
    struct dgm_train_state *state = &session->state;
    struct dgm_replicas *replicas = &session->replicas;
    double rate = dgm_schedule_rate(&session->schedule, state->updates);
    struct sums sums = { 0, 0 };
    int64_t first, end, k;

    DGM_TRY(dgm_replicas_begin(session));
    for (first = 0; first < options->accumulate; first = end) {
        end = first + replicas->count;
        if (end > options->accumulate)
            end = options->accumulate;
        for (k = first; k < end; k++)
            DGM_TRY(start(session, &replicas->items[k - first], k, &sums));
        for (k = first; k < end; k++)
            DGM_TRY(finish(session, &replicas->items[k - first], k, &sums));
    }
    /* Gradients are of summed losses until here. One division for the whole update: the mean is
     * over all its labels, or sentences, however they are spread over batches. */
    DGM_TRY(dgm_optimizer_update(session->env, &session->optimizer, state->updates + 1, rate,
                                 1 / (double)(options->by_sentence ? sums.sentences : sums.labels),
                                 &session->report.last_norm));
    session->report.last_rate = rate;
    state->labels += sums.labels;
    state->updates++;
    return DGM_OK;
}
