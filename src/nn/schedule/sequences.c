/*
 * sequences.c: sequences ordered by falling length, and how many of them reach each step.
 */
#include "nn/schedule/sequences.h"

#include <string.h>

#include "base/mem.h"

void dgm_sequence_slots_clear(struct dgm_env *env, struct dgm_sequence_slots *slots)
{
    dgm_release(env, slots->active);
    memset(slots, 0, sizeof *slots);
}

/* active[t] = how many sequences are longer than t. */
static void count_active(struct dgm_sequence_slots *slots, const int32_t *offsets)
{
    memset(slots->active, 0, (size_t)slots->steps * sizeof *slots->active);
    for (int64_t s = 0; s < slots->count; s++)
        if (offsets[s + 1] > offsets[s])
            slots->active[offsets[s + 1] - offsets[s] - 1]++;
    for (int64_t t = slots->steps - 2; t >= 0; t--)
        slots->active[t] += slots->active[t + 1];
}

/* A counting sort: sequences of length n come after the active[n] longer ones. */
static void sort(struct dgm_sequence_slots *slots, const int32_t *offsets, int32_t *order)
{
    int32_t *next = slots->active + slots->steps;

    memcpy(next, slots->active, (size_t)slots->steps * sizeof *next);
    next[slots->steps] = 0;
    for (int64_t s = 0; s < slots->count; s++)
        order[next[offsets[s + 1] - offsets[s]]++] = (int32_t)s;
}

dgm_status dgm_sequences_stage(struct dgm_env *env, struct dgm_feed *feed,
                               struct dgm_sequence_slots *slots, const int32_t *offsets,
                               int32_t count)
{
    int32_t *order;

    slots->count = count;
    slots->rows = offsets[count];
    slots->steps = 0;
    for (int32_t s = 0; s < count; s++)
        if (offsets[s + 1] - offsets[s] > slots->steps)
            slots->steps = offsets[s + 1] - offsets[s];
    DGM_TRY(dgm_reserve(env, &slots->active, &slots->capacity, 2 * (size_t)slots->steps + 1,
                        sizeof *slots->active));
    DGM_TRY(
        dgm_feed_copy(env, feed, &slots->offsets, offsets, ((size_t)count + 1) * sizeof *offsets));
    DGM_TRY(dgm_feed_take(env, feed, &slots->order, &order, (size_t)count * sizeof *order));
    count_active(slots, offsets);
    sort(slots, offsets, order);
    return DGM_OK;
}

struct dgm_sequences dgm_sequences_sent(const struct dgm_feed *feed,
                                        const struct dgm_sequence_slots *slots)
{
    struct dgm_sequences sequences;

    sequences.count = slots->count;
    sequences.rows = slots->rows;
    sequences.steps = slots->steps;
    sequences.offsets = dgm_feed_ref(feed, slots->offsets);
    sequences.order = dgm_feed_ref(feed, slots->order);
    sequences.active = slots->active;
    return sequences;
}
