/*
 * memory.c: how much memory a training run needs, told before its first update, or refused.
 *
 * All of it is counted: what the process uses by then, which holds program, text and vocabularies,
 * and what is still to come (train/plan/need.h). R33: the peak stays below the sum, or below what
 * was used before, while text was read.
 */
#include "train/plan/memory.h"

#include <string.h>

#include "base/number/number.h"
#include "base/system/meter.h"
#include "base/system/room.h"
#include "base/system/usage.h"
#include "train/learner.h"
#include "train/plan/held.h"
#include "train/step/exchange/crew.h"

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

    dgm_log(env, DGM_LOG_NOTE, "memory: %s %s MiB", what,
            dgm_number_fixed(text, bytes / 1048576, 1));
}

/* On every device: one that is too small ends the run before its first update. */
static dgm_status allocate_step(const struct dgm_run *run, struct dgm_trainee *trainee,
                                const struct dgm_batch *batch, const struct dgm_replicas *replicas)
{
    size_t bytes;

    for (int i = replicas->count - 1; i >= 0; i--) {
        struct dgm_replica *replica = &replicas->items[i];
        DGM_TRY(trainee->learner->build(run, trainee, batch, replica));
        DGM_TRY(dgm_graph_measure(&replica->graph, &bytes));
    }
    return DGM_OK;
}

/* ---- all in all ------------------------------------------------------------------------------ */

/* Of a model of so many elements. */
static void report_plan(const struct dgm_run *run, const struct plan *plan, int64_t total,
                        int has_step)
{
    struct dgm_env *env = run->env;
    const struct dgm_need *need = &plan->need;
    const double sum = dgm_need_sum_bytes(run, total);

    report(env, "weights and gradients", 2 * (double)total * sizeof(dgm_real));
    if (sum > 0)
        report(env, "the sum of gradients", sum);
    if (run->ranks != NULL)
        report(env, "arrays for other ranks", dgm_crew_bytes(run, total));
    report(env,
           strcmp(dgm_settings_text(run->settings, "optimizer"), "adadelta") == 0
               ? "Adadelta's means"
               : "Adam's moments",
           need->moments);
    if (need->mean > 0)
        report(env, "the moving average", need->mean);
    if (!has_step) {
        dgm_log(env, DGM_LOG_NOTE, "memory: the largest step is known with --train-sets");
        return;
    }
    report(env, "largest step", need->step);
    if (dgm_settings_flag(run->settings, "dry-run"))
        report(env,
               dgm_settings_flag(run->settings, "recompute") ? "largest step without --recompute"
                                                             : "largest step with --recompute",
               need->other_step);
    if (need->copies > 0)
        report(env, "copies on other devices", need->copies + need->copy_steps);
    if (need->beside > 0)
        report(env, "beside it on the device", need->beside);
    report(env, "program, text and vocabularies", plan->program);
    report(env, "saving and validating", need->later);
    report(env,
           dgm_need_is_on_host(run) ? "all in all, at most"
                                    : "all in all, most of it on the device, at most",
           dgm_usage_most(total_of(plan)));
}

/* Whether all would fit if the step were that of --recompute. */
static int helps_to_recompute(const struct dgm_run *run, const struct plan *plan, double limit)
{
    return dgm_need_saved_by_recompute(run->settings, &plan->need) > 0 &&
           total_of(plan) - dgm_need_saved_by_recompute(run->settings, &plan->need) +
                   DGM_BETWEEN_STARTS <=
               limit;
}

static long long to_mib(double bytes)
{
    return (long long)(bytes / 1048576);
}

/* Suggests a batch size: what a step takes is proportional to the size of its batches. */
static dgm_status refuse(const struct dgm_run *run, const struct plan *plan, double limit)
{
    const double batch = plan->need.batch, rest = total_of(plan) - batch;
    const double room = limit - rest - DGM_BETWEEN_STARTS;
    const int64_t tokens = run->options.order.batch_tokens;
    const int64_t fitting = room > 0 ? (int64_t)(0.95 * room / batch * (double)tokens) : 0;
    const long long needed = to_mib(total_of(plan)) + 1, allowed = to_mib(limit);

    if (fitting < 1)
        return dgm_fail(run->env, DGM_MEMORY,
                        "this run needs %lld MiB, --memory allows %lld: "
                        "no batch fits, %lld MiB are needed beside it",
                        needed, allowed, to_mib(rest) + 1);
    return dgm_fail(run->env, DGM_MEMORY,
                    "this run needs %lld MiB, --memory allows %lld. Try %s--batch-tokens %lld",
                    needed, allowed, helps_to_recompute(run, plan, limit) ? "--recompute or " : "",
                    (long long)fitting);
}

/* A number that was chosen for the training stays. */
static dgm_status refuse_chosen(const struct dgm_run *run, const struct plan *plan, double limit)
{
    return dgm_fail(run->env, DGM_MEMORY,
                    "this run needs %lld MiB with the %lld tokens of a batch that --batch-tokens "
                    "auto chose, --memory allows %lld. Try %s--memory %lldM",
                    to_mib(total_of(plan)) + 1, (long long)run->options.order.batch_tokens,
                    to_mib(limit), helps_to_recompute(run, plan, limit) ? "--recompute or " : "",
                    to_mib(total_of(plan) + DGM_BETWEEN_STARTS) + 1);
}

dgm_status dgm_memory_plan(const struct dgm_run *run, struct dgm_trainee *trainee,
                           struct dgm_course *course, const struct dgm_replicas *replicas)
{
    const struct dgm_meter *meter = run->env->meter;
    const double limit = meter != NULL && dgm_need_is_on_host(run) ? (double)meter->limit : 0;
    struct plan plan;

    DGM_TRY(dgm_need_find(run, trainee, course, replicas, &plan.need));
    plan.program = dgm_held_besides(run->settings, &course->windows, &plan.need);
    report_plan(run, &plan, trainee->params->total, replicas->count > 0);
    if (limit > 0 && total_of(&plan) > limit)
        return run->state.batch_tokens > 0 ? refuse_chosen(run, &plan, limit)
                                           : refuse(run, &plan, limit);
    if (dgm_settings_flag(run->settings, "dry-run"))
        return DGM_OK;
    return allocate_step(run, trainee, &course->batch, replicas);
}
