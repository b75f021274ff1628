/*
 * memory.c: how much memory a training run needs, told before its first update, or refused.
 *
 * All of it is counted: what the process uses by then, which holds program, text and vocabularies,
 * and what is still to come (train/plan/need.h). R33: the peak stays below the sum.
 */
#include "train/plan/memory.h"

#include <string.h>

#include "base/number/number.h"
#include "base/system/meter.h"
#include "base/system/room.h"
#include "train/plan/held.h"

/* Bytes. */
struct plan {
    struct dgm_need need;
    double program; /* and text, and vocabularies */
};

static double total_of(const struct plan *plan)
{
    return dgm_need_total(&plan->need) + plan->program;
}

static void report(struct dgm_env *env, const char *what, double bytes)
{
    char text[32];

    text[dgm_number_print_fixed(text, bytes / 1048576, 1)] = '\0';
    dgm_log(env, DGM_LOG_NOTE, "memory: %s %s MiB", what, text);
}

/* On every device: one that is too small ends the run before its first update. */
static dgm_status allocate_step(struct dgm_session *session)
{
    size_t bytes;
    int i;

    for (i = session->stepper.replicas.count - 1; i >= 0; i--) {
        struct dgm_replica *replica = &session->stepper.replicas.items[i];
        DGM_TRY(session->trainee.learner->build(&session->run, &session->trainee,
                                                &session->course.batch, replica));
        DGM_TRY(dgm_graph_measure(&replica->graph, &bytes));
    }
    return DGM_OK;
}

/* ---- all in all ------------------------------------------------------------------------------ */

static dgm_status make_plan(struct dgm_session *session, struct plan *plan)
{
    DGM_TRY(dgm_need_find(session, &plan->need));
    plan->program = dgm_held_besides(session, &plan->need);
    return DGM_OK;
}

static void report_plan(const struct dgm_session *session, const struct plan *plan)
{
    struct dgm_env *env = session->run.env;
    const struct dgm_need *need = &plan->need;
    const double values = (double)session->trainee.params->total * sizeof(dgm_real);
    const double sum = dgm_need_sum_bytes(session);

    report(env, "weights and gradients", 2 * values);
    if (sum > 0)
        report(env, "the sum of gradients", sum);
    if (session->run.ranks != NULL)
        report(env, "arrays for other ranks",
               dgm_crew_bytes(&session->run, session->trainee.params->total));
    report(env,
           strcmp(dgm_settings_text(session->run.settings, "optimizer"), "adadelta") == 0
               ? "Adadelta's means"
               : "Adam's moments",
           need->moments);
    if (need->mean > 0)
        report(env, "the moving average", need->mean);
    if (session->stepper.replicas.count == 0) {
        dgm_log(env, DGM_LOG_NOTE, "memory: the largest step is known with --train-sets");
        return;
    }
    report(env, "largest step", need->step);
    if (dgm_settings_flag(session->run.settings, "dry-run"))
        report(env,
               dgm_settings_flag(session->run.settings, "recompute")
                   ? "largest step without --recompute"
                   : "largest step with --recompute",
               need->other_step);
    if (need->copies > 0)
        report(env, "copies on other devices", need->copies + need->copy_steps);
    if (need->beside > 0)
        report(env, "beside it on the device", need->beside);
    report(env, "program, text and vocabularies", plan->program);
    report(env, "saving and validating", need->later);
    report(env,
           dgm_need_is_on_host(session) ? "all in all, at most"
                                        : "all in all, most of it on the device, at most",
           total_of(plan));
}

/* Whether all would fit if the step were that of --recompute. */
static int helps_to_recompute(const struct dgm_session *session, const struct plan *plan,
                              double limit)
{
    return dgm_need_saved_by_recompute(session, &plan->need) > 0 &&
           total_of(plan) - dgm_need_saved_by_recompute(session, &plan->need) +
                   DGM_BETWEEN_STARTS <=
               limit;
}

static long long to_mib(double bytes)
{
    return (long long)(bytes / 1048576);
}

/* Suggests a batch size: what a step takes is proportional to the size of its batches. */
static dgm_status refuse(struct dgm_session *session, const struct plan *plan, double limit)
{
    const double batch = plan->need.batch, rest = total_of(plan) - batch;
    const double room = limit - rest - DGM_BETWEEN_STARTS;
    const int64_t tokens = session->run.options.order.batch_tokens;
    const int64_t fitting = room > 0 ? (int64_t)(0.95 * room / batch * (double)tokens) : 0;
    const long long needed = to_mib(total_of(plan)) + 1, allowed = to_mib(limit);

    if (fitting < 1)
        return dgm_fail(session->run.env, DGM_MEMORY,
                        "this run needs %lld MiB, --memory allows %lld: "
                        "no batch fits, %lld MiB are needed beside it",
                        needed, allowed, to_mib(rest) + 1);
    return dgm_fail(session->run.env, DGM_MEMORY,
                    "this run needs %lld MiB, --memory allows %lld. Try "
                    "%s--batch-tokens %lld",
                    needed, allowed,
                    helps_to_recompute(session, plan, limit) ? "--recompute or " : "",
                    (long long)fitting);
}

/* A number that was chosen for the training stays. */
static dgm_status refuse_chosen(struct dgm_session *session, const struct plan *plan, double limit)
{
    return dgm_fail(session->run.env, DGM_MEMORY,
                    "this run needs %lld MiB with the %lld tokens of a batch that --batch-tokens "
                    "auto chose, --memory allows %lld. Try %s--memory %lldM",
                    to_mib(total_of(plan)) + 1, (long long)session->run.options.order.batch_tokens,
                    to_mib(limit),
                    helps_to_recompute(session, plan, limit) ? "--recompute or " : "",
                    to_mib(total_of(plan) + DGM_BETWEEN_STARTS) + 1);
}

dgm_status dgm_memory_plan(struct dgm_session *session)
{
    const struct dgm_meter *meter = session->run.env->meter;
    struct plan plan;

    DGM_TRY(make_plan(session, &plan));
    report_plan(session, &plan);
    if (meter != NULL && meter->limit > 0 && dgm_need_is_on_host(session) &&
        total_of(&plan) > (double)meter->limit)
        return session->run.state.batch_tokens > 0
                   ? refuse_chosen(session, &plan, (double)meter->limit)
                   : refuse(session, &plan, (double)meter->limit);
    if (dgm_settings_flag(session->run.settings, "dry-run"))
        return DGM_OK;
    return allocate_step(session);
}
