/* batch_size.c: as many tokens of a batch as the memory has room for. */
#include "train/plan/batch_size.h"

#include "base/mem.h"
#include "base/ranks/ranks.h"
#include "base/system/capacity.h"
#include "base/system/meter.h"
#include "base/system/room.h"
#include "train/options.h"
#include "train/plan/fit.h"
#include "train/plan/held.h"

/* Where --memory is not given, a run takes this share of what the machine lets it have, for others
 * need some, too; of another device always, whose driver needs some. */
#define SHARE_OF_HOST 0.5
#define SHARE_OF_DEVICE 0.75

/* Of an epoch: with fewer, there are hardly any updates. */
enum { FEW_BATCHES = 10 };

/* ---- the limit ------------------------------------------------------------------------------- */

static double asked_limit(const struct dgm_run *run)
{
    const struct dgm_meter *meter = run->env->meter;

    return meter != NULL ? (double)meter->limit : 0;
}

/* Ranks of one machine share it. */
static double host_share(const struct dgm_run *run)
{
    const struct dgm_ranks *ranks = run->ranks;

    return SHARE_OF_HOST * (double)dgm_capacity_memory() / (ranks != NULL ? ranks->locals : 1);
}

/* Of the process on this device; 0: not known. */
static double limit_on(const struct dgm_run *run, const struct dgm_device *device)
{
    const double asked = asked_limit(run), share = SHARE_OF_DEVICE * (double)device->memory;

    if (device->host == NULL)
        return asked > 0 ? asked : host_share(run);
    return asked > 0 && (asked < share || share <= 0) ? asked : share;
}

/* The least on all devices that compute: each holds a step. Steps that are tried are up to about
 * twice as large, and shall be counted by a process of 32 bits, too. */
static double find_limit(const struct dgm_run *run)
{
    double least = (double)(SIZE_MAX / 4), limit;

    for (int i = 0; i < dgm_replicas_useful(run); i++) {
        limit = limit_on(run, run->devices->items[i]);
        if (limit <= 0)
            return 0;
        least = limit < least ? limit : least;
    }
    return least;
}

/* ---- choosing -------------------------------------------------------------------------------- */

struct choice {
    struct dgm_run *run;
    struct dgm_trainee *trainee;
    struct dgm_course *course;
    struct dgm_replicas *replicas;
    double limit;
    int64_t fewest;       /* batches, however many tokens they may have */
    struct dgm_need need; /* of the number that was asked last */
    double held;          /* by the process besides, where there are ranks; 0: not asked yet */
};

/*
 * What a library of MPI takes nobody knows before it is there: of Open MPI 4.1, 75 MiB. So with
 * ranks the process is asked, once, and in steps of 16 MiB, which hide most of what differs from
 * run to run. Ranks agree on a number, whatever each of them finds.
 */
static void ask_process(struct choice *choice)
{
    const double step = 16 << 20;
    double steps;

    if (choice->run->ranks == NULL || choice->held > 0)
        return;
    steps = dgm_held_besides(choice->run->settings, &choice->course->windows, &choice->need) / step;
    choice->held = step * (double)((int64_t)steps + 1);
}

static double total_of(const struct choice *choice)
{
    const double counted = dgm_need_program(choice->trainee, &choice->course->windows);

    return dgm_need_total(&choice->need) + (counted > choice->held ? counted : choice->held) +
           DGM_BETWEEN_STARTS;
}

static dgm_status cut(struct choice *choice, int64_t tokens)
{
    struct dgm_order_options *options = &choice->run->options.order;

    options->batch_tokens = tokens;
    return dgm_windows_cut(choice->run->env, &choice->course->windows, &choice->course->order,
                           choice->trainee->corpus, options, choice->run->state.epoch);
}

/* Constants of a batch beyond what numbers of 32 bits count do not fit. */
static int is_too_large(dgm_status status, int64_t tokens)
{
    return status == DGM_DATA && tokens > 1;
}

static dgm_status ask(void *user, int64_t tokens, int *fits, int *is_all)
{
    struct choice *choice = user;
    struct dgm_env *env = choice->run->env;
    dgm_status status;

    *fits = 0;
    DGM_TRY(dgm_poll(env));
    DGM_TRY(cut(choice, tokens));
    *is_all = choice->course->order.batches <= choice->fewest;
    status = dgm_need_find(choice->run, choice->trainee, choice->course, choice->replicas,
                           &choice->need);
    if (is_too_large(status, tokens)) {
        dgm_env_clear_error(env);
        return DGM_OK;
    }
    DGM_TRY(status);
    ask_process(choice);
    *fits = total_of(choice) <= choice->limit;
    return DGM_OK;
}

