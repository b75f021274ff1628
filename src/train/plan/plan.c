/* plan.c: the cost of a run on many ranks, told by one process. */
#include "train/plan/plan.h"

#include <string.h>

#include "base/number/number.h"
#include "base/system/clock.h"
#include "train/plan/cost.h"
#include "train/step/exchange/crew.h"
#include "train/step/exchange/halves.h"
#include "train/step/exchange/reduce.h"
#include "train/step/gradient_groups.h"

/* Updates are measured until there are so many, or so many seconds are over; the first one, which
 * finds caches and pages cold, does not count. */
enum { MEASURED = 5 };
#define MEASURED_SECONDS 20.0

/* The efficiency for which the report looks. */
#define WANTED 0.9

/* Gradients travel behind the backward pass, two thirds of a batch's time. */
#define BEHIND (2.0 / 3)

/* Of --ranks; 0: no number. */
static int ranks_planned(const struct dgm_settings *settings)
{
    const char *text = dgm_settings_text(settings, "ranks");
    int64_t count = 0;

    return dgm_number_int(&count, text, strlen(text)) ? (int)count : 0;
}

/* ---- options --------------------------------------------------------------------------------- */

static dgm_status check_run(const struct dgm_run *run)
{
    const int planned = ranks_planned(run->settings), count = dgm_run_count(run);

    if (planned != 0 && planned != count)
        return dgm_fail(run->env, DGM_USAGE,
                        "--ranks %d: a launcher has started %d process%s; expected as many, or "
                        "--dry-run, which predicts for any number",
                        planned, count, count == 1 ? "" : "es");
    return DGM_OK;
}

static dgm_status check_link(const struct dgm_run *run)
{
    const char *text = dgm_settings_text(run->settings, "link");
    struct dgm_link_speed speed;
    char quoted[DGM_QUOTE_SIZE];

    if (ranks_planned(run->settings) == 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "--link connects ranks; expected their number, such as --ranks 64");
    dgm_quote(quoted, sizeof quoted, text, strlen(text));
    if (!dgm_link_speed_read(text, &speed))
        return dgm_fail(run->env, DGM_USAGE,
                        "--link: expected RATE,LATENCY such as 100Gbit,2us, or "
                        "RATE,LATENCY,MESSAGE, got \"%s\"",
                        quoted);
    return DGM_OK;
}

/* A parser has no list of texts. */
static int has_text(const struct dgm_settings *settings)
{
    const struct dgm_setting *list = dgm_settings_find(settings, "train-list", 10);

    return dgm_settings_count(settings, "train-sets") > 0 || (list != NULL && list->value != NULL);
}

/* A dry run parses nothing, so that its batches are not those of the run. */
static dgm_status check_measuring(const struct dgm_run *run)
{
    const struct dgm_setting *parser = dgm_settings_find(run->settings, "parser", 6);

    if (dgm_settings_is_set(run->settings, "update-seconds"))
        return DGM_OK;
    if (!has_text(run->settings))
        return dgm_fail(run->env, DGM_USAGE,
                        "--link measures updates of --train-sets or --train-list, or is told "
                        "--update-seconds; expected one of them");
    if (parser != NULL && parser->value != NULL)
        return dgm_fail(run->env, DGM_USAGE,
                        "--link cannot measure updates with --parser, which a dry run does not "
                        "use; expected --update-seconds");
    return DGM_OK;
}

dgm_status dgm_plan_check(const struct dgm_run *run)
{
    const struct dgm_settings *settings = run->settings;

    if (!dgm_settings_flag(settings, "dry-run"))
        return check_run(run);
    if (!dgm_settings_is_set(settings, "link"))
        return DGM_OK;
    DGM_TRY(check_link(run));
    return check_measuring(run);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void sort(double *values, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && values[k] < values[k - 1]; k--) {
            const double value = values[k];
            values[k] = values[k - 1];
            values[k - 1] = value;
        }
}

/* The median of a few updates. */
static dgm_status measure(struct dgm_env *env, const struct dgm_plan_updates *updates,
                          double *seconds)
{
    const double begun = dgm_clock();
    double times[MEASURED + 1];
    int count = 0;

    DGM_TRY(updates->allocate(updates->user));
    while (count < 2 || (count <= MEASURED && dgm_clock() - begun < MEASURED_SECONDS)) {
        const double started = dgm_clock();
        DGM_TRY(dgm_poll(env));
        DGM_TRY(updates->update(updates->user));
        times[count++] = dgm_clock() - started;
    }
    sort(times + 1, count - 1);
    *seconds = times[1 + (count - 1) / 2];
    return DGM_OK;
}

/* ---- the report ------------------------------------------------------------------------------ */

static void report_idle(struct dgm_env *env, const struct dgm_cost_job *job)
{
    if (job->accumulate % job->ranks != 0)
        dgm_log(env, DGM_LOG_WARNING,
                "ranks share the batches of an update: some of %d wait for others with "
                "--accumulate %lld, which is no multiple",
                job->ranks, (long long)job->accumulate);
}

static void report_sent(struct dgm_env *env, const struct dgm_cost_job *job)
{
    struct dgm_traffic sent[DGM_SENT_BESIDE];
    uint64_t messages = 0;

    dgm_cost_sent(job, 0, sent);
    for (int k = 0; k < DGM_SENT_BESIDE; k++)
        messages += sent[k].messages;
    dgm_log(env, DGM_LOG_NOTE,
            "ranks: bytes that rank 0 would send in an update: %llu of gradients, %llu of values, "
            "%llu of control, in %llu messages",
            (unsigned long long)sent[DGM_SENT_GRADIENTS].bytes,
            (unsigned long long)sent[DGM_SENT_VALUES].bytes,
            (unsigned long long)sent[DGM_SENT_CONTROL].bytes, (unsigned long long)messages);
}

