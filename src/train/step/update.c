/*
 * update.c: one update of a training run: its batches, spread over ranks and devices, and the step.
 *
 * Batches of an update are numbered from 0 to accumulate - 1. Batch k is computed by rank k mod R,
 * there on device (k / R) mod D. Rounds of R D batches: all of a round are started, then all are
 * finished, in the order of their numbers, so that sums of gradients and costs do not depend on how
 * many ranks and devices there are.
 */
#include "train/step/update.h"

#include <math.h>
#include <string.h>

/* Goes on to the next batch of the update, and to the next epoch where one ends. What is not to be
 * computed here is not packed. */
static dgm_status next_batch(struct dgm_session *session, int64_t number, int is_packed,
                             int64_t *sentences)
{
    const struct dgm_learner *learner = session->trainee.learner;
    struct dgm_env *env = session->run.env;
    struct dgm_train_state *state = &session->run.state;
    int64_t place;

    if (dgm_course_place(&session->course, &session->run.state) >= session->course.order.batches)
        DGM_TRY(dgm_course_next_order(&session->run, &session->course, session->trainee.corpus));
    place = dgm_course_place(&session->course, &session->run.state);
    /* Where an epoch, or a window of it, ends within the update, what follows is only known now. */
    if (learner->share != NULL && (number == 0 || place == 0))
        DGM_TRY(learner->share(session, place, session->run.options.accumulate - number));
    if (is_packed)
        DGM_TRY_TRACED(env, "pack",
                       dgm_order_batch(env, &session->course.order, session->trainee.corpus, place,
                                       &session->course.batch));
    state->sentences += dgm_order_batch_pairs(&session->course.order, place);
    *sentences += dgm_order_batch_pairs(&session->course.order, place);
    state->batch++;
    return DGM_OK;
}

/* The device that computes a batch; NULL: another rank does. */
static struct dgm_replica *replica_of(struct dgm_session *session, int64_t number)
{
    const int64_t ranks = dgm_run_count(&session->run);

    if (number % ranks != dgm_run_rank(&session->run))
        return NULL;
    return &session->replicas.items[number / ranks % session->replicas.count];
}

static dgm_status compute(struct dgm_session *session, struct dgm_replica *replica)
{
    struct dgm_env *env = session->run.env;

    DGM_TRY_TRACED(env, "prepare", dgm_replicas_prepare(session, replica));
    DGM_TRY_TRACED(env, "build", session->trainee.learner->build(session, replica));
    DGM_TRY_TRACED(env, "forward", dgm_graph_run(&replica->graph));
    DGM_TRY(dgm_device_check_batch(session, replica));
    DGM_TRY_TRACED(env, "backward", dgm_graph_backward(&replica->graph));
    return dgm_device_flush(env, replica->device);
}

/* Sets a device to work on the next batch. Only a check of the device waits for its end. */
static dgm_status start(struct dgm_session *session, int64_t number, int64_t *sentences)
{
    struct dgm_replica *replica = replica_of(session, number);

    DGM_TRY(next_batch(session, number, replica != NULL, sentences));
    if (replica == NULL)
        return DGM_OK;
    dgm_trace_begin_at(session->run.env, "batch", "number", number);
    DGM_TRY(compute(session, replica));
    dgm_trace_end(session->run.env);
    return DGM_OK;
}

/* Waits for it: its costs. The learner adds those beside the cost to the report itself. */
static dgm_status read_costs(struct dgm_session *session, struct dgm_replica *replica,
                             struct dgm_batch_cost *cost)
{
    struct dgm_report *report = &session->report;
    const struct dgm_beside_costs before = report->beside;

    memset(&report->beside, 0, sizeof report->beside);
    DGM_TRY(session->trainee.learner->read(session, replica, &cost->cost, &cost->labels));
    cost->beside = report->beside;
    report->beside = before;
    return DGM_OK;
}