static long long to_mib(double bytes)
{
    return (long long)(bytes / 1048576);
}

/* The need that is there is that of a sentence at a time. */
static dgm_status refuse(struct choice *choice)
{
    const struct dgm_run *run = choice->run;
    const double needed = total_of(choice);
    const double saved = dgm_need_saved_by_recompute(run->settings, &choice->need);
    const int helps = saved > 0 && needed - saved <= choice->limit;

    return dgm_fail(run->env, DGM_MEMORY,
                    "--batch-tokens auto: with one sentence at a time this run needs %lld MiB, "
                    "%s %lld. Try %s--memory %lldM",
                    to_mib(needed) + 1, asked_limit(run) > 0 ? "--memory allows" : "and may take",
                    to_mib(choice->limit), helps ? "--recompute or " : "", to_mib(needed) + 1);
}

static dgm_status choose(struct choice *choice, int64_t *tokens)
{
    choice->limit = find_limit(choice->run);
    if (choice->limit <= 0)
        return dgm_fail(choice->run->env, DGM_USAGE,
                        "--batch-tokens auto: how much memory there is is not known; expected "
                        "--memory");
    DGM_TRY(cut(choice, DGM_BATCH_TOKENS_MOST));
    choice->fewest = choice->course->order.batches;
    DGM_TRY(dgm_fit_find(ask, choice, DGM_BATCH_TOKENS_MOST, tokens));
    return *tokens > 0 ? DGM_OK : refuse(choice);
}

/* Ranks may have different limits, and rank 0 has more to do: the least number holds for all. */
static dgm_status agree(const struct dgm_run *run, int64_t *tokens)
{
    const int count = dgm_run_count(run);
    int64_t *numbers;
    dgm_status status;

    if (run->ranks == NULL)
        return DGM_OK;
    DGM_TRY(dgm_new(run->env, &numbers, (size_t)count, sizeof *numbers));
    numbers[dgm_run_rank(run)] = *tokens;
    status = dgm_ranks_gather(run->env, run->ranks, numbers, sizeof *numbers);
    for (int i = 0; i < count && status == DGM_OK; i++)
        *tokens = numbers[i] < *tokens ? numbers[i] : *tokens;
    dgm_release(run->env, numbers);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void tell(const struct dgm_run *run, const struct dgm_course *course, double limit)
{
    struct dgm_env *env = run->env;
    const int is_part = dgm_windows_count(&course->windows) > 1;

    dgm_log(env, DGM_LOG_NOTE, "batch-tokens: auto chose %lld, %lld batches %s, to fit %s%lld MiB",
            (long long)run->state.batch_tokens, (long long)course->order.batches,
            is_part ? "of the first part of an epoch" : "an epoch",
            asked_limit(run) > 0 ? "--memory " : "", to_mib(limit));
    if (!is_part && course->order.batches < FEW_BATCHES)
        dgm_log(env, DGM_LOG_WARNING,
                "batch-tokens: an epoch has only %lld batches; a smaller --memory, or a number, "
                "gives it more",
                (long long)course->order.batches);
}

static dgm_status take_new(struct choice *choice)
{
    struct dgm_run *run = choice->run;
    int64_t tokens;

    DGM_TRY(choose(choice, &tokens));
    DGM_TRY(agree(run, &tokens));
    DGM_TRY(cut(choice, tokens));
    run->state.batch_tokens = tokens;
    tell(run, choice->course, choice->limit);
    /* What larger batches were staged in goes. */
    dgm_replicas_clear(run, choice->trainee, choice->replicas);
    return dgm_replicas_init(run, choice->trainee, choice->replicas);
}

dgm_status dgm_batch_size_take(struct dgm_run *run, struct dgm_trainee *trainee,
                               struct dgm_course *course, struct dgm_replicas *replicas)
{
    struct choice choice = { run, trainee, course, replicas, .held = 0 };

    if (!run->options.fits_memory)
        return DGM_OK;
    if (run->state.batch_tokens == 0)
        return take_new(&choice);
    dgm_log(run->env, DGM_LOG_NOTE, "batch-tokens: %lld, as auto chose when this training began",
            (long long)run->state.batch_tokens);
    return DGM_OK;
}
