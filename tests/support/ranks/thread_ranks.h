/*
 * thread_ranks.h: ranks that are threads of a test, and the link between them. What one sends is
 * taken from its memory when the other receives it, as MPI does with long messages.
 */
#ifndef DGM_TESTS_THREAD_RANKS_H
#define DGM_TESTS_THREAD_RANKS_H

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/ranks/link.h"
#include "base/ranks/ranks.h"

enum { THREAD_RANKS = 4, WIRE_QUEUE = 4096, WIRE_NOTICES = 64, WIRE_LIST = 4096, WIRE_SUMS = 4096 };

/* A message from one rank to another. */
struct wire_message {
    const void *data;
    size_t bytes;
    int channel, is_done;
};

struct wire_channel {
    struct wire_message messages[WIRE_QUEUE];
    int sent;
};

/* The number of a sum is that of its call, the same on all ranks. */
struct wire_sum {
    dgm_real *values[THREAD_RANKS];
    size_t count;
    int root, arrived, is_done;
};

static struct {
    pthread_mutex_t lock;
    struct wire_sum sums[WIRE_SUMS];
    int unlike; /* sums that ranks have not called alike */
    struct wire_channel channels[THREAD_RANKS][THREAD_RANKS]; /* from, to */
    struct dgm_notice notices[THREAD_RANKS][WIRE_NOTICES];
    int noticed[THREAD_RANKS], heard[THREAD_RANKS];
    int refused_notices; /* so many are not taken at first */
    int joined;          /* ranks that have */
    int absent;          /* a rank that never joins, or -1 */
    int failing, starts; /* this rank's link fails when it has been asked so often; starts 0: not */
} wire;

struct wire_transfer {
    struct dgm_transfer what;
    int place; /* of a send in its channel */
};

struct wire_end {
    int rank, count, ranks, is_abandoned;
    struct wire_transfer list[WIRE_LIST];
    int summed, begun; /* sums that have ended, and that were started, here */
    size_t sent;       /* bytes of sends that were started */
};

/* Takes the first message of a channel, or of any (-1), that was not taken; 0: there is none. */
static int wire_take(int from, int to, int channel, void *data, size_t bytes)
{
    struct wire_channel *queue = &wire.channels[from][to];
    int i;

    for (i = queue->sent > WIRE_QUEUE ? queue->sent - WIRE_QUEUE : 0; i < queue->sent; i++) {
        struct wire_message *message = &queue->messages[i % WIRE_QUEUE];

        if (message->is_done || (channel >= 0 && message->channel != channel))
            continue;
        if (data != NULL)
            memcpy(data, message->data, message->bytes < bytes ? message->bytes : bytes);
        message->is_done = 1;
        return 1;
    }
    return 0;
}

static dgm_status wire_start(struct dgm_env *env, void *self, const struct dgm_transfer *transfers,
                             int count)
{
    struct wire_end *end = self;
    int i;

    if (end->rank == wire.failing && wire.starts > 0 && --wire.starts == 0)
        return dgm_fail(env, DGM_FAILURE, "the wire is torn");
    pthread_mutex_lock(&wire.lock);
    for (i = 0; i < count && end->count < WIRE_LIST; i++) {
        struct wire_channel *to = &wire.channels[end->rank][transfers[i].peer];
        struct wire_message *message = &to->messages[to->sent % WIRE_QUEUE];
        end->list[end->count].what = transfers[i];
        end->list[end->count].place = to->sent % WIRE_QUEUE;
        end->count++;
        if (!transfers[i].is_send)
            continue;
        to->sent++;
        end->sent += transfers[i].bytes;
        message->data = transfers[i].data;
        message->bytes = transfers[i].bytes;
        message->channel = transfers[i].channel;
        message->is_done = 0;
    }
    pthread_mutex_unlock(&wire.lock);
    return i == count ? DGM_OK : dgm_fail(env, DGM_FAILURE, "too many transfers for a test");
}

