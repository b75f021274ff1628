/*
 * update.c: one update of a training run: its batches, spread over the devices, and the step.
 */
#include "train/session.h"

/* Over the batches of an update. */
struct sums {
    int64_t sentences, labels;
};

/* Packs the next batch, going on to the next epoch where one ends. */
static dgm_status next_batch(struct dgm_session *session, struct sums *sums)
{
    struct dgm_train_state *state = &session->state;
    struct dgm_batch_size size;

    if (state->batch >= session->batches) {
        state->epoch++;
        state->batch = 0;
        state->sentences = 0;
        DGM_TRY(session->learner->epoch(session, state->epoch, &session->batches));
    }
    DGM_TRY(session->learner->pack(session, state->batch, &size));
    state->batch++;
    state->sentences += size.sentences;
    sums->sentences += size.sentences;
    return DGM_OK;
}

/* Sets a device to work on the next batch; nothing here waits for it, but a check. */
static dgm_status start(struct dgm_session *session, struct dgm_replica *replica, struct sums *sums)
{
    DGM_TRY(next_batch(session, sums));
    DGM_TRY(dgm_replicas_prepare(session, replica));
    DGM_TRY(session->learner->build(session, replica));
    DGM_TRY(dgm_graph_run(&replica->graph));
    DGM_TRY(dgm_device_check_batch(session, replica));
    DGM_TRY(dgm_graph_backward(&replica->graph));
    return dgm_device_flush(session->env, replica->device);
}

/* Waits for it: loss and gradients of batch session->part. */
static dgm_status finish(struct dgm_session *session, struct dgm_replica *replica,
                         struct sums *sums)
{
    struct dgm_train_state *state = &session->state;
    double cost;
    int64_t labels;

    DGM_TRY(session->learner->read(session, replica, &cost, &labels));
    DGM_TRY(dgm_replicas_collect(session, replica, session->part == 0));
    sums->labels += labels;
    state->cost += cost;
    state->cost_labels += (double)labels;
    return DGM_OK;
}

dgm_status dgm_session_update(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->state;
    struct dgm_replicas *replicas = &session->replicas;
    double rate = dgm_schedule_rate(&session->schedule, state->updates);
    struct sums sums = { 0, 0 };
    int64_t first, end;

    DGM_TRY(dgm_replicas_begin(session));
    for (first = 0; first < session->accumulate; first = end) {
        end = first + replicas->count;
        if (end > session->accumulate)
            end = session->accumulate;
        for (session->part = first; session->part < end; session->part++)
            DGM_TRY(start(session, &replicas->items[session->part - first], &sums));
        for (session->part = first; session->part < end; session->part++)
            DGM_TRY(finish(session, &replicas->items[session->part - first], &sums));
    }
    DGM_TRY(dgm_optimizer_update(session->env, &session->optimizer, state->updates + 1, rate,
                                 1 / (double)(session->by_sentence ? sums.sentences : sums.labels),
                                 &session->report.last_norm));
    session->report.last_rate = rate;
    state->labels += sums.labels;
    state->updates++;
    return DGM_OK;
}
