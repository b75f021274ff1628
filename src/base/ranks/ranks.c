/*
 * ranks.c: collective calls of ranks, as transfers between two of them each.
 *
 * Every rank sends to every other directly. What one rank waits for is then always a certain other
 * one, so that a rank that hangs can be named.
 */
#include "base/ranks/ranks.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/ranks/launcher.h"
#include "base/ranks/link.h"
#include "base/trace/trace.h"

/* Seconds in which other ranks must hear that one has failed. */
#define GRACE 10.0
/* Seconds in which messages that are on their way arrive, or are called off. */
#define ABANDON 2.0

/* ---- waiting --------------------------------------------------------------------------------*/

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void rest(long nanoseconds)
{
    const struct timespec time = { 0, nanoseconds };

    nanosleep(&time, NULL);
}

/* ---- notices --------------------------------------------------------------------------------- */

static void tell_all(struct dgm_ranks *ranks, const struct dgm_notice *notice)
{
    int i;

    for (i = 0; i < ranks->count; i++)
        if (i != ranks->rank)
            ranks->link->tell(ranks->self, i, notice);
}

static struct dgm_notice new_notice(const struct dgm_ranks *ranks, enum dgm_notice_kind kind)
{
    struct dgm_notice notice;

    memset(&notice, 0, sizeof notice);
    notice.kind = (int32_t)kind;
    notice.rank = (int32_t)ranks->rank;
    return notice;
}

/* The first failure that is heard is kept. */
static void note_failure(struct dgm_ranks *ranks, const struct dgm_notice *notice)
{
    if (ranks->failed >= 0)
        return;
    ranks->failed = notice->rank;
    ranks->failure = (dgm_status)notice->status;
    snprintf(ranks->failure_text, sizeof ranks->failure_text, "%.500s", notice->text);
}

static void tell_lead(struct dgm_ranks *ranks, enum dgm_notice_kind kind)
{
    const struct dgm_notice notice = new_notice(ranks, kind);

    ranks->link->tell(ranks->self, 0, &notice);
}

/* A signal may reach any rank. */
static void pass_on(struct dgm_ranks *ranks)
{
    if (ranks->save != NULL && dgm_flag_get(ranks->save)) {
        dgm_flag_set(ranks->save, 0);
        tell_lead(ranks, DGM_NOTICE_SAVE);
    }
    if (!ranks->stop_told && ranks->stop != NULL && dgm_flag_get(ranks->stop)) {
        ranks->stop_told = 1;
        tell_lead(ranks, DGM_NOTICE_STOP);
    }
}

dgm_status dgm_ranks_listen(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_notice notice;

    if (ranks->rank != 0)
        pass_on(ranks);
    while (ranks->failed < 0 && ranks->link->hear(ranks->self, &notice))
        if (notice.kind == DGM_NOTICE_STOP)
            ranks->stop_asked = 1;
        else if (notice.kind == DGM_NOTICE_SAVE)
            ranks->save_asked = 1;
        else if (notice.kind == DGM_NOTICE_FAILED)
            note_failure(ranks, &notice);
    if (ranks->failed < 0)
        return DGM_OK;
    return dgm_fail(env, ranks->failure, "rank %d (%s): %s", ranks->failed,
                    ranks->hosts[ranks->failed], ranks->failure_text);
}

/* ---- transfers ------------------------------------------------------------------------------- */

static dgm_status fail_silent(struct dgm_env *env, struct dgm_ranks *ranks, int peer,
                              double patience)
{
    ranks->is_stuck = 1;
    return dgm_fail(env, DGM_FAILURE,
                    "rank %d (%s) has not answered for %ld seconds (--rank-timeout); the job ends, "
                    "its checkpoints are kept",
                    peer, ranks->hosts[peer], (long)patience);
}

