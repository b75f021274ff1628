/* transfers.c: what goes between two ranks, while they wait for it or do something else. */
#include <time.h>

#include "base/ranks/link.h"
#include "base/ranks/ranks.h"
#include "base/system/clock.h"
#include "base/trace/trace.h"

/* Seconds in which messages that are on their way arrive, or are called off. */
#define ABANDON 2.0

static void rest(long nanoseconds)
{
    const struct timespec time = { 0, nanoseconds };

    nanosleep(&time, NULL);
}

/* Nothing may use the caller's memory after the call. A message that is half there, of a rank that
 * hangs, might, and so might one that nobody takes: dgm_ranks_settle goes on with them. */
static void give_up(struct dgm_env *env, struct dgm_ranks *ranks)
{
    const double started = dgm_clock();

    ranks->is_unsafe |= ranks->link->bound(ranks->self) > 0;
    while (ranks->link->abandon(env, ranks->self) > 0) {
        if (dgm_clock() - started > ABANDON) {
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
    if (peer < 0)
        return dgm_fail(env, DGM_FAILURE,
                        "a sum over all ranks has not ended for %ld seconds (--rank-timeout), and "
                        "which of them is at fault is not known; the job ends, its checkpoints "
                        "are kept",
                        (long)patience);
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

/* The time since *since was spent on waiting for a rank; -1: for all others alike. */
static void note_wait(struct dgm_ranks *ranks, int peer, double *since)
{
    const double time = dgm_clock();

    if (ranks->is_timed && peer >= 0)
        ranks->waited[peer] += time - *since;
    for (int i = 0; ranks->is_timed && peer < 0 && i < ranks->count; i++)
        if (i != ranks->rank)
            ranks->waited[i] += (time - *since) / (ranks->count - 1);
    *since = time;
}

/* Where sums alone are left, whoever does not answer holds them up: -1, they all do. Asks when half
 * of the time is over. */
static dgm_status check_patience(struct dgm_env *env, struct dgm_ranks *ranks, int peer,
                                 double patience, double waited, int *has_asked)
{
    if (peer < 0 && !*has_asked && waited > patience / 2) {
        *has_asked = 1;
        dgm_ranks_ask(ranks);
    }
    if (waited <= patience)
        return DGM_OK;
    return fail_silent(env, ranks, peer < 0 && *has_asked ? dgm_ranks_silent(ranks) : peer,
                       patience);
}

static dgm_status wait_for_end(struct dgm_env *env, struct dgm_ranks *ranks, double patience)
{
    const double started = dgm_clock();
    double since = started;
    int left = 1, peer = -1, last = -1, has_asked = 0;

    for (int64_t turns = 0;; turns++) {
        DGM_TRY(ranks->link->test(env, ranks->self, &left, &peer));
        if (left == 0 || peer != last || turns % 64 == 63)
            note_wait(ranks, last, &since);
        if (left == 0)
            return DGM_OK;
        last = peer;
        if (turns % 64 == 63)
            DGM_TRY(dgm_ranks_listen(env, ranks));
        if (patience > 0 && turns % 64 == 63)
            DGM_TRY(check_patience(env, ranks, peer, patience, since - started, &has_asked));
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
    for (int i = 0; i < count; i++)
        if (list[i].is_send) {
            ranks->sent.bytes += list[i].bytes;
            ranks->sent.messages++;
        }
}

static void note_begin(struct dgm_env *env, struct dgm_ranks *ranks)
{
    if (!ranks->is_posted) {
        ranks->posted_at = env->trace != NULL ? dgm_clock() : 0;
        ranks->posted_bytes = ranks->sent.bytes;
    }
    ranks->is_posted = 1;
}

dgm_status dgm_ranks_post(struct dgm_env *env, struct dgm_ranks *ranks,
                          const struct dgm_transfer *list, int count)
{
    note_begin(env, ranks);
    count_sent(ranks, list, count);
    return end(env, ranks, ranks->link->start(env, ranks->self, list, count));
}

dgm_status dgm_ranks_sum(struct dgm_env *env, struct dgm_ranks *ranks, dgm_real *values,
                         size_t count, int root)
{
    note_begin(env, ranks);
    if (root != ranks->rank) {
        ranks->sent.bytes += count * sizeof *values;
        ranks->sent.messages++;
    }
    return end(env, ranks, ranks->link->sum(env, ranks->self, values, count, root));
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
                      dgm_clock());
    ranks->is_posted = 0;
    return status;
}
