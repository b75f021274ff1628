/*
 * test_sequences.c: packed sequences step by step: which of them take part in each.
 */
#include "nn/schedule/sequences.h"
#include "open_device.h"
#include "test.h"

TEST(sequences_are_ordered_by_falling_length)
{
    static const int32_t offsets[7] = { 0, 2, 2, 5, 7, 7, 10 };
    static const int32_t order[6] = { 2, 5, 0, 3, 1, 4 }, active[3] = { 4, 4, 2 };
    struct dgm_sequences sequences;
    int32_t got[6];
    struct dgm_sequence_slots slots = { 0 };
    struct dgm_device *device;
    struct dgm_feed feed;

    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    dgm_feed_init(&feed, device);
    for (int round = 0; round < 2; round++) { /* the second time in memory of the first */
        dgm_feed_reset(&feed);
        CHECK_STATUS(dgm_sequences_stage(test_env(), &feed, &slots, offsets, 6), DGM_OK);
        CHECK_STATUS(dgm_feed_send(test_env(), &feed), DGM_OK);
        sequences = dgm_sequences_sent(&feed, &slots);
        CHECK_INT(sequences.count, 6);
        CHECK_INT(sequences.rows, 10);
        CHECK_INT(sequences.steps, 3);
        CHECK_MEM(sequences.active, active, sizeof active);
        CHECK_STATUS(dgm_device_read(test_env(), device, got, sequences.order, sizeof got), DGM_OK);
        CHECK_MEM(got, order, sizeof order);
        CHECK_STATUS(dgm_sequences_stage(test_env(), &feed, &slots, offsets, 0), DGM_OK);
        CHECK_INT(slots.steps, 0);
    }
    dgm_sequence_slots_clear(test_env(), &slots);
    dgm_feed_clear(test_env(), &feed);
    dgm_device_close(test_env(), device);
}
