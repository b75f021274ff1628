/*
 * test_dealer.c: pieces that are dealt out to ranks that are threads: all answers, in their order,
 * whatever rank is slow; a rank that fails, hangs or is stopped.
 */
#include "base/ranks/dealer.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/ranks/link.h"
#include "base/ranks/mail.h"
#include "test.h"

enum { MOST = 4, QUEUE = 4096 };

/* ---- a link between threads, for letters and notices ----------------------------------------- */

static struct {
    pthread_mutex_t lock;
    struct dgm_transfer sent[MOST][MOST][QUEUE]; /* from, to; data NULL: taken */
    int count[MOST][MOST], taken[MOST][MOST];
    struct dgm_notice notices[MOST][QUEUE];
    int noticed[MOST], heard[MOST];
} wire;

struct end {
    int rank, count;
    struct dgm_transfer letters[QUEUE];
    int place[QUEUE]; /* of a send, in its queue */
};

static dgm_status wire_post(struct dgm_env *env, void *self, const struct dgm_transfer *transfer,
                            int *letter)
{
    struct end *end = self;
    const int to = transfer->peer;

    (void)env;
    pthread_mutex_lock(&wire.lock);
    *letter = end->count++;
    end->letters[*letter] = *transfer;
    if (transfer->is_send) {
        end->place[*letter] = wire.count[end->rank][to]++;
        wire.sent[end->rank][to][end->place[*letter]] = *transfer;
    }
    pthread_mutex_unlock(&wire.lock);
    return end->count < QUEUE ? DGM_OK : dgm_fail(env, DGM_MEMORY, "too many letters");
}

/* The next letter is copied, and its sender is free. */
static int receive(const struct end *end, const struct dgm_transfer *to)
{
    int *taken = &wire.taken[to->peer][end->rank];
    struct dgm_transfer *from = &wire.sent[to->peer][end->rank][*taken];

    if (*taken == wire.count[to->peer][end->rank])
        return 0;
    memcpy(to->data, from->data, from->bytes < to->bytes ? from->bytes : to->bytes);
    from->data = NULL;
    ++*taken;
    return 1;
}

static dgm_status wire_ended(struct dgm_env *env, void *self, int letter, int *has_ended)
{
    struct end *end = self;
    const struct dgm_transfer *transfer = &end->letters[letter];

    (void)env;
    pthread_mutex_lock(&wire.lock);
    *has_ended = transfer->is_send
                     ? wire.sent[end->rank][transfer->peer][end->place[letter]].data == NULL
                     : receive(end, transfer);
    pthread_mutex_unlock(&wire.lock);
    return DGM_OK;
}

/* What others have sent is taken; how much of what this rank has sent is not. */
static int wire_abandon(struct dgm_env *env, void *self)
{
    const struct end *end = self;
    int from, i, left = 0;

    (void)env;
    pthread_mutex_lock(&wire.lock);
    for (from = 0; from < MOST; from++)
        while (wire.taken[from][end->rank] < wire.count[from][end->rank])
            wire.sent[from][end->rank][wire.taken[from][end->rank]++].data = NULL;
    for (i = 0; i < end->count; i++)
        left += end->letters[i].is_send &&
                wire.sent[end->rank][end->letters[i].peer][end->place[i]].data != NULL;
    pthread_mutex_unlock(&wire.lock);
    return left;
}

static int wire_bound(const void *self)
{
    (void)self;
    return 0;
}

static int wire_tell(void *self, int peer, const struct dgm_notice *notice)
{
    (void)self;
    pthread_mutex_lock(&wire.lock);
    wire.notices[peer][wire.noticed[peer]++] = *notice;
    pthread_mutex_unlock(&wire.lock);
    return 1;
}

static int wire_hear(void *self, struct dgm_notice *notice)
{
    const struct end *end = self;
    int is_there;

    pthread_mutex_lock(&wire.lock);
    is_there = wire.heard[end->rank] < wire.noticed[end->rank];
    if (is_there)
        *notice = wire.notices[end->rank][wire.heard[end->rank]++];
    pthread_mutex_unlock(&wire.lock);
    return is_there;
}

