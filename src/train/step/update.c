/*
 * update.c: one update of a training run: its batches, spread over ranks and devices, and the step.
 *
 * Batches of an update are numbered from 0 to accumulate - 1. Batch k is computed by rank k mod R,
 * there on device (k / R) mod D. Rounds of R D batches: all of a round are started, then all are
 * finished, in the order of their numbers, so that sums of gradients and costs do not depend on how
 * many ranks and devices there are.
 */
#include "train/step/update.h"

#include "base/trace/trace.h"
#include "train/learner.h"
#include "train/step/gather.h"

/* What an update is made of; `sentences` counts those of its batches. */
struct work {
    struct dgm_run *run;
    struct dgm_trainee *trainee;
    struct dgm_course *course;
    struct dgm_stepper *stepper;
    int64_t sentences;
};

/* Goes on to the next batch of the update, and to the next epoch where one ends. What is not to be
 * computed here is not packed. */
static dgm_status next_batch(struct work *work, int64_t number, int is_packed)
{
    const struct dgm_learner *learner = work->trainee->learner;
    struct dgm_course *course = work->course;
    struct dgm_run *run = work->run;
    int64_t place;

    if (dgm_course_place(course, &run->state) >= course->order.batches)
        DGM_TRY(dgm_course_next_order(run, course, work->trainee->corpus));
    place = dgm_course_place(course, &run->state);
    /* Where an epoch, or a window of it, ends within the update, what follows is only known now. */
    if (learner->share != NULL && (number == 0 || place == 0))
        DGM_TRY(learner->share(run, work->trainee, &course->order, place,
                               run->options.accumulate - number));
    if (is_packed)
        DGM_TRY_TRACED(run->env, "pack",
                       dgm_order_batch(run->env, &course->order, work->trainee->corpus, place,
                                       &course->batch));
    run->state.sentences += dgm_order_batch_pairs(&course->order, place);
    work->sentences += dgm_order_batch_pairs(&course->order, place);
    run->state.batch++;
    return DGM_OK;
}

/* The device that computes a batch; NULL: another rank does. */
static struct dgm_replica *replica_of(const struct work *work, int64_t number)
{
    const struct dgm_replicas *replicas = &work->stepper->replicas;
    const int64_t ranks = dgm_run_count(work->run);

    if (number % ranks != dgm_run_rank(work->run))
        return NULL;
    return &replicas->items[number / ranks % replicas->count];
}

static dgm_status compute(const struct work *work, struct dgm_replica *replica)
{
    const struct dgm_run *run = work->run;
    struct dgm_trainee *trainee = work->trainee;

    DGM_TRY_TRACED(run->env, "prepare",
                   dgm_replicas_prepare(run->env, &work->stepper->replicas, replica));
    DGM_TRY_TRACED(run->env, "build",
                   trainee->learner->build(run, trainee, &work->course->batch, replica));
    DGM_TRY_TRACED(run->env, "forward", dgm_graph_run(&replica->graph));
    DGM_TRY(dgm_device_check_batch(run, trainee, replica, &work->stepper->check));
    DGM_TRY_TRACED(run->env, "backward", dgm_graph_backward(&replica->graph));
    return dgm_device_flush(run->env, replica->device);
}

/* Sets a device to work on the next batch. Only a check of the device waits for its end. */
static dgm_status start(struct work *work, int64_t number)
{
    struct dgm_replica *replica = replica_of(work, number);

    DGM_TRY(next_batch(work, number, replica != NULL));
    if (replica == NULL)
        return DGM_OK;
    dgm_trace_begin_at(work->run->env, "batch", "number", number);
    DGM_TRY(compute(work, replica));
    dgm_trace_end(work->run->env);
    return DGM_OK;
}

static struct dgm_crew_round round_of(const struct dgm_run *run, int64_t first, int64_t end)
{
    return (struct dgm_crew_round){ (int)(end - first), first == 0,
                                    end == run->options.accumulate };
}

/* Adds the gradients of a round, of which `replica` has this rank's, or is NULL. */
static dgm_status add(const struct work *work, const struct dgm_replica *replica,
                      const struct dgm_crew_round *round)
{
    struct dgm_stepper *stepper = work->stepper;

    if (stepper->crew != NULL)
        return dgm_gather_add(work->run->env, stepper, replica != NULL ? replica->params : NULL,
                              round);
    return dgm_replicas_collect(work->run, &stepper->replicas, replica, &stepper->optimizer,
                                round->is_first);
}

