/* slots.c: spans of two lines that are alike, and a draw for each. */
#include "data/text/slots.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/philox.h"
#include "text/span/slot.h"
#include "text/span/weave.h"

#define STREAM 0x534C5430U /* "SLT0": keeps these draws from all others */

/* Spans of a side that are looked at: a line with more is a list. */
enum { MOST_SPANS = 64 };

static int are_same(const struct dgm_slots *slots, int side, size_t i, int other, size_t k)
{
    const struct dgm_line_span *a = &slots->spans[side].items[i];
    const struct dgm_line_span *b = &slots->spans[other].items[k];

    return a->kind == b->kind &&
           dgm_bytes_compare(slots->plain[side].data + a->start, a->end - a->start,
                             slots->plain[other].data + b->start, b->end - b->start) == 0;
}

/* Of the spans of a side, how many before `end` are as span i of the source. */
static size_t count_same(const struct dgm_slots *slots, size_t i, int side, size_t end)
{
    size_t count = 0;

    for (size_t k = 0; k < end; k++)
        count += (size_t)are_same(slots, 0, i, side, k);
    return count;
}

/* The span of the target that span i of the source is; the count of all: there is none, or there
 * are more of them on one side. */
static size_t find_other(const struct dgm_slots *slots, size_t i)
{
    const size_t before = count_same(slots, i, 0, i), end = slots->spans[1].count;
    size_t k = 0;

    if (count_same(slots, i, 0, slots->spans[0].count) != count_same(slots, i, 1, end))
        return end;
    for (size_t seen = 0; k < end; k++)
        if (are_same(slots, 0, i, 1, k) && seen++ == before)
            return k;
    return k;
}

static dgm_status find_spans(struct dgm_env *env, struct dgm_slots *slots,
                             const struct dgm_buf *const pair[2])
{
    for (int side = 0; side < 2; side++) {
        struct dgm_buf *plain = &slots->plain[side];

        DGM_TRY(dgm_slot_spare(env, plain, pair[side]->data, pair[side]->size));
        DGM_TRY(dgm_spans_find(env, &slots->spans[side], plain->data, plain->size, ~0U));
        if (slots->spans[side].count > MOST_SPANS)
            slots->spans[side].count = MOST_SPANS;
    }
    return DGM_OK;
}

/* Draws the slots of the source's spans, and gives those of the target the same. */
static void draw(struct dgm_slots *slots, struct dgm_random *random)
{
    const int first = (int)dgm_random_below(random, DGM_SLOTS);
    int used = 0;

    for (size_t i = 0; i < slots->spans[0].count && used < DGM_SLOTS; i++) {
        const size_t other = find_other(slots, i);

        if (other == slots->spans[1].count || dgm_random_unit(random) >= slots->share)
            continue;
        slots->spans[0].items[i].slot = 1 + (first + used) % DGM_SLOTS;
        slots->spans[1].items[other].slot = 1 + (first + used++) % DGM_SLOTS;
    }
    slots->replaced += used;
}

/* A side with its slots: other spans stay as they are. */
static dgm_status write(struct dgm_env *env, struct dgm_slots *slots, int side)
{
    struct dgm_span_list *spans = &slots->spans[side];
    size_t count = 0;

    for (size_t i = 0; i < spans->count; i++)
        if (spans->items[i].slot > 0)
            spans->items[count++] = spans->items[i];
    spans->count = count;
    dgm_buf_reset(&slots->lines[side]);
    return dgm_spans_cut(env, &slots->lines[side], slots->plain[side].data, slots->plain[side].size,
                         spans);
}

dgm_status dgm_slots_fill(struct dgm_env *env, struct dgm_slots *slots,
                          const struct dgm_buf *const pair[2], uint32_t text, uint32_t number)
{
    struct dgm_random random;

    dgm_random_init(&random, slots->seed, STREAM, text, number);
    DGM_TRY(find_spans(env, slots, pair));
    draw(slots, &random);
    DGM_TRY(write(env, slots, 0));
    return write(env, slots, 1);
}

void dgm_slots_clear(struct dgm_env *env, struct dgm_slots *slots)
{
    for (int side = 0; side < 2; side++) {
        dgm_spans_clear(env, &slots->spans[side]);
        dgm_buf_clear(env, &slots->plain[side]);
        dgm_buf_clear(env, &slots->lines[side]);
    }
    memset(slots, 0, sizeof *slots);
}

dgm_status dgm_slots_count(struct dgm_env *env, struct dgm_map *marks)
{
    for (int slot = 0; slot < DGM_SLOTS; slot++)
        DGM_TRY(dgm_map_count(env, marks, dgm_slot_text(slot), DGM_SLOT_BYTES, 1));
    return DGM_OK;
}
