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

int32_t dgm_sequences_longest(const int32_t *offsets, int32_t count)
{
    int32_t longest = 0;

    for (int32_t s = 0; s < count; s++)
        if (offsets[s + 1] - offsets[s] > longest)
            longest = offsets[s + 1] - offsets[s];
    return longest;
}

/* A counting sort: sequences of length n come after the active[n] longer ones. */
void dgm_sequences_rank(const int32_t *offsets, int32_t count, int32_t longest, int32_t *order,
                        int32_t *active)
{
    const size_t bytes = ((size_t)longest + 1) * sizeof *active;
    int32_t *next = active + longest + 1;

    memset(active, 0, bytes);
    for (int32_t s = 0; s < count; s++)
        if (offsets[s + 1] > offsets[s])
            active[offsets[s + 1] - offsets[s] - 1]++;
    for (int32_t t = longest - 1; t >= 0; t--)
        active[t] += active[t + 1];
    memcpy(next, active, bytes);
    for (int32_t s = 0; s < count; s++)
        order[next[offsets[s + 1] - offsets[s]]++] = s;
}

dgm_status dgm_sequences_stage(struct dgm_env *env, struct dgm_feed *feed,
                               struct dgm_sequence_slots *slots, const int32_t *offsets,
                               int32_t count)
{
    const int32_t longest = dgm_sequences_longest(offsets, count);
    int32_t *order;

    slots->count = count;
    slots->rows = offsets[count];
    slots->steps = longest;
    DGM_TRY(dgm_reserve(env, &slots->active, &slots->capacity, 2 * (size_t)longest + 2,
                        sizeof *slots->active));
    DGM_TRY(
        dgm_feed_copy(env, feed, &slots->offsets, offsets, ((size_t)count + 1) * sizeof *offsets));
    DGM_TRY(dgm_feed_take(env, feed, &slots->order, &order, (size_t)count * sizeof *order));
    dgm_sequences_rank(offsets, count, longest, order, slots->active);
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