static const struct dgm_link link_of_threads = {
    .post = wire_post,
    .ended = wire_ended,
    .abandon = wire_abandon,
    .bound = wire_bound,
    .tell = wire_tell,
    .hear = wire_hear,
};

/* ---- ranks that are threads ------------------------------------------------------------------ */

static struct dgm_place places[MOST] = { { .host = "a" }, { .host = "b" }, { .host = "c" } };

/* What is dealt, and what came of it. */
struct job {
    int pieces;        /* rank 0 has so many */
    int slow, failing; /* ranks, or -1 */
    dgm_flag *stop;    /* set when rank 1 has worked, or NULL */
    struct dgm_ranks ranks;
    struct dgm_farewell farewells[MOST];
    struct end end;
    int read, written, worked;
    int is_behind; /* an answer stood at a wrong place, or too many were under way */
    dgm_status status;
    char message[512];
};

static dgm_status read_number(struct dgm_env *env, void *user, struct dgm_buf *piece,
                              enum dgm_supply *supply)
{
    struct job *job = user;

    *supply = DGM_SUPPLY_END;
    if (job->read == job->pieces)
        return DGM_OK;
    job->is_behind |= job->read - job->written >= 6 * job->ranks.count;
    *supply = job->read % 7 == 3 && job->worked++ % 2 == 0 ? DGM_SUPPLY_LATER : DGM_SUPPLY_PIECE;
    if (*supply == DGM_SUPPLY_LATER || job->read++ == 5) /* piece 5 is empty */
        return DGM_OK;
    return dgm_buf_add_format(env, piece, "%d", job->read - 1);
}

static dgm_status answer_number(struct dgm_env *env, void *user, const struct dgm_buf *piece,
                                struct dgm_buf *answer)
{
    const struct timespec nap = { 0, 20000000 };
    struct job *job = user;

    job->worked++;
    if (job->ranks.rank == job->slow)
        nanosleep(&nap, NULL);
    if (job->ranks.rank == job->failing)
        return dgm_fail(env, DGM_DATA, "a bad piece");
    DGM_TRY(dgm_poll(env));
    if (job->ranks.rank == 1 && job->stop != NULL)
        dgm_flag_set(job->stop, 1);
    return piece->size == 0 ? DGM_OK : dgm_buf_add_format(env, answer, "<%s>", piece->data);
}

static dgm_status write_number(struct dgm_env *env, void *user, const struct dgm_buf *answer)
{
    struct job *job = user;
    char wanted[16];

    (void)env;
    snprintf(wanted, sizeof wanted, "<%d>", job->written);
    job->is_behind |= job->written == 5 ? answer->size != 0
                                        : answer->size == 0 || strcmp(answer->data, wanted) != 0;
    job->written++;
    return DGM_OK;
}

static void *run_rank(void *argument)
{
    struct job *job = argument;
    const struct dgm_dealing dealing = { read_number, write_number, answer_number, job };
    struct dgm_env env;

    dgm_env_init(&env);
    job->status = dgm_deal(&env, &job->ranks, &dealing);
    dgm_ranks_settle(&env, &job->ranks, job->status);
    strcpy(job->message, env.error.message);
    return NULL;
}

static struct job jobs[MOST];

static void prepare(int pieces)
{
    int i;

    memset(&wire, 0, sizeof wire);
    memset(jobs, 0, sizeof jobs);
    for (i = 0; i < MOST; i++) {
        jobs[i].pieces = pieces;
        jobs[i].slow = jobs[i].failing = -1;
    }
}

