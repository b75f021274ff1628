/*
 * test_ranks.c: collective calls of ranks over a link between threads: what arrives where; a rank
 * that fails or does not answer.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/ranks/link.h"
#include "base/ranks/ranks.h"
#include "test.h"

enum { MOST = 4, QUEUE = 64 };

/* ---- a link between threads ------------------------------------------------------------------ */

/* What one rank has sent another, and that has not taken yet. */
struct channel {
    const void *data[QUEUE];
    size_t bytes[QUEUE];
    int is_done[QUEUE];
    int sent, taken;
};

static struct {
    pthread_mutex_t lock;
    struct channel channels[MOST][MOST]; /* from, to */
    struct dgm_notice notices[MOST][QUEUE];
    int noticed[MOST], heard[MOST];
} wire;

struct end {
    int rank, count;
    struct dgm_transfer list[2 * MOST];
    int place[2 * MOST]; /* of a send in its channel; of a receipt -1 until it has ended */
};

static dgm_status wire_start(struct dgm_env *env, void *self, const struct dgm_transfer *transfers,
                             int count)
{
    struct end *end = self;
    int i;

    (void)env;
    pthread_mutex_lock(&wire.lock);
    memcpy(end->list, transfers, (size_t)count * sizeof *transfers);
    end->count = count;
    for (i = 0; i < count; i++) {
        struct channel *to = &wire.channels[end->rank][transfers[i].peer];
        end->place[i] = -1;
        if (!transfers[i].is_send)
            continue;
        end->place[i] = to->sent++ % QUEUE;
        to->data[end->place[i]] = transfers[i].data;
        to->bytes[end->place[i]] = transfers[i].bytes;
        to->is_done[end->place[i]] = 0;
    }
    pthread_mutex_unlock(&wire.lock);
    return DGM_OK;
}

static int has_ended(struct end *end, int i)
{
    struct dgm_transfer *transfer = &end->list[i];
    struct channel *from = &wire.channels[transfer->peer][end->rank];

    if (transfer->is_send)
        return wire.channels[end->rank][transfer->peer].is_done[end->place[i]];
    if (end->place[i] >= 0)
        return 1;
    if (from->taken == from->sent)
        return 0;
    end->place[i] = from->taken++ % QUEUE;
    memcpy(transfer->data, from->data[end->place[i]],
           from->bytes[end->place[i]] < transfer->bytes ? from->bytes[end->place[i]]
                                                        : transfer->bytes);
    from->is_done[end->place[i]] = 1;
    return 1;
}

static dgm_status wire_test(struct dgm_env *env, void *self, int *left, int *peer)
{
    struct end *end = self;
    int i;

    (void)env;
    *left = 0;
    pthread_mutex_lock(&wire.lock);
    for (i = 0; i < end->count; i++)
        if (!has_ended(end, i)) {
            *peer = end->list[i].peer;
            ++*left;
        }
    pthread_mutex_unlock(&wire.lock);
    return DGM_OK;
}

/* Nothing is received but in wire_test. */
static int wire_abandon(void *self)
{
    (void)self;
    return 0;
}

static void wire_tell(void *self, int peer, const struct dgm_notice *notice)
{
    (void)self;
    pthread_mutex_lock(&wire.lock);
    wire.notices[peer][wire.noticed[peer]++ % QUEUE] = *notice;
    pthread_mutex_unlock(&wire.lock);
}

static int wire_hear(void *self, struct dgm_notice *notice)
{
    const struct end *end = self;
    int is_there;

    pthread_mutex_lock(&wire.lock);
    is_there = wire.heard[end->rank] < wire.noticed[end->rank];
    if (is_there)
        *notice = wire.notices[end->rank][wire.heard[end->rank]++ % QUEUE];
    pthread_mutex_unlock(&wire.lock);
    return is_there;
}

static const struct dgm_link link_of_threads = {
    .start = wire_start,
    .test = wire_test,
    .abandon = wire_abandon,
    .tell = wire_tell,
    .hear = wire_hear,
};