static dgm_status wire_sum(struct dgm_env *env, void *self, dgm_real *values, size_t count,
                           int root)
{
    struct wire_end *end = self;
    struct wire_sum *sum = &wire.sums[end->begun % WIRE_SUMS];

    if (end->rank == wire.failing && wire.starts > 0 && --wire.starts == 0)
        return dgm_fail(env, DGM_FAILURE, "the wire is torn");
    if (end->begun - end->summed >= WIRE_SUMS / 2)
        return dgm_fail(env, DGM_FAILURE, "too many sums for a test");
    pthread_mutex_lock(&wire.lock);
    end->begun++;
    if (sum->arrived == end->ranks) { /* of another round, and over */
        sum->arrived = sum->is_done = 0;
    } else if (sum->arrived > 0) {
        wire.unlike += sum->count != count || sum->root != root;
    }
    sum->values[end->rank] = values;
    sum->count = count;
    sum->root = root;
    sum->arrived++;
    pthread_mutex_unlock(&wire.lock);
    return DGM_OK;
}

static void wire_add(const struct wire_end *end, struct wire_sum *sum)
{
    dgm_real *to = sum->values[end->rank];
    size_t i;
    int rank;

    for (rank = 0; rank < end->ranks; rank++)
        for (i = 0; rank != end->rank && i < sum->count; i++)
            to[i] += sum->values[rank][i];
    sum->is_done = 1;
}

/* In their order, so far as all ranks have called them: the root adds, the others wait for it. */
static void wire_test_sums(struct wire_end *end)
{
    while (end->summed < end->begun) {
        struct wire_sum *sum = &wire.sums[end->summed % WIRE_SUMS];

        if (sum->root == end->rank && sum->arrived == end->ranks && !sum->is_done)
            wire_add(end, sum);
        if (!sum->is_done)
            return;
        end->summed++;
    }
}

static int wire_bound(const void *self)
{
    const struct wire_end *end = self;

    return end->begun - end->summed;
}

static int wire_has_ended(const struct wire_end *end, const struct wire_transfer *transfer)
{
    const struct dgm_transfer *what = &transfer->what;

    return what->is_send ? wire.channels[end->rank][what->peer].messages[transfer->place].is_done
                         : wire_take(what->peer, end->rank, what->channel, what->data, what->bytes);
}

static dgm_status wire_test(struct dgm_env *env, void *self, int *left, int *peer)
{
    struct wire_end *end = self;
    int i, kept = 0;

    (void)env;
    pthread_mutex_lock(&wire.lock);
    for (i = 0; i < end->count; i++)
        if (!wire_has_ended(end, &end->list[i]))
            end->list[kept++] = end->list[i];
    wire_test_sums(end);
    pthread_mutex_unlock(&wire.lock);
    end->count = kept;
    *left = kept + wire_bound(end);
    *peer = kept > 0 ? end->list[0].what.peer : -1;
    return DGM_OK;
}

static int wire_abandon(struct dgm_env *env, void *self)
{
    struct wire_end *end = self;
    int i, kept = 0, left, peer;

    pthread_mutex_lock(&wire.lock);
    for (i = 0; i < end->count; i++)
        if (end->list[i].what.is_send)
            end->list[kept++] = end->list[i];
    end->count = kept;
    for (i = 0; i < end->ranks; i++)
        while (wire_take(i, end->rank, -1, NULL, 0))
            ;
    pthread_mutex_unlock(&wire.lock);
    wire_test(env, self, &left, &peer);
    return left - wire_bound(end);
}

static int wire_tell(void *self, int peer, const struct dgm_notice *notice)
{
    int is_taken;

    (void)self;
    pthread_mutex_lock(&wire.lock);
    is_taken = wire.refused_notices == 0;
    if (is_taken)
        wire.notices[peer][wire.noticed[peer]++ % WIRE_NOTICES] = *notice;
    else
        wire.refused_notices--;
    pthread_mutex_unlock(&wire.lock);
    return is_taken;
}

static int wire_hear(void *self, struct dgm_notice *notice)
{
    const struct wire_end *end = self;
    int is_there;

    pthread_mutex_lock(&wire.lock);
    is_there = wire.heard[end->rank] < wire.noticed[end->rank];
    if (is_there)
        *notice = wire.notices[end->rank][wire.heard[end->rank]++ % WIRE_NOTICES];
    pthread_mutex_unlock(&wire.lock);
    return is_there;
}

