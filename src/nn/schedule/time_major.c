/*
 * time_major.c: numbers the target rows of a batch step by step.
 */
#include "nn/schedule/time_major.h"

#include <string.h>

void dgm_time_major_clear(struct dgm_env *env, struct dgm_time_major_slots *slots)
{
    dgm_sequence_slots_clear(env, &slots->sequences);
    memset(slots, 0, sizeof *slots);
}

static dgm_status take_lists(struct dgm_env *env, struct dgm_feed *feed,
                             struct dgm_time_major_slots *slots)
{
    const size_t rows = (size_t)slots->sequences.rows * sizeof(int32_t);
    const size_t sentences = (size_t)slots->sentences * sizeof(int32_t);
    int32_t *unused;

    DGM_TRY(dgm_feed_take(env, feed, &slots->packed, &unused, rows));
    DGM_TRY(dgm_feed_take(env, feed, &slots->previous, &unused, rows));
    DGM_TRY(dgm_feed_take(env, feed, &slots->place, &unused, rows));
    DGM_TRY(dgm_feed_take(env, feed, &slots->starts, &unused, sentences));
    return dgm_feed_take(env, feed, &slots->counts, &unused, sentences);
}

/* packed: the packed row of each decoder row; place: the decoder row of each packed row. The input
 * of a decoder row is the word before, one row up in the packed batch; -1 at the first step. */
static void list_rows(const struct dgm_feed *feed, const struct dgm_time_major_slots *slots,
                      const int32_t *offsets)
{
    const int32_t *order = dgm_feed_host(feed, slots->sequences.order);
    int32_t *packed = dgm_feed_host(feed, slots->packed);
    int32_t *previous = dgm_feed_host(feed, slots->previous);
    int32_t *place = dgm_feed_host(feed, slots->place);
    int32_t row = 0;

    for (int64_t t = 0; t < slots->sequences.steps; t++)
        for (int32_t k = 0; k < slots->sequences.active[t]; k++, row++) {
            packed[row] = offsets[order[k]] + (int32_t)t;
            previous[row] = t > 0 ? packed[row] - 1 : -1;
            place[packed[row]] = row;
        }
}

static void list_spans(const struct dgm_feed *feed, struct dgm_time_major_slots *slots,
                       const int32_t *memory)
{
    const int32_t *order = dgm_feed_host(feed, slots->sequences.order);
    int32_t *starts = dgm_feed_host(feed, slots->starts);
    int32_t *counts = dgm_feed_host(feed, slots->counts);

    slots->longest = 0;
    for (int64_t k = 0; k < slots->sentences; k++) {
        starts[k] = memory[order[k]];
        counts[k] = memory[order[k] + 1] - starts[k];
        if (counts[k] > slots->longest)
            slots->longest = counts[k];
    }
}

dgm_status dgm_time_major_stage(struct dgm_env *env, struct dgm_feed *feed,
                                struct dgm_time_major_slots *slots, const int32_t *offsets,
                                const int32_t *memory, int32_t count)
{
    DGM_TRY(dgm_sequences_stage(env, feed, &slots->sequences, offsets, count));
    slots->sentences = slots->sequences.steps > 0 ? slots->sequences.active[0] : 0;
    DGM_TRY(take_lists(env, feed, slots));
    list_rows(feed, slots, offsets);
    list_spans(feed, slots, memory);
    return DGM_OK;
}

struct dgm_time_major dgm_time_major_sent(const struct dgm_feed *feed,
                                          const struct dgm_time_major_slots *slots)
{
    struct dgm_time_major order;

    order.rows = slots->sequences.rows;
    order.sentences = slots->sentences;
    order.steps.count = slots->sequences.steps;
    order.steps.active = slots->sequences.active;
    order.memory.starts = dgm_feed_ref(feed, slots->starts);
    order.memory.counts = dgm_feed_ref(feed, slots->counts);
    order.memory.longest = slots->longest;
    order.packed = dgm_feed_ref(feed, slots->packed);
    order.previous = dgm_feed_ref(feed, slots->previous);
    order.place = dgm_feed_ref(feed, slots->place);
    order.sentence = dgm_feed_ref(feed, slots->sequences.order);
    return order;
}
