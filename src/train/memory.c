/*
 * memory.c: how much memory a training run needs, told before its first update, or refused.
 *
 * All of it is counted: what the process uses by then, which holds program, text and vocabularies;
 * weights and what belongs to them; the largest step; and the copies that saving, validating and
 * averaging make. R33: the peak stays below the sum.
 */
#include "train/memory.h"

#include <string.h>

#include "base/number/number.h"
#include "base/system/meter.h"
#include "base/system/room.h"
#include "base/system/usage.h"

/* Bytes. Double: sums of them cannot wrap. */
struct plan {
    double weights; /* and gradients, and their sum over batches */
    double moments;
    double mean; /* of --ema */
    double step;
    double other_step; /* with --recompute where it is not, and without it where it is */
    double beside;     /* of the step, on a device that takes room of its own */
    double program;    /* and text, and vocabularies */
    double later;      /* the most that saving, validating and averaging take at a time */
    double batch;      /* of all that, what grows with the size of batches */
};

/* Code, stacks and buffers that the first updates touch. */
enum { UNTOUCHED = 3 << 20 };

/* Batches of later epochs may be a little larger; more so where parses, which no limit counts,
 * stand beside translations: about 50 of random lengths in a batch. */
#define SPREAD 0.04
#define SPREAD_BESIDE 0.15

static double total_of(const struct plan *plan)
{
    return plan->weights + plan->moments + plan->mean + plan->step + plan->beside + plan->program +
           plan->later;
}

static void report(struct dgm_env *env, const char *what, double bytes)
{
    char text[32];

    text[dgm_number_print_fixed(text, bytes / 1048576, 1)] = '\0';
    dgm_log(env, DGM_LOG_NOTE, "memory: %s %s MiB", what, text);
}

/* ---- the largest step ------------------------------------------------------------------------ */

static dgm_status pack(struct dgm_session *session, int64_t b)
{
    return dgm_order_batch(session->env, &session->order, session->corpus, b, &session->batch);
}

/* The largest batch of the epoch, or of its first window, by the rows of both sides, decides the
 * size of a step. */
static dgm_status pack_largest(struct dgm_session *session)
{
    const struct dgm_packed *source = &session->batch.source, *target = &session->batch.target;
    int64_t b, rows, chosen = 0, largest = 0;

    for (b = 0; b < session->order.batches; b++) {
        DGM_TRY(pack(session, b));
        rows = source->offsets[source->count] + target->offsets[target->count];
        if (rows > largest) {
            largest = rows;
            chosen = b;
        }
    }
    return pack(session, chosen);
}

static dgm_status size_graph(struct dgm_session *session, int recomputes, double *bytes)
{
    struct dgm_replica *first = &session->replicas.items[0];
    size_t size = 0;

    first->graph.recomputes = recomputes;
    DGM_TRY(session->learner->build(session, first));
    DGM_TRY(dgm_graph_size(&first->graph, &size));
    *bytes = (double)size;
    return DGM_OK;
}

static dgm_status size_step(struct dgm_session *session, struct plan *plan)
{
    const int recomputes = session->replicas.items[0].graph.recomputes;

    DGM_TRY(pack_largest(session));
    if (session->learner->share != NULL) /* what it keeps belongs to the program */
        DGM_TRY(session->learner->share(session, 0, session->options.accumulate));
    DGM_TRY(size_graph(session, !recomputes, &plan->other_step));
    return size_graph(session, recomputes, &plan->step);
}

/* On every device: one that is too small ends the run before its first update. */
static dgm_status allocate_step(struct dgm_session *session)
{
    size_t bytes;
    int i;

    for (i = session->replicas.count - 1; i >= 0; i--) {
        struct dgm_replica *replica = &session->replicas.items[i];
        DGM_TRY(session->learner->build(session, replica));
        DGM_TRY(dgm_graph_measure(&replica->graph, &bytes));
    }
    return DGM_OK;
}

/* ---- all in all ------------------------------------------------------------------------------ */

static int is_on_host(const struct dgm_session *session)
{
    return strcmp(session->device->ops->name, "cpu") == 0;
}

/* A checkpoint takes copies of values and two moments that lie on a device only; of moments also
 * where ranks have slices of them, both of which rank 0 puts together, and others one at a time. */
static double checkpoint_copies(const struct dgm_session *session, double values)
{
    if (!is_on_host(session)) /* and the values beside their mean */
        return (dgm_ema_bytes(session) > 0 ? 4 : 3) * values;
    if (session->hooks->ranks == NULL)
        return 0;
    return dgm_crew_rank(session) == 0 ? 2 * values : values;
}

/* What the file of a checkpoint has: values and two moments, and with --ema values twice. */
static double file_bytes(const struct dgm_session *session, double values)
{
    return (dgm_ema_bytes(session) > 0 ? 4 : 3) * values;
}

/* A mean needs its sums, in doubles, the values of one checkpoint, and its file. The best one needs
 * its file and its values. Rank 0 alone makes either. */
static dgm_status size_later(struct dgm_session *session, double values, struct plan *plan)
{
    const struct dgm_learner *learner = session->learner;
    double copies = checkpoint_copies(session, values), validation = 0;

    if (session->replicas.count == 0)
        return DGM_OK;
    if (dgm_settings_int(session->settings, "average") > 1)
        copies =
            (double)session->params->total * sizeof(double) + values + file_bytes(session, values);
    else if (session->has_valid)
        copies = values + file_bytes(session, values);
    if (session->has_valid && learner->valid_bytes != NULL)
        DGM_TRY(learner->valid_bytes(session, &validation));
    plan->batch =
        plan->step * (1 + (session->options.order.parses_beside ? SPREAD_BESIDE : SPREAD));
    if (validation > copies)
        plan->batch += validation - copies;
    plan->later = copies + UNTOUCHED + plan->batch - plan->step;
    return DGM_OK;
}

