/* lowest.c: a heap with one number more than is wanted: that one is the bound. */
#include "text/clean/lowest.h"

#include "base/mem.h"

static void swap(uint64_t *a, uint64_t *b)
{
    const uint64_t held = *a;

    *a = *b;
    *b = held;
}

static void rise(uint64_t *heap, size_t at)
{
    while (at > 0 && heap[(at - 1) / 2] < heap[at]) {
        swap(&heap[(at - 1) / 2], &heap[at]);
        at = (at - 1) / 2;
    }
}

static void sink(uint64_t *heap, size_t count)
{
    size_t at = 0;

    for (;;) {
        size_t largest = at, child;

        for (child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
            if (heap[child] > heap[largest])
                largest = child;
        if (largest == at)
            return;
        swap(&heap[at], &heap[largest]);
        at = largest;
    }
}

dgm_status dgm_lowest_add(struct dgm_env *env, struct dgm_lowest *lowest, uint64_t number)
{
    if (lowest->count <= lowest->wanted) {
        DGM_TRY(
            dgm_grow(env, &lowest->heap, &lowest->capacity, lowest->count, sizeof *lowest->heap));
        lowest->heap[lowest->count++] = number;
        rise(lowest->heap, lowest->count - 1);
    } else if (number < lowest->heap[0]) {
        lowest->heap[0] = number;
        sink(lowest->heap, lowest->count);
    }
    return DGM_OK;
}

uint64_t dgm_lowest_bound(const struct dgm_lowest *lowest)
{
    return lowest->count > lowest->wanted ? lowest->heap[0] : UINT64_MAX;
}

void dgm_lowest_clear(struct dgm_env *env, struct dgm_lowest *lowest)
{
    dgm_release(env, lowest->heap);
    lowest->heap = NULL;
    lowest->count = lowest->capacity = 0;
}
