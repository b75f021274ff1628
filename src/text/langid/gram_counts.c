/* gram_counts.c: a table of pairs of n-gram and language, searched one slot after the other. */
#include "text/langid/gram_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { FIRST_SLOTS = 1 << 12 };

static struct dgm_gram_count *find(struct dgm_gram_count *slots, size_t slot_count, uint64_t id)
{
    size_t at = (size_t)(id * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (slot_count - 1);

    while (slots[at].id != 0 && slots[at].id != id)
        at = (at + 1) & (slot_count - 1);
    return &slots[at];
}

/* At most 7 slots of 10 are used. */
static dgm_status make_room(struct dgm_env *env, struct dgm_gram_counts *counts)
{
    const size_t wanted = counts->slot_count > 0 ? 2 * counts->slot_count : FIRST_SLOTS;
    struct dgm_gram_count *slots;

    if (counts->used < counts->slot_count / 10 * 7)
        return DGM_OK;
    DGM_TRY(dgm_new(env, &slots, wanted, sizeof *slots));
    for (size_t i = 0; i < counts->slot_count; i++)
        if (counts->slots[i].id != 0)
            *find(slots, wanted, counts->slots[i].id) = counts->slots[i];
    dgm_release(env, counts->slots);
    counts->slots = slots;
    counts->slot_count = wanted;
    return DGM_OK;
}

static void count(struct dgm_gram_counts *counts, uint64_t id)
{
    struct dgm_gram_count *slot = find(counts->slots, counts->slot_count, id);

    counts->used += slot->id == 0;
    slot->id = id;
    slot->count++;
}

dgm_status dgm_gram_counts_add(struct dgm_env *env, struct dgm_gram_counts *counts, int language,
                               const char *text, size_t bytes)
{
    struct dgm_langid_reader reader;
    struct dgm_langid_grams grams;

    dgm_langid_reader_init(&reader, text, bytes);
    while (dgm_langid_reader_next(&reader, &grams)) {
        DGM_TRY(make_room(env, counts));
        for (int n = grams.least; n <= grams.most; n++) {
            count(counts, (uint64_t)grams.key[n] << 11 | (uint64_t)n << 8 | (uint64_t)language);
            counts->totals[n][language]++;
        }
    }
    return DGM_OK;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = ((const struct dgm_gram_count *)a)->id;
    const uint64_t y = ((const struct dgm_gram_count *)b)->id;

    return x < y ? -1 : x > y;
}

dgm_status dgm_gram_counts_sort(struct dgm_env *env, const struct dgm_gram_counts *counts,
                                struct dgm_gram_count **sorted)
{
    size_t n = 0;

    DGM_TRY(dgm_new(env, sorted, counts->used, sizeof **sorted));
    for (size_t i = 0; i < counts->slot_count; i++)
        if (counts->slots[i].id != 0)
            (*sorted)[n++] = counts->slots[i];
    qsort(*sorted, n, sizeof **sorted, compare);
    return DGM_OK;
}

void dgm_gram_counts_clear(struct dgm_env *env, struct dgm_gram_counts *counts)
{
    dgm_release(env, counts->slots);
    memset(counts, 0, sizeof *counts);
}