/* ---- ranks that are threads ------------------------------------------------------------------ */

/* `work` returns what the rank makes of it; 1: all is as it should be. */
struct wire_job {
    int (*work)(struct dgm_env *env, struct dgm_ranks *ranks);
    struct wire_end end;
    pthread_t thread;
    int result;
};

/* The end of the thread that joins stands at env->log_user. */
static dgm_status wire_join(struct dgm_env *env, struct dgm_ranks *ranks, double patience)
{
    struct wire_job *job = env->log_user;

    (void)patience;
    ranks->self = &job->end;
    ranks->rank = ranks->local = job->end.rank;
    ranks->count = ranks->locals = job->end.ranks;
    return DGM_OK;
}

static void wire_leave(struct dgm_env *env, void *self, int by_force, int exit_code)
{
    (void)env, (void)self, (void)by_force, (void)exit_code;
}

static const struct dgm_link thread_link = {
    .join = wire_join,
    .start = wire_start,
    .sum = wire_sum,
    .test = wire_test,
    .abandon = wire_abandon,
    .bound = wire_bound,
    .tell = wire_tell,
    .hear = wire_hear,
    .leave = wire_leave,
};

/* Hosts are called a, b, c, d. */
static void name_places(struct dgm_ranks *ranks)
{
    int i;

    for (i = 0; i < ranks->count && ranks->places != NULL; i++) {
        ranks->places[i].host[0] = (char)('a' + i);
        ranks->places[i].host[1] = '\0';
    }
}

/* Seconds that all need to join, on a busy machine too; and those for one who never comes. */
static const double WIRE_LONG = 60, WIRE_SHORT = 1;

/* Waits until `count` have joined: whoever fails at once is not heard by one that still joins. */
static void wire_meet(int count)
{
    const struct timespec pause = { 0, 1000000 };
    int joined;

    pthread_mutex_lock(&wire.lock);
    wire.joined++;
    pthread_mutex_unlock(&wire.lock);
    do {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&wire.lock);
        joined = wire.joined;
        pthread_mutex_unlock(&wire.lock);
    } while (joined < count);
}

static void *run_rank(void *argument)
{
    const double patience = wire.absent < 0 ? WIRE_LONG : WIRE_SHORT;
    struct wire_job *job = argument;
    struct dgm_ranks *ranks = NULL;
    struct dgm_env env;

    dgm_env_init(&env);
    env.log_user = job;
    if (job->end.rank == wire.absent)
        return NULL;
    job->result = dgm_ranks_join_by(&env, &thread_link, job->end.ranks, patience, &ranks) == DGM_OK;
    if (wire.absent < 0)
        wire_meet(job->end.ranks);
    ranks->patience = 0;
    name_places(ranks);
    if (job->result || wire.absent >= 0)
        job->result = job->work(&env, ranks);
    dgm_ranks_leave(&env, ranks, 0);
    return NULL;
}

static struct wire_job wire_jobs[THREAD_RANKS];

/* Whether all of `count` ranks are content. */
static int run_ranks_without(int count, int absent,
                             int (*work)(struct dgm_env *env, struct dgm_ranks *ranks))
{
    int i, all = 1;
    const int failing = wire.failing, starts = wire.starts;

    memset(&wire, 0, sizeof wire);
    wire.failing = failing;
    wire.starts = starts;
    memset(wire_jobs, 0, sizeof wire_jobs);
    pthread_mutex_init(&wire.lock, NULL);
    wire.absent = absent;
    for (i = 0; i < count; i++) {
        wire_jobs[i].work = work;
        wire_jobs[i].end.rank = i;
        wire_jobs[i].end.ranks = count;
        pthread_create(&wire_jobs[i].thread, NULL, run_rank, &wire_jobs[i]);
    }
    for (i = 0; i < count; i++) {
        pthread_join(wire_jobs[i].thread, NULL);
        all &= wire_jobs[i].result || i == absent;
    }
    return all;
}

static inline int run_ranks(int count, int (*work)(struct dgm_env *env, struct dgm_ranks *ranks))
{
    return run_ranks_without(count, -1, work);
}

#endif