/* Ranks that share a processor must let each other work: after a while, waiting is sleeping. */
static void wait_a_little(int64_t turns)
{
    if (turns > 2000)
        rest(turns > 20000 ? 1000000 : 50000);
}

static dgm_status wait_for_end(struct dgm_env *env, struct dgm_ranks *ranks, double patience)
{
    const double started = now();
    int left = 1, peer = 0;
    int64_t turns;

    for (turns = 0;; turns++) {
        DGM_TRY(ranks->link->test(env, ranks->self, &left, &peer));
        if (left == 0)
            return DGM_OK;
        if (turns % 64 == 63)
            DGM_TRY(dgm_ranks_listen(env, ranks));
        if (patience > 0 && turns % 64 == 63 && now() - started > patience)
            return fail_silent(env, ranks, peer, patience);
        wait_a_little(turns);
    }
}

/* Nothing may write to the caller's memory after the call. A message that is half there, of a rank
 * that hangs, might: then the link must not be used again. */
static void give_up(struct dgm_ranks *ranks)
{
    const double started = now();

    while (ranks->link->abandon(ranks->self) > 0) {
        if (now() - started > ABANDON) {
            ranks->is_stuck = ranks->is_unsafe = 1;
            return;
        }
        rest(1000000);
    }
}

static void count_sent(struct dgm_ranks *ranks, const struct dgm_transfer *transfers, int count)
{
    int i;

    for (i = 0; i < count; i++)
        if (transfers[i].is_send) {
            ranks->sent.bytes += transfers[i].bytes;
            ranks->sent.messages++;
        }
}

static dgm_status run_transfers(struct dgm_env *env, struct dgm_ranks *ranks,
                                const struct dgm_transfer *transfers, int count, double patience)
{
    const double started = env->trace != NULL ? dgm_trace_clock() : 0;
    const uint64_t bytes = ranks->sent.bytes;
    dgm_status status = ranks->link->start(env, ranks->self, transfers, count);

    count_sent(ranks, transfers, count);
    if (status == DGM_OK)
        status = wait_for_end(env, ranks, patience);
    if (status != DGM_OK)
        give_up(ranks);
    if (env->trace != NULL)
        dgm_trace_add(env, DGM_TRACE_LINK, "transfer", "bytes_sent",
                      (int64_t)(ranks->sent.bytes - bytes), started, dgm_trace_clock());
    return status;
}

/* Room for two transfers with each rank. */
static struct dgm_transfer *new_list(struct dgm_env *env, const struct dgm_ranks *ranks)
{
    return dgm_alloc(env, 2 * (size_t)ranks->count, sizeof(struct dgm_transfer));
}

static void add(struct dgm_transfer *list, int *count, int peer, int is_send, void *data,
                size_t bytes)
{
    if (bytes == 0)
        return;
    list[*count].peer = peer;
    list[*count].is_send = is_send;
    list[*count].data = data;
    list[*count].bytes = bytes;
    ++*count;
}

static dgm_status run_list(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_transfer *list,
                           int count, double patience)
{
    dgm_status status = run_transfers(env, ranks, list, count, patience);

    dgm_release(env, list);
    return status;
}

/* Peers in an order that begins behind this rank, so that not all send to rank 0 first. */
static int peer_at(const struct dgm_ranks *ranks, int i)
{
    return (ranks->rank + i) % ranks->count;
}

dgm_status dgm_ranks_gather(struct dgm_env *env, struct dgm_ranks *ranks, void *records,
                            size_t bytes)
{
    struct dgm_transfer *list = new_list(env, ranks);
    char *at = records;
    int i, count = 0;

    if (list == NULL)
        return DGM_MEMORY;
    for (i = 1; i < ranks->count; i++) {
        const int peer = peer_at(ranks, i);
        add(list, &count, peer, 0, at + (size_t)peer * bytes, bytes);
        add(list, &count, peer, 1, at + (size_t)ranks->rank * bytes, bytes);
    }
    return run_list(env, ranks, list, count, ranks->patience);
}