static struct dgm_crew_round round_of(const struct dgm_session *session, int64_t first, int64_t end)
{
    const struct dgm_crew_round round = { (int)(end - first), first == 0,
                                          end == session->run.options.accumulate };

    return round;
}

/* Costs and gradients of the batches from `first` to `end`, one of each rank. */
static dgm_status finish(struct dgm_session *session, int64_t first, int64_t end)
{
    const int64_t own = first + dgm_run_rank(&session->run);
    const struct dgm_crew_round round = round_of(session, first, end);
    struct dgm_replica *replica = own < end ? replica_of(session, own) : NULL;

    if (replica != NULL)
        DGM_TRY_TRACED(session->run.env, "loss",
                       read_costs(session, replica, dgm_batch_costs_at(session, own)));
    return session->run.ranks != NULL ? dgm_crew_add(session, replica, &round)
                                      : dgm_replicas_collect(session, replica, first == 0);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static dgm_status run_batches(struct dgm_session *session, int64_t *sentences)
{
    const int64_t ranks = dgm_run_count(&session->run), all = session->run.options.accumulate;
    const int64_t round = ranks * session->replicas.count;
    struct dgm_crew_round started;
    int64_t first, end, k;

    DGM_TRY(dgm_replicas_begin(session));
    for (first = 0; first < all; first = end) {
        end = least(first + round, all);
        started = round_of(session, first, end);
        DGM_TRY(dgm_crew_begin(session, &started));
        for (k = first; k < end; k++)
            DGM_TRY(start(session, k, sentences));
        for (k = first; k < end; k += ranks)
            DGM_TRY_TRACED(session->run.env, "add gradients",
                           finish(session, k, least(k + ranks, end)));
    }
    return DGM_OK;
}

/* Gradients are of summed losses until here. One division for the whole update: the mean is over
 * all its labels, or sentences, however they are spread over batches. */
static dgm_status step(struct dgm_session *session, double rate, int64_t divisor)
{
    const int64_t t = session->run.state.updates + 1;
    struct dgm_optimizer *optimizer = &session->optimizer;
    double squares;

    DGM_TRY(dgm_optimizer_skip_frozen(session->run.env, optimizer));
    if (session->run.ranks == NULL)
        return dgm_optimizer_update(session->run.env, optimizer, t, rate, 1 / (double)divisor,
                                    &session->report.last_norm);
    DGM_TRY_TRACED(session->run.env, "norm", dgm_crew_squares(session, &squares));
    if (!isfinite(squares)) /* the message looks for the parameter at fault */
        DGM_TRY(dgm_crew_share_gradient(session));
    DGM_TRY(dgm_optimizer_step(session->run.env, optimizer, t, rate, 1 / (double)divisor, squares,
                               &session->report.last_norm));
    DGM_TRY_TRACED(session->run.env, "share values", dgm_crew_share_values(session));
    return DGM_OK;
}

static dgm_status run_update(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->run.state;
    double rate = dgm_schedule_rate(&session->schedule, state->updates);
    int64_t sentences = 0, labels;

    DGM_TRY(run_batches(session, &sentences));
    DGM_TRY_TRACED(session->run.env, "gather costs", dgm_batch_costs_add(session, &labels));
    DGM_TRY_TRACED(session->run.env, "step",
                   step(session, rate, session->run.options.by_sentence ? sentences : labels));
    DGM_TRY(dgm_ema_step(session, state->updates + 1));
    session->report.last_rate = rate;
    state->labels += labels;
    state->updates++;
    return DGM_OK;
}

dgm_status dgm_update_run(struct dgm_session *session)
{
    dgm_status status;

    session->requests.phase = DGM_PHASE_UPDATE;
    dgm_trace_begin_at(session->run.env, "update", "number", session->run.state.updates + 1);
    dgm_waits_begin(session);
    status = run_update(session);
    dgm_waits_end(session);
    dgm_trace_end(session->run.env);
    session->requests.phase = DGM_PHASE_READY;
    return status;
}