/* Waits for the batches: costs and gradients of those from `first` to `end`, one of each rank. */
static dgm_status finish(const struct work *work, int64_t first, int64_t end)
{
    const int64_t own = first + dgm_run_rank(work->run);
    const struct dgm_crew_round round = round_of(work->run, first, end);
    struct dgm_replica *replica = own < end ? replica_of(work, own) : NULL;
    struct dgm_trainee *trainee = work->trainee;

    if (replica != NULL)
        DGM_TRY_TRACED(work->run->env, "loss",
                       trainee->learner->read(work->run, trainee, replica,
                                              dgm_batch_costs_at(&work->stepper->costs, own)));
    return add(work, replica, &round);
}

/* With one device to a rank, gradients go out while they are computed. */
static dgm_status open(const struct work *work, const struct dgm_crew_round *round)
{
    struct dgm_stepper *stepper = work->stepper;
    struct dgm_replica *first = &stepper->replicas.items[0];

    if (stepper->crew == NULL)
        return DGM_OK;
    return dgm_crew_begin(stepper->crew, stepper->replicas.count == 1 ? first->params : NULL,
                          &first->graph, round);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static dgm_status run_batches(struct work *work)
{
    const int64_t ranks = dgm_run_count(work->run), all = work->run->options.accumulate;
    const int64_t round = ranks * work->stepper->replicas.count;
    struct dgm_crew_round started;
    int64_t first, end, k;

    DGM_TRY(dgm_replicas_begin(work->run->env, &work->stepper->replicas));
    for (first = 0; first < all; first = end) {
        end = least(first + round, all);
        started = round_of(work->run, first, end);
        DGM_TRY(open(work, &started));
        for (k = first; k < end; k++)
            DGM_TRY(start(work, k));
        for (k = first; k < end; k += ranks)
            DGM_TRY_TRACED(work->run->env, "add gradients", finish(work, k, least(k + ranks, end)));
    }
    return DGM_OK;
}

/* Gradients are of summed losses until here. One division for the whole update: the mean is over
 * all its labels, or sentences, however they are spread over batches. */
static dgm_status make_step(const struct dgm_run *run, struct dgm_stepper *stepper, int64_t divisor)
{
    const int64_t t = run->state.updates + 1;
    const double scale = 1 / (double)divisor;

    DGM_TRY(dgm_optimizer_skip_frozen(run->env, &stepper->optimizer));
    return stepper->crew != NULL
               ? dgm_gather_update(run->env, stepper, t, stepper->figures.rate, scale)
               : dgm_optimizer_update(run->env, &stepper->optimizer, t, stepper->figures.rate,
                                      scale, &stepper->figures.norm);
}

static dgm_status update(struct work *work)
{
    struct dgm_run *run = work->run;
    struct dgm_stepper *stepper = work->stepper;
    int64_t labels;

    DGM_TRY(run_batches(work));
    DGM_TRY_TRACED(run->env, "gather costs",
                   dgm_batch_costs_add(run, &stepper->costs, &stepper->figures.beside, &labels));
    stepper->figures.rate = dgm_schedule_rate(&stepper->schedule, run->state.updates);
    DGM_TRY_TRACED(run->env, "step",
                   make_step(run, stepper, run->options.by_sentence ? work->sentences : labels));
    DGM_TRY(dgm_ema_step(run->env, &stepper->ema, run->state.updates + 1));
    run->state.labels += labels;
    run->state.updates++;
    return DGM_OK;
}

dgm_status dgm_update_run(struct dgm_run *run, struct dgm_trainee *trainee,
                          struct dgm_course *course, struct dgm_stepper *stepper)
{
    struct work work = { run, trainee, course, stepper, 0 };
    dgm_status status;

    dgm_trace_begin_at(run->env, "update", "number", run->state.updates + 1);
    if (stepper->crew != NULL)
        dgm_waits_begin(&stepper->crew->waits, stepper->crew->ranks);
    status = update(&work);
    if (stepper->crew != NULL)
        dgm_waits_end(&stepper->crew->waits, stepper->crew->ranks);
    dgm_trace_end(run->env);
    return status;
}