/* Of the parameters that this rank steps: all in a run of one process. */
static double slice_bytes(const struct dgm_session *session)
{
    return (double)dgm_crew_slice(session, dgm_crew_rank(session)).count * sizeof(dgm_real);
}

static double sum_bytes(const struct dgm_session *session)
{
    return session->options.accumulate > 1 || session->hooks->ranks != NULL ? slice_bytes(session)
                                                                            : 0;
}

static dgm_status make_plan(struct dgm_session *session, struct plan *plan)
{
    double values = (double)session->params->total * sizeof(dgm_real);
    int is_dry = dgm_settings_flag(session->settings, "dry-run");

    memset(plan, 0, sizeof *plan);
    plan->weights = 2 * values + sum_bytes(session);
    plan->moments = 2 * slice_bytes(session);
    plan->weights += dgm_crew_bytes(session);
    plan->mean = dgm_ema_bytes(session);
    if (session->replicas.count > 0)
        DGM_TRY(size_step(session, plan));
    if (session->replicas.count > 0 && session->device->ops->beside != NULL)
        plan->beside = (double)session->device->ops->beside(session->device, (size_t)values);
    /* By now the process holds weights and moments already, unless this is a dry run. */
    plan->program = (double)dgm_usage_now();
    if (!is_dry)
        plan->program -= plan->weights + plan->moments + plan->mean;
    if (plan->program < 0) /* they lie elsewhere */
        plan->program = 0;
    plan->program += (double)dgm_windows_spare(&session->windows);
    return size_later(session, values, plan);
}

static void report_plan(const struct dgm_session *session, const struct plan *plan)
{
    struct dgm_env *env = session->env;
    double values = (double)session->params->total * sizeof(dgm_real);

    report(env, "weights and gradients", 2 * values);
    if (sum_bytes(session) > 0)
        report(env, "the sum of gradients", sum_bytes(session));
    if (session->hooks->ranks != NULL)
        report(env, "arrays for other ranks", dgm_crew_bytes(session));
    report(env,
           strcmp(dgm_settings_text(session->settings, "optimizer"), "adadelta") == 0
               ? "Adadelta's means"
               : "Adam's moments",
           plan->moments);
    if (plan->mean > 0)
        report(env, "the moving average", plan->mean);
    if (session->replicas.count == 0) {
        dgm_log(env, DGM_LOG_NOTE, "memory: the largest step is known with --train-sets");
        return;
    }
    report(env, "largest step", plan->step);
    if (dgm_settings_flag(session->settings, "dry-run"))
        report(env,
               dgm_settings_flag(session->settings, "recompute")
                   ? "largest step without --recompute"
                   : "largest step with --recompute",
               plan->other_step);
    if (plan->beside > 0)
        report(env, "beside it on the device", plan->beside);
    report(env, "program, text and vocabularies", plan->program);
    report(env, "saving and validating", plan->later);
    report(env,
           is_on_host(session) ? "all in all, at most"
                               : "all in all, most of it on the device, at most",
           total_of(plan));
}

/* Whether all would fit if the step were that of --recompute. */
static int helps_to_recompute(const struct dgm_session *session, const struct plan *plan,
                              double limit)
{
    return !dgm_settings_flag(session->settings, "recompute") &&
           total_of(plan) - plan->batch * (1 - plan->other_step / plan->step) +
                   DGM_BETWEEN_STARTS <=
               limit;
}

/* Suggests a batch size: what a step takes is proportional to the size of its batches. */
static dgm_status refuse(struct dgm_session *session, const struct plan *plan, double limit)
{
    double rest = total_of(plan) - plan->batch, room = limit - rest - DGM_BETWEEN_STARTS;
    int64_t tokens = dgm_settings_int(session->settings, "batch-tokens");
    int64_t fitting = room > 0 ? (int64_t)(0.95 * room / plan->batch * (double)tokens) : 0;
    long long needed = (long long)(total_of(plan) / 1048576) + 1;
    long long allowed = (long long)(limit / 1048576);

    if (fitting < 1)
        return dgm_fail(session->env, DGM_MEMORY,
                        "this run needs %lld MiB, --memory allows %lld: "
                        "no batch fits, %lld MiB are needed beside it",
                        needed, allowed, (long long)(rest / 1048576) + 1);
    return dgm_fail(session->env, DGM_MEMORY,
                    "this run needs %lld MiB, --memory allows %lld. Try "
                    "%s--batch-tokens %lld",
                    needed, allowed,
                    helps_to_recompute(session, plan, limit) ? "--recompute or " : "",
                    (long long)fitting);
}

dgm_status dgm_memory_plan(struct dgm_session *session)
{
    const struct dgm_meter *meter = session->env->meter;
    struct plan plan;

    DGM_TRY(make_plan(session, &plan));
    report_plan(session, &plan);
    if (meter != NULL && meter->limit > 0 && is_on_host(session) &&
        total_of(&plan) > (double)meter->limit)
        return refuse(session, &plan, (double)meter->limit);
    if (dgm_settings_flag(session->settings, "dry-run"))
        return DGM_OK;
    return allocate_step(session);
}
