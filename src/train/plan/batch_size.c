/* batch_size.c: as many tokens of a batch as the memory has room for. */
#include "train/plan/batch_size.h"

#include "base/mem.h"
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

static double asked_limit(const struct dgm_session *session)
{
    const struct dgm_meter *meter = session->run.env->meter;

    return meter != NULL ? (double)meter->limit : 0;
}

/* Ranks of one machine share it. */
static double host_share(const struct dgm_session *session)
{
    const struct dgm_ranks *ranks = session->run.ranks;

    return SHARE_OF_HOST * (double)dgm_capacity_memory() / (ranks != NULL ? ranks->locals : 1);
}

/* Of the process on this device; 0: not known. */
static double limit_on(const struct dgm_session *session, const struct dgm_device *device)
{
    const double asked = asked_limit(session), share = SHARE_OF_DEVICE * (double)device->memory;

    if (device->host == NULL)
        return asked > 0 ? asked : host_share(session);
    return asked > 0 && (asked < share || share <= 0) ? asked : share;
}

/* The least on all devices that compute: each holds a step. Steps that are tried are up to about
 * twice as large, and shall be counted by a process of 32 bits, too. */
static double find_limit(const struct dgm_session *session)
{
    double least = (double)(SIZE_MAX / 4), limit;
    int i;

    for (i = 0; i < dgm_replicas_useful(&session->run); i++) {
        limit = limit_on(session, session->run.devices->items[i]);
        if (limit <= 0)
            return 0;
        least = limit < least ? limit : least;
    }
    return least;
}

/* ---- choosing -------------------------------------------------------------------------------- */

struct choice {
    struct dgm_session *session;
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

    if (choice->session->run.ranks == NULL || choice->held > 0)
        return;
    steps = dgm_held_besides(choice->session, &choice->need) / step;
    choice->held = step * (double)((int64_t)steps + 1);
}

static double total_of(const struct choice *choice)
{
    const double counted = dgm_need_program(choice->session);

    return dgm_need_total(&choice->need) + (counted > choice->held ? counted : choice->held) +
           DGM_BETWEEN_STARTS;
}

static dgm_status cut(struct dgm_session *session, int64_t tokens)
{
    session->run.options.order.batch_tokens = tokens;
    return dgm_windows_cut(session->run.env, &session->course.windows, &session->course.order,
                           session->trainee.corpus, &session->run.options.order,
                           session->run.state.epoch);
}

/* Constants of a batch beyond what numbers of 32 bits count do not fit. */
static int is_too_large(dgm_status status, int64_t tokens)
{
    return status == DGM_DATA && tokens > 1;
}

static dgm_status ask(void *user, int64_t tokens, int *fits, int *is_all)
{
    struct choice *choice = user;
    struct dgm_session *session = choice->session;
    dgm_status status;

    *fits = 0;
    DGM_TRY(dgm_poll(session->run.env));
    DGM_TRY(cut(session, tokens));
    *is_all = session->course.order.batches <= choice->fewest;
    status = dgm_need_find(session, &choice->need);
    if (is_too_large(status, tokens)) {
        dgm_env_clear_error(session->run.env);
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
    const struct dgm_session *session = choice->session;
    const double needed = total_of(choice);
    const int helps = dgm_need_saved_by_recompute(session, &choice->need) > 0 &&
                      needed - dgm_need_saved_by_recompute(session, &choice->need) <= choice->limit;

    return dgm_fail(session->run.env, DGM_MEMORY,
                    "--batch-tokens auto: with one sentence at a time this run needs %lld MiB, "
                    "%s %lld. Try %s--memory %lldM",
                    to_mib(needed) + 1,
                    asked_limit(session) > 0 ? "--memory allows" : "and may take",
                    to_mib(choice->limit), helps ? "--recompute or " : "", to_mib(needed) + 1);
}

static dgm_status choose(struct choice *choice, int64_t *tokens)
{
    struct dgm_session *session = choice->session;

    choice->limit = find_limit(session);
    if (choice->limit <= 0)
        return dgm_fail(session->run.env, DGM_USAGE,
                        "--batch-tokens auto: how much memory there is is not known; expected "
                        "--memory");
    DGM_TRY(cut(session, DGM_BATCH_TOKENS_MOST));
    choice->fewest = session->course.order.batches;
    DGM_TRY(dgm_fit_find(ask, choice, DGM_BATCH_TOKENS_MOST, tokens));
    return *tokens > 0 ? DGM_OK : refuse(choice);
}

/* Ranks may have different limits, and rank 0 has more to do: the least number holds for all. */
static dgm_status agree(struct dgm_session *session, int64_t *tokens)
{
    const int count = dgm_run_count(&session->run);
    int64_t *numbers;
    dgm_status status;

    if (session->run.ranks == NULL)
        return DGM_OK;
    numbers = dgm_alloc(session->run.env, (size_t)count, sizeof *numbers);
    if (numbers == NULL)
        return DGM_MEMORY;
    numbers[dgm_run_rank(&session->run)] = *tokens;
    status = dgm_ranks_gather(session->run.env, session->run.ranks, numbers, sizeof *numbers);
    for (int i = 0; i < count && status == DGM_OK; i++)
        *tokens = numbers[i] < *tokens ? numbers[i] : *tokens;
    dgm_release(session->run.env, numbers);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void tell(const struct dgm_session *session, double limit)
{
    struct dgm_env *env = session->run.env;
    const int is_part = dgm_windows_count(&session->course.windows) > 1;

    dgm_log(env, DGM_LOG_NOTE, "batch-tokens: auto chose %lld, %lld batches %s, to fit %s%lld MiB",
            (long long)session->run.state.batch_tokens, (long long)session->course.order.batches,
            is_part ? "of the first part of an epoch" : "an epoch",
            asked_limit(session) > 0 ? "--memory " : "", to_mib(limit));
    if (!is_part && session->course.order.batches < FEW_BATCHES)
        dgm_log(env, DGM_LOG_WARNING,
                "batch-tokens: an epoch has only %lld batches; a smaller --memory, or a number, "
                "gives it more",
                (long long)session->course.order.batches);
}

static dgm_status take_new(struct dgm_session *session)
{
    struct choice choice = { .session = session };
    int64_t tokens;

    DGM_TRY(choose(&choice, &tokens));
    DGM_TRY(agree(session, &tokens));
    DGM_TRY(cut(session, tokens));
    session->run.state.batch_tokens = tokens;
    tell(session, choice.limit);
    /* What larger batches were staged in goes. */
    dgm_replicas_clear(&session->run, &session->trainee, &session->stepper.replicas);
    return dgm_replicas_init(&session->run, &session->trainee, &session->stepper.replicas);
}

dgm_status dgm_batch_size_take(struct dgm_session *session)
{
    if (!session->run.options.fits_memory)
        return DGM_OK;
    if (session->run.state.batch_tokens == 0)
        return take_new(session);
    dgm_log(session->run.env, DGM_LOG_NOTE,
            "batch-tokens: %lld, as auto chose when this training began",
            (long long)session->run.state.batch_tokens);
    return DGM_OK;
}