/* ---- ranks that are threads ------------------------------------------------------------------ */

static char hosts[MOST][DGM_HOST_SIZE] = { "a", "b", "c", "d" };

/* `work` returns what the rank makes of it; 1: all is as it should be. */
struct job {
    int (*work)(struct dgm_env *env, struct dgm_ranks *ranks);
    struct dgm_ranks ranks;
    struct end end;
    int result;
};

static void *run_rank(void *argument)
{
    struct job *job = argument;
    struct dgm_env env;

    dgm_env_init(&env);
    job->result = job->work(&env, &job->ranks);
    return NULL;
}

/* Whether all of `count` ranks are content. */
static int run_ranks(int count, int (*work)(struct dgm_env *env, struct dgm_ranks *ranks))
{
    static struct job jobs[MOST];
    pthread_t threads[MOST];
    int i, all = 1;

    memset(&wire, 0, sizeof wire);
    memset(jobs, 0, sizeof jobs);
    pthread_mutex_init(&wire.lock, NULL);
    for (i = 0; i < count; i++) {
        struct dgm_ranks *ranks = &jobs[i].ranks;
        jobs[i].work = work;
        jobs[i].end.rank = ranks->rank = i;
        ranks->count = count;
        ranks->link = &link_of_threads;
        ranks->self = &jobs[i].end;
        ranks->hosts = hosts;
        ranks->failed = -1;
        pthread_create(&threads[i], NULL, run_rank, &jobs[i]);
    }
    for (i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        all &= jobs[i].result;
    }
    return all;
}

/* ---- what arrives ---------------------------------------------------------------------------- */

/* Unequal spans, one of them empty: bytes 0-2, none, 3, 4-7. */
static const struct dgm_span spans[MOST] = { { 0, 3 }, { 3, 0 }, { 3, 1 }, { 4, 4 } };

static int gathers(struct dgm_env *env, struct dgm_ranks *ranks)
{
    char records[MOST] = "....", word = ranks->rank == 0 ? 'x' : '.';

    records[ranks->rank] = (char)('A' + ranks->rank);
    return dgm_ranks_gather(env, ranks, records, 1) == DGM_OK && memcmp(records, "ABCD", 4) == 0 &&
           dgm_ranks_broadcast(env, ranks, &word, 1, 0) == DGM_OK && word == 'x';
}

TEST(ranks_gather_and_broadcast)
{
    CHECK(run_ranks(4, gathers));
}

/* Each rank shares its span of "abcdefgh"; rank 0 collects that of others. */
static int shares(struct dgm_env *env, struct dgm_ranks *ranks)
{
    const struct dgm_span *own = &spans[ranks->rank];
    char array[9] = "........", again[9] = "........";

    memcpy(array + own->first, &"abcdefgh"[own->first], own -> count);
    memcpy(again + own->first, &"abcdefgh"[own->first], own -> count);
    return dgm_ranks_share(env, ranks, array, spans) == DGM_OK && strcmp(array, "abcdefgh") == 0 &&
           dgm_ranks_collect(env, ranks, again, spans) == DGM_OK &&
           (ranks->rank != 0 || strcmp(again, "abcdefgh") == 0);
}

TEST(ranks_share_an_array_by_spans)
{
    CHECK(run_ranks(4, shares));
}

/* Rank r's array is eight times the digit r; the first three ranks have one. */
static int deals(struct dgm_env *env, struct dgm_ranks *ranks)
{
    const size_t own = spans[ranks->rank].count;
    char array[8], parts[MOST * 8];
    size_t i;

    memset(array, '0' + ranks->rank, sizeof array);
    if (dgm_ranks_deal(env, ranks, array, spans, 3, parts) != DGM_OK)
        return 0;
    for (i = 0; i < 3 * own; i++)
        if (parts[i] != (char)('0' + i / own))
            return 0;
    return 1;
}