static void run_ranks(int count)
{
    pthread_t threads[MOST];
    int i;

    pthread_mutex_init(&wire.lock, NULL);
    for (i = 0; i < count; i++) {
        struct dgm_ranks *ranks = &jobs[i].ranks;

        jobs[i].end.rank = ranks->rank = i;
        ranks->count = count;
        ranks->link = &link_of_threads;
        ranks->self = &jobs[i].end;
        ranks->places = places;
        ranks->farewells = jobs[i].farewells;
        ranks->failed = -1;
        pthread_create(&threads[i], NULL, run_rank, &jobs[i]);
    }
    for (i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* ---- all is well ----------------------------------------------------------------------------- */

static void check_all(int count, int pieces, int slow)
{
    int i;

    prepare(pieces);
    for (i = 0; i < count; i++)
        jobs[i].slow = slow;
    run_ranks(count);
    CHECK_INT(jobs[0].written, pieces);
    CHECK(!jobs[0].is_behind);
    for (i = 0; i < count; i++)
        CHECK_INT(jobs[i].status, DGM_OK);
}

TEST(dealer_keeps_the_order_of_pieces)
{
    int count;

    for (count = 2; count <= MOST; count++) {
        check_all(count, 100, -1);
        check_all(count, 3, -1);
        check_all(count, 1, -1);
        check_all(count, 0, -1);
    }
}

/* A slow rank has its pieces, and the others do the rest. */
TEST(dealer_goes_on_beside_a_slow_rank)
{
    check_all(3, 60, 2);
    CHECK(jobs[2].worked < 30);
    check_all(3, 60, 0);
    CHECK(jobs[1].worked + jobs[2].worked > 30);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void check_failure(int failing)
{
    char wanted[64];
    int i, told = 0;

    prepare(100);
    for (i = 0; i < 3; i++)
        jobs[i].failing = failing;
    run_ranks(3);
    snprintf(wanted, sizeof wanted, "rank %d (%s): a bad piece", failing, places[failing].host);
    CHECK(!jobs[0].is_behind);
    for (i = 0; i < 3; i++) {
        CHECK_INT(jobs[i].status, DGM_DATA);
        CHECK_STR(jobs[i].message, wanted);
        CHECK(!jobs[i].ranks.is_stuck);
        told += !jobs[i].ranks.is_told;
    }
    CHECK_INT(told, 1);
    CHECK(!jobs[failing].ranks.is_told);
}

TEST(dealer_ends_on_all_ranks_when_one_fails)
{
    check_failure(0);
    check_failure(1);
    check_failure(2);
}

/* Rank 1 is asked to stop, which rank 0 does. */
TEST(dealer_stops_when_any_rank_is_asked_to)
{
    static dgm_flag stop;
    int i;

    dgm_flag_set(&stop, 0);
    prepare(1000000);
    jobs[1].stop = &stop;
    jobs[1].ranks.stop = &stop;
    for (i = 0; i < 3; i++)
        jobs[i].slow = 0; /* so that the queues of letters suffice */
    run_ranks(3);
    CHECK(!jobs[0].is_behind && jobs[0].written < 1000000);
    for (i = 0; i < 3; i++)
        CHECK_INT(jobs[i].status, DGM_INTERRUPTED);
}

/* Rank 0 of two, of which the other is none of ours. */
static void prepare_alone(int pieces)
{
    prepare(pieces);
    pthread_mutex_init(&wire.lock, NULL);
    jobs[0].ranks.count = 2;
    jobs[0].ranks.link = &link_of_threads;
    jobs[0].ranks.self = &jobs[0].end;
    jobs[0].ranks.places = places;
    jobs[0].ranks.farewells = jobs[0].farewells;
    jobs[0].ranks.failed = -1;
    jobs[0].ranks.patience = 0.2;
    jobs[0].ranks.has_ended = 1; /* nobody is there to part from */
}

/* Rank 1 never answers. */
TEST(dealer_names_a_rank_that_hangs)
{
    struct dgm_env env;
    const struct dgm_dealing dealing = { read_number, write_number, answer_number, &jobs[0] };

    prepare_alone(20);
    dgm_env_init(&env);
    CHECK_INT(dgm_deal(&env, &jobs[0].ranks, &dealing), DGM_FAILURE);
    CHECK(strstr(env.error.message, "rank 1 (b) has not answered for 0 seconds") != NULL);
    CHECK(jobs[0].ranks.is_stuck);
}

/* What rank 1 sends while it has pieces 0 and 1, and rank 0 works on piece 2. */
static struct {
    struct dgm_letter_head heads[3];
    int count;
} intruder;

static dgm_status answer_beside_intruder(struct dgm_env *env, void *user,
                                         const struct dgm_buf *piece, struct dgm_buf *answer)
{
    static struct end other;
    int letter;

    memset(&other, 0, sizeof other);
    other.rank = 1;
    for (int i = 0; i < intruder.count; i++) {
        const struct dgm_transfer transfer = { 0, 1, 0, &intruder.heads[i],
                                               sizeof intruder.heads[i] };

        DGM_TRY(wire_post(env, &other, &transfer, &letter));
    }
    intruder.count = 0;
    return answer_number(env, user, piece, answer);
}

static dgm_status write_nothing(struct dgm_env *env, void *user, const struct dgm_buf *answer)
{
    struct job *job = user;

    (void)env;
    (void)answer;
    job->written++;
    return DGM_OK;
}

/* Letters of another kind, of pieces that are written, not read, another rank's, or answered. */
TEST(dealer_refuses_what_nobody_asked_for)
{
    enum { PIECE, ANSWER };
    static const struct {
        struct dgm_letter_head heads[3];
        int count;
    } rows[] = {
        { { { PIECE, 0, 0 } }, 1 },
        { { { 3, 0, 0 } }, 1 },
        { { { ANSWER, 0, 0 }, { ANSWER, 0, 0 } }, 2 },
        { { { ANSWER, -1, 0 } }, 1 },
        { { { ANSWER, 3, 0 } }, 1 },
        { { { ANSWER, 12, 0 } }, 1 }, /* where piece 0 stands */
        { { { ANSWER, 2, 0 } }, 1 },
        { { { ANSWER, 1, 0 }, { ANSWER, 1, 0 } }, 2 },
        { { { ANSWER, 1, 0 }, { ANSWER, 1, 0 }, { ANSWER, 0, 0 } }, 3 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dgm_env env;
        const struct dgm_dealing dealing = { read_number, write_nothing, answer_beside_intruder,
                                             &jobs[0] };

        prepare_alone(3);
        memcpy(intruder.heads, rows[i].heads, sizeof intruder.heads);
        intruder.count = rows[i].count;
        dgm_env_init(&env);
        CHECK_INT(dgm_deal(&env, &jobs[0].ranks, &dealing), DGM_FAILURE);
        CHECK_STR(env.error.message, "rank 1 (b) has sent what nobody asked for");
    }
}

/* ---- letters --------------------------------------------------------------------------------- */

/* A head that announces more than a message may hold is refused before any memory is taken. */
TEST(mail_refuses_a_head_that_cannot_be_right)
{
    static const int64_t sizes[] = { -1, INT64_MAX, ((int64_t)1 << 30) + 1 };
    struct dgm_env *env = test_env();
    struct dgm_inbox box;
    struct end other;
    int i, letter, has_letter;

    for (i = 0; i < 3; i++) {
        struct dgm_letter_head head = { 0, 0, 0 };
        struct dgm_transfer transfer = { 0, 1, 0, &head, sizeof head };

        prepare(0);
        pthread_mutex_init(&wire.lock, NULL);
        memset(&box, 0, sizeof box);
        memset(&other, 0, sizeof other);
        head.bytes = sizes[i];
        other.rank = 1;
        jobs[0].ranks.link = &link_of_threads;
        jobs[0].ranks.self = &jobs[0].end;
        jobs[0].ranks.places = places;
        jobs[0].ranks.farewells = jobs[0].farewells;
        CHECK_INT(wire_post(env, &other, &transfer, &letter), DGM_OK);
        CHECK_INT(dgm_inbox_open(env, &jobs[0].ranks, &box, 1), DGM_OK);
        CHECK_INT(dgm_inbox_has_letter(env, &jobs[0].ranks, &box, &has_letter), DGM_FAILURE);
        dgm_env_clear_error(env);
        dgm_buf_clear(env, &box.text);
    }
}
