/*
 * test_time_major.c: the rows of a batch in the order of time.
 */
#include "graph_case.h"
#include "nn/schedule/time_major.h"

static void check_ints(struct graph_case *c, struct dgm_ref ref, const int32_t *want, int count)
{
    int32_t got[16];

    CHECK_STATUS(dgm_device_read(test_env(), c->device, got, ref, (size_t)count * sizeof *got),
                 DGM_OK);
    for (int i = 0; i < count; i++)
        CHECK_INT(got[i], want[i]);
}

/* Lengths 2, 0, 3, 2, 1; the longest first, ties by number, none for the empty one. */
TEST(time_major_order_of_a_batch)
{
    static const int32_t offsets[6] = { 0, 2, 2, 5, 7, 8 }, memory[6] = { 0, 3, 4, 8, 9, 11 };
    static const int32_t packed[8] = { 2, 0, 5, 7, 3, 1, 6, 4 };
    static const int32_t previous[8] = { -1, -1, -1, -1, 2, 0, 5, 3 };
    static const int32_t place[8] = { 1, 5, 0, 4, 7, 2, 6, 3 };
    static const int32_t sentence[4] = { 2, 0, 3, 4 }, starts[4] = { 4, 0, 8, 9 };
    static const int32_t counts[4] = { 4, 3, 1, 2 };
    struct dgm_time_major_slots slots;
    struct dgm_time_major order;
    struct dgm_feed feed;
    struct graph_case c;

    memset(&slots, 0, sizeof slots);
    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    dgm_feed_init(&feed, c.device);
    CHECK_STATUS(dgm_time_major_stage(test_env(), &feed, &slots, offsets, memory, 5), DGM_OK);
    CHECK_STATUS(dgm_feed_send(test_env(), &feed), DGM_OK);
    order = dgm_time_major_sent(&feed, &slots);
    CHECK_INT(order.rows, 8);
    CHECK_INT(order.sentences, 4);
    CHECK_INT(order.steps.count, 3);
    CHECK_INT(order.steps.active[0], 4);
    CHECK_INT(order.steps.active[1], 3);
    CHECK_INT(order.steps.active[2], 1);
    CHECK_INT(order.memory.longest, 4);
    check_ints(&c, order.packed, packed, 8);
    check_ints(&c, order.previous, previous, 8);
    check_ints(&c, order.place, place, 8);
    check_ints(&c, order.sentence, sentence, 4);
    check_ints(&c, order.memory.starts, starts, 4);
    check_ints(&c, order.memory.counts, counts, 4);
    dgm_time_major_clear(test_env(), &slots);
    dgm_feed_clear(test_env(), &feed);
    case_close(&c);
}