static void report_times(struct dgm_env *env, const struct dgm_cost_job *job,
                         const struct dgm_link_speed *link)
{
    const struct dgm_cost cost = dgm_cost_of(job, link);
    const double sending = cost.gradients + cost.values + cost.control;
    char one[32], all[32], compute[32], other[32], hidden[32], percent[32], speed[32];

    dgm_log(env, DGM_LOG_NOTE,
            "ranks: an update takes one process %s s, and %d ranks %s s: %s s to compute, %s s to "
            "send, of which at best %s s while they compute",
            dgm_number_text(one, job->batch_seconds * (double)job->accumulate, 4), job->ranks,
            dgm_number_text(all, cost.update, 4), dgm_number_text(compute, cost.compute, 4),
            dgm_number_text(other, sending, 4), dgm_number_text(hidden, cost.hidden, 4));
    dgm_log(env, DGM_LOG_NOTE, "ranks: %s times as fast, an efficiency of %s %%",
            dgm_number_text(speed, cost.efficiency * job->ranks, 4),
            dgm_number_fixed(percent, 100 * cost.efficiency, 1));
}

static void report_advice(struct dgm_env *env, const struct dgm_cost_job *job,
                          const struct dgm_link_speed *link)
{
    const int64_t accumulate = dgm_cost_accumulate(job, link, WANTED, 65536);
    double stretch;
    char times[32];

    if (accumulate > 0) {
        dgm_log(env, DGM_LOG_NOTE, "ranks: 90 %% from --accumulate %lld on", (long long)accumulate);
        return;
    }
    stretch = dgm_cost_stretch(job, link, WANTED);
    if (stretch == 0)
        dgm_log(env, DGM_LOG_NOTE,
                "ranks: no --accumulate reaches 90 %%, nor do larger batches with this one");
    else
        dgm_log(env, DGM_LOG_NOTE,
                "ranks: no --accumulate reaches 90 %%, since %s; batches of %s times the size "
                "would (--batch-tokens)",
                job->is_fast ? "what is sent for each batch is too much"
                             : "each batch's gradients are sent (not with --reduce fast)",
                dgm_number_fixed(times, stretch, 1));
}

/* Bytes of the buckets that hold some of the embeddings, which are used first and are complete last
 * (train/step/exchange/buckets.h). */
static size_t late_bytes(const struct dgm_params *params, size_t bucket)
{
    size_t late = 0, until = 0, i;

    for (i = 0; i < params->count; i++) {
        const struct dgm_param *param = &params->items[i];
        const size_t start = (size_t)param->offset * sizeof(dgm_real);
        const size_t size = (size_t)(param->rows * param->cols) * sizeof(dgm_real);
        const size_t first = start / bucket * bucket;
        const size_t end = (start + size + bucket - 1) / bucket * bucket;
        if (dgm_gradient_group_of(param->name) != DGM_GRADIENT_EMBEDDINGS || end <= until)
            continue;
        late += end - (first > until ? first : until);
        until = end;
    }
    return late;
}

/* The share of a gradient that may leave before its batch is over: on one CPU. Elsewhere nothing
 * does. */
static double early_share(const struct dgm_run *run, const struct dgm_params *params, size_t bucket)
{
    const size_t all = (size_t)params->total * sizeof(dgm_real);
    const size_t late = late_bytes(params, bucket);

    if (run->devices->count > 1 || run->device->ops->place == NULL || late > all)
        return 0;
    return 1 - (double)late / (double)all;
}

/* As the crew of so many ranks would (train/step/exchange/crew.c). */
static struct dgm_cost_job job_of(const struct dgm_run *run, const struct dgm_params *params,
                                  int ranks)
{
    const size_t all = (size_t)params->total * sizeof(dgm_real);
    const size_t bucket = dgm_buckets_bytes(run->settings, all);
    return (struct dgm_cost_job){
        .total = params->total,
        .block = dgm_crew_block(run->device),
        .bucket = bucket,
        .real_bytes = (int)sizeof(dgm_real),
        .is_half = dgm_halves_are_on(run->settings),
        .is_fast = dgm_reduce_is_wanted_fast(run->settings),
        .has_block_sums = run->device->sum_block > 0,
        .ranks = ranks,
        .accumulate = dgm_settings_int(run->settings, "accumulate"),
        .early = early_share(run, params, bucket),
        .behind = BEHIND,
    };
}

dgm_status dgm_plan_report(const struct dgm_run *run, const struct dgm_params *params,
                           const struct dgm_plan_updates *updates)
{
    const struct dgm_settings *settings = run->settings;
    const int ranks = ranks_planned(run->settings);
    struct dgm_link_speed link;
    struct dgm_cost_job job;
    double seconds;

    if (ranks == 0)
        return DGM_OK;
    job = job_of(run, params, ranks);
    report_idle(run->env, &job);
    report_sent(run->env, &job);
    if (!dgm_settings_is_set(settings, "link") ||
        !dgm_link_speed_read(dgm_settings_text(settings, "link"), &link))
        return DGM_OK;
    if (dgm_settings_is_set(settings, "update-seconds"))
        seconds = dgm_settings_real(settings, "update-seconds");
    else
        DGM_TRY(measure(run->env, updates, &seconds));
    job.batch_seconds = seconds / (double)job.accumulate;
    report_times(run->env, &job, &link);
    if (ranks == 1)
        return DGM_OK;
    report_advice(run->env, &job, &link);
    return DGM_OK;
}
