/* test_cost.c: what ranks send, and how long that takes, with numbers worked by hand. */
#include <string.h>

#include "test.h"
#include "train/plan/cost.h"

/* A million elements of 4 bytes in blocks of 1000: 250 blocks for each of 4 ranks. */
static struct dgm_cost_job job_of(int ranks, int64_t accumulate)
{
    const struct dgm_cost_job job = { .total = 1000000,
                                      .block = 1000,
                                      .real_bytes = 4,
                                      .has_block_sums = 1,
                                      .ranks = ranks,
                                      .accumulate = accumulate,
                                      .bucket = 4 << 20,
                                      .batch_seconds = 0.01 };

    return job;
}

static void check_sent(const struct dgm_cost_job *job, int rank, enum dgm_sent_kind kind,
                       uint64_t bytes, uint64_t messages)
{
    struct dgm_traffic sent[DGM_SENT_BESIDE];

    dgm_cost_sent(job, rank, sent);
    CHECK_INT(sent[kind].bytes, bytes);
    CHECK_INT(sent[kind].messages, messages);
}

/* Two batches a rank: each gradient but the own quarter, 3 MB, in 3 messages; the quarter of values
 * to each of 3 ranks. An order of 4 bytes, two costs of 48, 250 sums of 8, to each of 3. */
TEST(cost_counts_what_is_sent)
{
    const struct dgm_cost_job job = job_of(4, 8);

    check_sent(&job, 0, DGM_SENT_GRADIENTS, 2 * 3000000, 2 * 3);
    check_sent(&job, 0, DGM_SENT_VALUES, 3 * 1000000, 3);
    check_sent(&job, 0, DGM_SENT_CONTROL, 3 * (4 + 2 * 48 + 250 * 8), 9);
    check_sent(&job, 3, DGM_SENT_CONTROL, 3 * (2 * 48 + 250 * 8), 6);
}

/* Slices of a million bytes end within buckets of 384 KiB: they lie in 3, 4, 3 and 4 of them. */
TEST(cost_counts_buckets)
{
    struct dgm_cost_job job = job_of(4, 4);

    job.bucket = 393216;
    check_sent(&job, 0, DGM_SENT_GRADIENTS, 3000000, 4 + 3 + 4);
    check_sent(&job, 1, DGM_SENT_GRADIENTS, 3000000, 3 + 3 + 4);
    check_sent(&job, 3, DGM_SENT_GRADIENTS, 3000000, 3 + 4 + 3);
}

/* The sum of both batches, and a byte to each other rank when it is under way. */
TEST(cost_counts_sums_of_the_link)
{
    struct dgm_cost_job job = job_of(4, 8);

    job.is_fast = 1;
    check_sent(&job, 0, DGM_SENT_GRADIENTS, 3000000, 3);
    check_sent(&job, 0, DGM_SENT_VALUES, 3 * 1000000, 3);
    check_sent(&job, 0, DGM_SENT_CONTROL, 3 * (4 + 2 * 48 + 250 * 8 + 1), 12);
    job.accumulate = 2; /* a rank without a batch sends zeros */
    check_sent(&job, 3, DGM_SENT_GRADIENTS, 3000000, 3);
}

/* 1 MB/s, no latency: a second for each megabyte. A gradient of 3 MB goes once, whatever the
 * batches; a tree of four ranks is two high, and three hops each make six. */
TEST(cost_of_sums_of_the_link)
{
    struct dgm_cost_job job = job_of(4, 8);
    struct dgm_link_speed link = { 1e6, 0, 0 };
    struct dgm_cost cost;

    job.is_fast = 1;
    cost = dgm_cost_of(&job, &link);
    CHECK_NEAR(cost.gradients, 3, 1e-9);
    CHECK_NEAR(cost.hidden, 0, 1e-12);
    link.latency = 0.5;
    CHECK_NEAR(dgm_cost_of(&job, &link).gradients, 3 + 6 * 0.5, 1e-9);
    link.latency = 0;
    job.early = 1;
    job.behind = 0.5;
    job.batch_seconds = 4;
    CHECK_NEAR(dgm_cost_of(&job, &link).hidden, 2, 1e-9);
}

TEST(cost_of_one_process_is_none)
{
    const struct dgm_cost_job job = job_of(1, 4);
    const struct dgm_link_speed link = { 1e9, 1e-3, 1e-6 };
    const struct dgm_cost cost = dgm_cost_of(&job, &link);
    struct dgm_traffic sent[DGM_SENT_BESIDE], none[DGM_SENT_BESIDE];

    memset(none, 0, sizeof none);
    dgm_cost_sent(&job, 0, sent);
    CHECK_MEM(sent, none, sizeof none);
    CHECK_NEAR(cost.update, 0.04, 1e-12);
    CHECK_NEAR(cost.efficiency, 1, 1e-12);
}

