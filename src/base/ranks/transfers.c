/* transfers.c: what goes between two ranks, while they wait for it or do something else. */
#include <time.h>

#include "base/ranks/link.h"
#include "base/ranks/ranks.h"
#include "base/trace/trace.h"

/* Seconds in which messages that are on their way arrive, or are called off. */
#define ABANDON 2.0

double dgm_ranks_clock(void)
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

/* Nothing may use the caller's memory after the call. A message that is half there, of a rank that
 * hangs, might, and so might one that nobody takes: dgm_ranks_settle goes on with them. */
static void give_up(struct dgm_env *env, struct dgm_ranks *ranks)
{
    const double started = dgm_ranks_clock();

    while (ranks->link->abandon(env, ranks->self) > 0) {
        if (dgm_ranks_clock() - started > ABANDON) {
            ranks->is_unsafe = 1;
            return;
        }
        rest(1000000);
    }
}

static dgm_status fail_silent(struct dgm_env *env, struct dgm_ranks *ranks, int peer,
                              double patience)
{
    ranks->is_stuck = 1;
    return dgm_fail(env, DGM_FAILURE,
                    "rank %d (%s) has not answered for %ld seconds (--rank-timeout); the job ends, "
                    "its checkpoints are kept",
                    peer, ranks->places[peer].host, (long)patience);
}

/* Ranks that share a processor must let each other work: after a while, waiting is sleeping. */
static void wait_a_little(int64_t turns)
{
    if (turns > 2000)
        rest(turns > 20000 ? 1000000 : 50000);
}

/* The time since *since was spent on waiting for a rank. */
static void note_wait(struct dgm_ranks *ranks, int peer, double *since)
{
    const double time = dgm_ranks_clock();

    if (ranks->is_timed)
        ranks->waited[peer] += time - *since;
    *since = time;
}

static dgm_status wait_for_end(struct dgm_env *env, struct dgm_ranks *ranks, double patience)
{
    const double started = dgm_ranks_clock();
    double since = started;
    int left = 1, peer = 0, last = 0;
    int64_t turns;

    for (turns = 0;; turns++) {
        DGM_TRY(ranks->link->test(env, ranks->self, &left, &peer));
        if (left == 0 || peer != last || turns % 64 == 63)
            note_wait(ranks, last, &since);
        if (left == 0)
            return DGM_OK;
        last = peer;
        if (turns % 64 == 63)
            DGM_TRY(dgm_ranks_listen(env, ranks));
        if (patience > 0 && turns % 64 == 63 && since - started > patience)
            return fail_silent(env, ranks, peer, patience);
        wait_a_little(turns);
    }
}

static dgm_status end(struct dgm_env *env, struct dgm_ranks *ranks, dgm_status status)
{
    if (status != DGM_OK)
        give_up(env, ranks);
    return status;
}

static void count_sent(struct dgm_ranks *ranks, const struct dgm_transfer *list, int count)
{
    int i;

    for (i = 0; i < count; i++)
        if (list[i].is_send) {
            ranks->sent.bytes += list[i].bytes;
            ranks->sent.messages++;
        }
}

dgm_status dgm_ranks_post(struct dgm_env *env, struct dgm_ranks *ranks,
                          const struct dgm_transfer *list, int count)
{
    if (!ranks->is_posted) {
        ranks->posted_at = env->trace != NULL ? dgm_trace_clock() : 0;
        ranks->posted_bytes = ranks->sent.bytes;
    }
    ranks->is_posted = 1;
    count_sent(ranks, list, count);
    return end(env, ranks, ranks->link->start(env, ranks->self, list, count));
}

dgm_status dgm_ranks_poke(struct dgm_env *env, struct dgm_ranks *ranks)
{
    int left, peer;

    return end(env, ranks, ranks->link->test(env, ranks->self, &left, &peer));
}

dgm_status dgm_ranks_wait(struct dgm_env *env, struct dgm_ranks *ranks, double patience)
{
    const dgm_status status = end(env, ranks, wait_for_end(env, ranks, patience));

    if (env->trace != NULL)
        dgm_trace_add(env, DGM_TRACE_LINK, "transfer", "bytes_sent",
                      (int64_t)(ranks->sent.bytes - ranks->posted_bytes), ranks->posted_at,
                      dgm_trace_clock());
    ranks->is_posted = 0;
    return status;
}