dgm_status dgm_ranks_broadcast(struct dgm_env *env, struct dgm_ranks *ranks, void *data,
                               size_t bytes, double patience)
{
    struct dgm_transfer *list = new_list(env, ranks);
    int i, count = 0;

    if (list == NULL)
        return DGM_MEMORY;
    if (ranks->rank != 0)
        add(list, &count, 0, 0, data, bytes);
    for (i = 1; i < ranks->count && ranks->rank == 0; i++)
        add(list, &count, i, 1, data, bytes);
    return run_list(env, ranks, list, count, patience);
}

dgm_status dgm_ranks_deal(struct dgm_env *env, struct dgm_ranks *ranks, const void *array,
                          const struct dgm_span *spans, int from, void *parts)
{
    const struct dgm_span *own = &spans[ranks->rank];
    struct dgm_transfer *list = new_list(env, ranks);
    const char *bytes = array;
    char *to = parts;
    int i, count = 0;

    if (list == NULL)
        return DGM_MEMORY;
    for (i = 1; i < ranks->count; i++) {
        const int peer = peer_at(ranks, i);
        if (peer < from)
            add(list, &count, peer, 0, to + (size_t)peer * own->count, own->count);
        if (ranks->rank < from)
            add(list, &count, peer, 1, (void *)(uintptr_t)(bytes + spans[peer].first),
                spans[peer].count);
    }
    if (ranks->rank < from)
        memcpy(to + (size_t)ranks->rank * own->count, bytes + own->first, own->count);
    return run_list(env, ranks, list, count, ranks->patience);
}

dgm_status dgm_ranks_share(struct dgm_env *env, struct dgm_ranks *ranks, void *array,
                           const struct dgm_span *spans)
{
    const struct dgm_span *own = &spans[ranks->rank];
    struct dgm_transfer *list = new_list(env, ranks);
    char *bytes = array;
    int i, count = 0;

    if (list == NULL)
        return DGM_MEMORY;
    for (i = 1; i < ranks->count; i++) {
        const int peer = peer_at(ranks, i);
        add(list, &count, peer, 0, bytes + spans[peer].first, spans[peer].count);
        add(list, &count, peer, 1, bytes + own->first, own->count);
    }
    return run_list(env, ranks, list, count, ranks->patience);
}

dgm_status dgm_ranks_collect(struct dgm_env *env, struct dgm_ranks *ranks, void *array,
                             const struct dgm_span *spans)
{
    const struct dgm_span *own = &spans[ranks->rank];
    struct dgm_transfer *list = new_list(env, ranks);
    char *bytes = array;
    int i, count = 0;

    if (list == NULL)
        return DGM_MEMORY;
    if (ranks->rank != 0)
        add(list, &count, 0, 1, bytes + own->first, own->count);
    for (i = 1; i < ranks->count && ranks->rank == 0; i++)
        add(list, &count, i, 0, bytes + spans[i].first, spans[i].count);
    return run_list(env, ranks, list, count, ranks->patience);
}

/* ---- joining and leaving --------------------------------------------------------------------- */

static dgm_status learn_hosts(struct dgm_env *env, struct dgm_ranks *ranks)
{
    ranks->hosts = dgm_alloc(env, (size_t)ranks->count, sizeof *ranks->hosts);
    if (ranks->hosts == NULL)
        return DGM_MEMORY;
    if (gethostname(ranks->hosts[ranks->rank], DGM_HOST_SIZE - 1) != 0)
        strcpy(ranks->hosts[ranks->rank], "unknown");
    return dgm_ranks_gather(env, ranks, ranks->hosts, sizeof *ranks->hosts);
}