/* With 3 ranks the first has 334 blocks; with 5 batches it computes two, rank 2 one. */
TEST(cost_of_unequal_shares)
{
    const struct dgm_cost_job job = job_of(3, 5);

    check_sent(&job, 0, DGM_SENT_GRADIENTS, 2 * 666000 * 4, 4);
    check_sent(&job, 2, DGM_SENT_GRADIENTS, 667000 * 4, 2);
    check_sent(&job, 0, DGM_SENT_VALUES, 2 * 334000 * 4, 2);
}

/* Three blocks for five ranks: two have no slice, and nobody sends them gradients. */
TEST(cost_of_ranks_without_a_slice)
{
    struct dgm_cost_job job = job_of(5, 5);

    job.total = 2500;
    check_sent(&job, 0, DGM_SENT_GRADIENTS, 1500 * 4, 2);
    check_sent(&job, 4, DGM_SENT_GRADIENTS, 2500 * 4, 3);
    check_sent(&job, 2, DGM_SENT_VALUES, 4 * 500 * 4, 4);
    check_sent(&job, 4, DGM_SENT_VALUES, 0, 0);
    check_sent(&job, 4, DGM_SENT_CONTROL, 4 * 48, 4);
}

/* A device that does not add blocks: the whole gradient goes to all, for its norm. */
TEST(cost_of_a_norm_of_the_whole)
{
    struct dgm_cost_job job = job_of(4, 4);

    job.has_block_sums = 0;
    check_sent(&job, 0, DGM_SENT_GRADIENTS, 3000000 + 3 * 1000000, 6);
    check_sent(&job, 0, DGM_SENT_CONTROL, 3 * (4 + 48), 6);
}

/* 1 GB/s, 1 ms, 0.1 ms a message. A round of gradients: 3 hops, 3 messages, 3 ms: 6.3 ms, twice;
 * values the same, once. Order, costs, sums: 1 hop and 3 messages each, 3.9 ms, and 6300 bytes.
 * Computation: 2 batches of 10 ms. */
TEST(cost_of_an_update)
{
    const struct dgm_link_speed link = { 1e9, 1e-3, 1e-4 };
    struct dgm_cost_job job = job_of(4, 8);
    struct dgm_cost cost = dgm_cost_of(&job, &link);

    CHECK_NEAR(cost.compute, 0.020, 1e-12);
    CHECK_NEAR(cost.gradients, 0.0126, 1e-12);
    CHECK_NEAR(cost.values, 0.0063, 1e-12);
    CHECK_NEAR(cost.control, 0.0039063, 1e-12);
    CHECK_NEAR(cost.hidden, 0, 1e-12);
    CHECK_NEAR(cost.update, 0.0428063, 1e-12);
    CHECK_NEAR(cost.efficiency, 0.02 / 0.0428063, 1e-9);
    job.early = 1;
    job.behind = 0.5; /* 5 ms of each round */
    cost = dgm_cost_of(&job, &link);
    CHECK_NEAR(cost.hidden, 0.010, 1e-12);
    CHECK_NEAR(cost.update, 0.0328063, 1e-12);
    job.behind = 0.9; /* more than there is */
    CHECK_NEAR(dgm_cost_of(&job, &link).hidden, 0.0126, 1e-12);
    job.early = 0.25; /* of which not all leaves early */
    CHECK_NEAR(dgm_cost_of(&job, &link).hidden, 0.00315, 1e-12);
}

/* 10 ms a batch, no latency: a round takes 3 ms at 1 GB/s and 0.6 ms at 5, and so do values. The
 * least multiple of 4 that is good enough; with a slow link there is none. */
TEST(cost_finds_an_accumulation)
{
    const struct dgm_link_speed slow = { 1e9, 0, 0 }, mean = { 5e9, 0, 0 };
    struct dgm_cost_job job = job_of(4, 4);
    int64_t accumulate;

    CHECK_INT(dgm_cost_accumulate(&job, &slow, 0.9, 65536), 0); /* 10 / (10 + 3) at most */
    accumulate = dgm_cost_accumulate(&job, &mean, 0.9, 65536);
    job.accumulate = accumulate; /* n 10 / (n 10.6 + 0.6) >= 0.9: n >= 1.17 */
    CHECK_INT(accumulate, 8);
    CHECK(dgm_cost_of(&job, &mean).efficiency >= 0.9);
    job.accumulate -= 4;
    CHECK(dgm_cost_of(&job, &mean).efficiency < 0.9);
}

/* One round: s 10 / (s 10 + 6.006) = 0.9: s = 5.41. */
TEST(cost_finds_a_stretch)
{
    const struct dgm_link_speed slow = { 1e9, 0, 0 };
    const struct dgm_cost_job job = job_of(4, 4), uneven = job_of(4, 5);

    CHECK_NEAR(dgm_cost_stretch(&job, &slow, 0.9), 5.406, 0.02);
    CHECK_NEAR(dgm_cost_stretch(&uneven, &slow, 0.9), 0, 0); /* 5 batches in two rounds of 4 */
}
