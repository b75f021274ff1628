/*
 * test_ranks.c: collective calls of ranks over a link between threads: what arrives where; a rank
 * that fails or does not answer.
 */
#include <string.h>
#include <time.h>

#include "base/ranks/compare.h"
#include "base/system/clock.h"
#include "test.h"
#include "thread_ranks.h"

enum { MOST = THREAD_RANKS };

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

/* Rank 1 lacks the last line, rank 2 has one more, rank 3 only the beginning of one. */
static int compares(struct dgm_env *env, struct dgm_ranks *ranks)
{
    static const char *const texts[MOST] = { "a = 1\nb = 2\n", "a = 1\n", "a = 1\nb = 2\nc = 3\n",
                                             "a = 1\nb =" };
    struct dgm_buf text = { 0 };
    dgm_status status = dgm_buf_add_text(env, &text, texts[ranks->rank]);

    if (status == DGM_OK)
        status = dgm_ranks_compare(env, ranks, &text);
    dgm_ranks_settle(env, ranks, status);
    dgm_buf_clear(env, &text);
    return status == DGM_USAGE;
}

TEST(ranks_compare_lines_to_the_last)
{
    CHECK(run_ranks(2, compares));
    CHECK(run_ranks(3, compares));
    CHECK(run_ranks(4, compares));
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

/* Each shares its span; five bytes go to each other rank. Empty spans are no messages. */
static int counts(struct dgm_env *env, struct dgm_ranks *ranks)
{
    static const struct dgm_traffic shared[MOST] = { { 9, 3 }, { 0, 0 }, { 3, 3 }, { 12, 3 } };
    const int r = ranks->rank;
    char array[8] = "", records[MOST * 5] = "";

    return dgm_ranks_share(env, ranks, array, spans) == DGM_OK &&
           ranks->sent.bytes == shared[r].bytes && ranks->sent.messages == shared[r].messages &&
           dgm_ranks_gather(env, ranks, records, 5) == DGM_OK &&
           ranks->sent.bytes == shared[r].bytes + 15 &&
           ranks->sent.messages == shared[r].messages + 3;
}

TEST(ranks_count_what_they_send)
{
    CHECK(run_ranks(4, counts));
}

/* Each rank has its number and one more; the sum of three ranks stands at its root, whoever comes
 * first, beside a transfer of all. Ranks but the root have sent theirs. */
static int sums(struct dgm_env *env, struct dgm_ranks *ranks)
{
    dgm_real values[2] = { (dgm_real)ranks->rank, 1 }, again[1] = { 7 };
    char records[MOST] = "....";

    if (dgm_ranks_sum(env, ranks, values, 2, 1) != DGM_OK ||
        dgm_ranks_sum(env, ranks, again, 1, 0) != DGM_OK ||
        dgm_ranks_gather(env, ranks, records, 1) != DGM_OK)
        return 0;
    if (ranks->rank == 1 && (values[0] != 3 || values[1] != 3))
        return 0;
    return again[0] == (ranks->rank == 0 ? 21 : 7) &&
           ranks->sent.bytes == 2 + (ranks->rank != 1 ? 2 : 0) * sizeof(dgm_real) +
                                    (ranks->rank != 0 ? 1 : 0) * sizeof(dgm_real);
}

TEST(ranks_add_up_by_the_link)
{
    CHECK(run_ranks(3, sums));
    CHECK_INT(wire.unlike, 0);
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

/* Rank 2 is silent, once all threads are at work. The others are not slow to answer each other. */
static int one_hangs(struct dgm_env *env, struct dgm_ranks *ranks)
{
    char records[MOST] = "....";

    ranks->patience = 1;
    if (ranks->rank == 2)
        return 1;
    return dgm_ranks_gather(env, ranks, records, 1) == DGM_FAILURE && ranks->is_stuck &&
           strstr(env->error.message, "rank 2 (c) has not answered for ") != NULL;
}

TEST(ranks_name_the_one_that_hangs)
{
    CHECK(run_ranks(3, one_hangs));
}

/* When ranks 0 and 1 have parted from each other. */
static double parted_at[2];

static int two_part_from_a_third(struct dgm_env *env, struct dgm_ranks *ranks)
{
    if (!one_hangs(env, ranks))
        return 0;
    if (ranks->rank == 2)
        return 1;
    ranks->grace = 1;
    dgm_ranks_settle(env, ranks, DGM_FAILURE);
    parted_at[ranks->rank] = dgm_clock();
    return ranks->is_told == (ranks->rank == 1);
}

/* Rank 1, whose error is the same, does not end the job before rank 0 can have told it. */
TEST(ranks_let_the_one_that_tells_go_first)
{
    CHECK(run_ranks(3, two_part_from_a_third));
    CHECK(parted_at[1] > parted_at[0] + 0.1);
}

/* How many ranks of this test have given up. */
static int quitters;

static void give_up(void)
{
    pthread_mutex_lock(&wire.lock);
    quitters++;
    pthread_mutex_unlock(&wire.lock);
}

static int given_up(void)
{
    int count;

    pthread_mutex_lock(&wire.lock);
    count = quitters;
    pthread_mutex_unlock(&wire.lock);
    return count;
}

/* Rank 1 fails while all others send it what it never asked for: the memory that they send from is
 * free when they have settled. */
static int one_fails_unheard(struct dgm_env *env, struct dgm_ranks *ranks)
{
    char bytes[MOST] = "abcd";
    struct dgm_transfer list[2] = { { 1, 1, 7, bytes, 4 }, { 1, 0, 7, bytes, 4 } };
    dgm_status status = DGM_DATA;

    if (ranks->rank == 1) {
        const struct timespec pause = { 0, 10000000 };
        while (given_up() < 2)
            nanosleep(&pause, NULL);
        dgm_fail(env, DGM_DATA, "a bad line");
    } else if (dgm_ranks_post(env, ranks, list, 2) == DGM_OK) {
        status = dgm_ranks_wait(env, ranks, 0.01);
        ranks->is_stuck = 0;
        give_up();
        if (!ranks->is_unsafe)
            return 0;
    }
    dgm_ranks_settle(env, ranks, status);
    return !ranks->is_unsafe && !ranks->is_stuck;
}

TEST(ranks_wait_for_what_they_send_in_vain)
{
    quitters = 0;
    CHECK(run_ranks(3, one_fails_unheard));
}

/* Rank 1 fails where others have begun a sum, which nobody can call off: their memory stays, and
 * the job ends by force, with the error of rank 1. */
static int one_fails_in_a_sum(struct dgm_env *env, struct dgm_ranks *ranks)
{
    static dgm_real values[MOST];
    dgm_status status;

    if (ranks->rank == 1)
        status = dgm_fail(env, DGM_DATA, "a bad line");
    else if ((status = dgm_ranks_sum(env, ranks, &values[ranks->rank], 1, 0)) == DGM_OK)
        status = dgm_ranks_wait(env, ranks, 0);
    dgm_ranks_settle(env, ranks, status);
    return status == DGM_DATA && strcmp(env->error.message, "rank 1 (b): a bad line") == 0 &&
           ranks->is_unsafe == (ranks->rank != 1) && ranks->is_stuck == ranks->is_unsafe;
}

TEST(ranks_end_by_force_within_a_sum)
{
    CHECK(run_ranks(3, one_fails_in_a_sum));
}

/* Rank 2 forgets a sum, and then hangs, or goes on to listen while the others wait. */
static int forget_a_sum(struct dgm_env *env, struct dgm_ranks *ranks, int listens,
                        const char *message)
{
    static dgm_real values[MOST];
    char records[MOST] = "....";

    ranks->is_timed = 1;
    if (ranks->rank != 2 && dgm_ranks_sum(env, ranks, &values[ranks->rank], 1, 0) != DGM_OK)
        return 0;
    if (ranks->rank == 2) {
        const struct timespec pause = { 0, 10000000 };
        dgm_status status = dgm_ranks_gather(env, ranks, records, 1);
        while (status == DGM_OK && listens && given_up() < 2) {
            status = dgm_ranks_listen(env, ranks);
            nanosleep(&pause, NULL);
        }
        return status == DGM_OK;
    }
    ranks->patience = 3;
    if (dgm_ranks_gather(env, ranks, records, 1) != DGM_FAILURE)
        return 0;
    give_up();
    return ranks->is_stuck && ranks->is_unsafe && ranks->waited[2] > 1 &&
           ranks->waited[ranks->rank] == 0 && strstr(env->error.message, message) != NULL;
}

static int one_forgets_a_sum(struct dgm_env *env, struct dgm_ranks *ranks)
{
    return forget_a_sum(env, ranks, 1, "which of them is at fault is not known");
}

static int one_hangs_in_a_sum(struct dgm_env *env, struct dgm_ranks *ranks)
{
    return forget_a_sum(env, ranks, 0, "rank 2 (c) has not answered for 3 seconds");
}

TEST(ranks_name_the_one_that_hangs_in_a_sum)
{
    quitters = 0;
    CHECK(run_ranks(3, one_hangs_in_a_sum));
    quitters = 0;
    CHECK(run_ranks(3, one_forgets_a_sum));
}

/* A rank that never comes. */
static int notices_absence(struct dgm_env *env, struct dgm_ranks *ranks)
{
    return ranks->has_ended && ranks->is_stuck &&
           strstr(env->error.message, "rank 1 (its machine is not known) has not answered") != NULL;
}

TEST(ranks_join_within_a_time)
{
    CHECK(run_ranks_without(3, 1, notices_absence));
}

/* Messages of channels arrive in the order in which they are asked for. */
static int channels(struct dgm_env *env, struct dgm_ranks *ranks)
{
    char out[3] = { 'x', 'y', 'z' }, in[3] = "..";
    const int peer = 1 - ranks->rank;
    struct dgm_transfer receipts[2] = { { peer, 0, 5, &in[0], 1 }, { peer, 0, 4, &in[1], 1 } };
    struct dgm_transfer sends[2] = { { peer, 1, 4, &out[0], 1 }, { peer, 1, 5, &out[1], 1 } };

    return dgm_ranks_post(env, ranks, receipts, 2) == DGM_OK &&
           dgm_ranks_post(env, ranks, &sends[0], 1) == DGM_OK &&
           dgm_ranks_poke(env, ranks) == DGM_OK &&
           dgm_ranks_post(env, ranks, &sends[1], 1) == DGM_OK &&
           dgm_ranks_wait(env, ranks, 0) == DGM_OK && memcmp(in, "yx", 2) == 0;
}

TEST(ranks_send_by_channels)
{
    CHECK(run_ranks(2, channels));
}

/* Processors: 0-3 all ranks of the machine, or each its own. */
static void check_cpus(uint64_t own, uint64_t other, int machine, int expected)
{
    struct dgm_place places[3];
    struct dgm_ranks ranks;

    memset(places, 0, sizeof places);
    memset(&ranks, 0, sizeof ranks);
    ranks.count = 3;
    ranks.places = places;
    places[0].cpus.words[0] = own;
    places[1].cpus.words[0] = other;
    places[1].machine = machine;
    places[2].cpus.words[0] = other;
    places[2].machine = 2;
    CHECK_INT(dgm_ranks_cpus(&ranks), expected);
}

TEST(ranks_share_the_processors_that_they_may_use)
{
    check_cpus(0xf, 0xf, 0, 2);  /* four of perhaps many, for two */
    check_cpus(0xf, 0xf0, 0, 4); /* bound to its own */
    check_cpus(0xf, 0xf, 1, 4);  /* another machine's */
    check_cpus(0x1, 0x1, 0, 1);
}

/* A stop that rank 1 is asked for reaches rank 0. */
static int one_is_stopped(struct dgm_env *env, struct dgm_ranks *ranks)
{
    static dgm_flag stop, save, reason;

    if (ranks->rank == 1) {
        dgm_flag_set(&stop, 1);
        dgm_flag_set(&save, 1);
        dgm_flag_set(&reason, 15);
        ranks->stop = &stop;
        ranks->save = &save;
        ranks->reason = &reason;
        wire.refused_notices = 3; /* a save, a stop, a save */
        if (dgm_ranks_listen(env, ranks) != DGM_OK || ranks->stop_told || !dgm_flag_get(&save)) {
            give_up();
            return 0;
        }
        dgm_ranks_listen(env, ranks);
        dgm_ranks_listen(env, ranks);
        return dgm_ranks_listen(env, ranks) == DGM_OK && ranks->stop_told && !dgm_flag_get(&save) &&
               wire.noticed[0] == 2; /* each once */
    }
    while (!ranks->stop_asked || !ranks->save_asked)
        if (dgm_ranks_listen(env, ranks) != DGM_OK || given_up() > 0)
            return 0;
    return ranks->stop_reason == 15;
}

TEST(ranks_pass_a_stop_on)
{
    quitters = 0;
    CHECK(run_ranks(2, one_is_stopped));
}