/* Several processes that each believe they are alone would train the same model several times. */
static dgm_status open_link(struct dgm_env *env, struct dgm_ranks *ranks, int launched)
{
    DGM_TRY(ranks->link->join(env, ranks));
    if (ranks->count == 1)
        return dgm_fail(env, DGM_FAILURE,
                        "a launcher has started %d processes, but MPI knows of this one alone: it "
                        "is the launcher of another MPI than this program was built with "
                        "(dragoman version --build). Try that one's, or --ranks off",
                        launched);
    return learn_hosts(env, ranks);
}

dgm_status dgm_ranks_join(struct dgm_env *env, struct dgm_ranks **out)
{
    const struct dgm_link *link = dgm_link_here();
    const int launched = dgm_launcher_ranks();
    struct dgm_ranks *ranks;
    dgm_status status;

    *out = NULL;
    if (launched == 1)
        return DGM_OK;
    if (link == NULL)
        return dgm_fail(env, DGM_UNSUPPORTED,
                        "this process is one of %d that a launcher has started, but this program "
                        "was built without MPI (configure --with-mpi) and would train the same "
                        "model in each. Try it without the launcher, or --ranks off",
                        launched);
    ranks = dgm_alloc(env, 1, sizeof *ranks);
    if (ranks == NULL)
        return DGM_MEMORY;
    ranks->link = link;
    ranks->failed = -1;
    status = open_link(env, ranks, launched);
    if (status != DGM_OK) {
        dgm_ranks_leave(env, ranks, 0);
        return status;
    }
    *out = ranks;
    return DGM_OK;
}

void dgm_ranks_leave(struct dgm_env *env, struct dgm_ranks *ranks, int exit_code)
{
    if (ranks == NULL)
        return;
    if (ranks->self != NULL)
        ranks->link->leave(env, ranks->self, ranks->is_stuck, exit_code);
    dgm_release(env, ranks->hosts);
    dgm_release(env, ranks);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* What the others said at the end. */
struct farewell {
    int left;    /* ranks that have said nothing yet */
    int same;    /* that have the same error */
    int is_told; /* by a lower rank */
};

static void hear_farewells(struct dgm_ranks *ranks, const struct dgm_error *error,
                           struct farewell *all)
{
    struct dgm_notice notice;

    while (ranks->link->hear(ranks->self, &notice)) {
        if (notice.kind != DGM_NOTICE_FAILED && notice.kind != DGM_NOTICE_LEAVING)
            continue;
        all->left--;
        if (notice.kind == DGM_NOTICE_FAILED && strcmp(notice.text, error->message) == 0) {
            all->same++;
            all->is_told |= notice.rank < ranks->rank;
        }
    }
}

static void name_rank(const struct dgm_ranks *ranks, struct dgm_error *error)
{
    char message[sizeof error->message];

    strcpy(message, error->message);
    snprintf(error->message, sizeof error->message, "rank %d (%s): %.400s", ranks->rank,
             ranks->hosts[ranks->rank], message);
}

void dgm_ranks_settle(struct dgm_env *env, struct dgm_ranks *ranks, dgm_status status)
{
    const int is_own = ranks->failed < 0 && !ranks->is_told;
    const double started = now();
    struct dgm_notice notice = new_notice(ranks, is_own ? DGM_NOTICE_FAILED : DGM_NOTICE_LEAVING);
    struct farewell all = { 0, 0, 0 };

    ranks->has_ended |= status != DGM_OK;
    if (status == DGM_OK || ranks->is_unsafe)
        return;
    notice.status = (int32_t)status;
    strcpy(notice.text, env->error.message);
    tell_all(ranks, &notice);
    all.left = ranks->count - 1 - (ranks->failed >= 0);
    while (all.left > 0 && now() - started < GRACE) {
        hear_farewells(ranks, &env->error, &all);
        rest(1000000);
    }
    ranks->is_stuck |= all.left > 0;
    ranks->is_told = !is_own || all.is_told;
    if (!ranks->is_told && all.same < ranks->count - 1 && status != DGM_INTERRUPTED)
        name_rank(ranks, &env->error);
}