TEST(ranks_deal_arrays_out_by_spans)
{
    CHECK(run_ranks(4, deals));
}

/* Two ranks deal eight bytes out; each shares its span; a record of five bytes goes to each other
 * rank. Empty spans are no messages. */
static int counts(struct dgm_env *env, struct dgm_ranks *ranks)
{
    static const struct dgm_traffic dealt[MOST] = { { 5, 2 }, { 8, 3 }, { 0, 0 }, { 0, 0 } };
    static const struct dgm_traffic shared[MOST] = { { 9, 3 }, { 0, 0 }, { 3, 3 }, { 12, 3 } };
    const int r = ranks->rank;
    char array[8] = "", parts[MOST * 8], records[MOST * 5] = "";

    return dgm_ranks_deal(env, ranks, array, spans, 2, parts) == DGM_OK &&
           ranks->sent.bytes == dealt[r].bytes && ranks->sent.messages == dealt[r].messages &&
           dgm_ranks_share(env, ranks, array, spans) == DGM_OK &&
           ranks->sent.bytes == dealt[r].bytes + shared[r].bytes &&
           ranks->sent.messages == dealt[r].messages + shared[r].messages &&
           dgm_ranks_gather(env, ranks, records, 5) == DGM_OK &&
           ranks->sent.bytes == dealt[r].bytes + shared[r].bytes + 15 &&
           ranks->sent.messages == dealt[r].messages + shared[r].messages + 3;
}

TEST(ranks_count_what_they_send)
{
    CHECK(run_ranks(4, counts));
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

/* Rank 1 fails; the others wait for it. It alone tells the error, with its name. */
static int one_fails(struct dgm_env *env, struct dgm_ranks *ranks)
{
    char records[MOST] = "....";
    dgm_status status = ranks->rank == 1 ? dgm_fail(env, DGM_DATA, "a bad line")
                                         : dgm_ranks_gather(env, ranks, records, 1);

    dgm_ranks_settle(env, ranks, status);
    return status == DGM_DATA && ranks->is_told == (ranks->rank != 1) && !ranks->is_stuck &&
           strcmp(env->error.message, "rank 1 (b): a bad line") == 0;
}

TEST(ranks_end_when_one_fails)
{
    CHECK(run_ranks(3, one_fails));
}

static int all_fail(struct dgm_env *env, struct dgm_ranks *ranks)
{
    dgm_ranks_settle(env, ranks, dgm_fail(env, DGM_DATA, "a bad line"));
    return ranks->is_told == (ranks->rank != 0) && strcmp(env->error.message, "a bad line") == 0;
}

TEST(ranks_tell_the_same_error_once)
{
    CHECK(run_ranks(3, all_fail));
}

/* Rank 2 is silent, until the others have noticed. */
static int one_hangs(struct dgm_env *env, struct dgm_ranks *ranks)
{
    char records[MOST] = "....";

    ranks->patience = 0.2;
    if (ranks->rank == 2)
        return 1;
    return dgm_ranks_gather(env, ranks, records, 1) == DGM_FAILURE && ranks->is_stuck &&
           strstr(env->error.message, "rank 2 (c) has not answered for ") != NULL;
}

TEST(ranks_name_the_one_that_hangs)
{
    CHECK(run_ranks(3, one_hangs));
}

/* A stop that rank 1 is asked for reaches rank 0. */
static int one_is_stopped(struct dgm_env *env, struct dgm_ranks *ranks)
{
    static dgm_flag stop;

    if (ranks->rank == 1) {
        dgm_flag_set(&stop, 1);
        ranks->stop = &stop;
        return dgm_ranks_listen(env, ranks) == DGM_OK && ranks->stop_told;
    }
    while (!ranks->stop_asked)
        if (dgm_ranks_listen(env, ranks) != DGM_OK)
            return 0;
    return 1;
}

TEST(ranks_pass_a_stop_on)
{
    CHECK(run_ranks(2, one_is_stopped));
}
