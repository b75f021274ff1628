/* pair_map.c: pairs of numbers to consecutive numbers, by open addressing. */
#include "text/bpe/pair_map.h"

#include "base/mem.h"

/*
 * The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): every bit stirs every
 * other.
 */
static size_t slot_of(const struct dgm_pair_map *pairs, uint64_t key)
{
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9U;
    key = (key ^ key >> 27) * 0x94D049BB133111EBU;
    return (size_t)(key ^ key >> 31) & (pairs->slot_count - 1);
}

/* The slot that holds the key, or the free slot where it belongs. */
static size_t find_slot(const struct dgm_pair_map *pairs, uint64_t key)
{
    size_t slot = slot_of(pairs, key);

    while (pairs->slots[slot] != 0 && pairs->keys[pairs->slots[slot] - 1] != key)
        slot = (slot + 1) & (pairs->slot_count - 1);
    return slot;
}

uint32_t dgm_pair_map_find(const struct dgm_pair_map *pairs, uint32_t a, uint32_t b)
{
    if (pairs->count == 0)
        return DGM_PAIR_NONE;
    /* A free slot holds 0, and 0 - 1 is DGM_PAIR_NONE. */
    return pairs->slots[find_slot(pairs, (uint64_t)a << 32 | b)] - 1U;
}

static dgm_status grow_slots(struct dgm_env *env, struct dgm_pair_map *pairs)
{
    size_t count = pairs->slot_count == 0 ? 64 : pairs->slot_count * 2, i;
    uint32_t *slots = dgm_alloc(env, count, sizeof *slots);

    if (slots == NULL)
        return DGM_MEMORY;
    dgm_release(env, pairs->slots);
    pairs->slots = slots;
    pairs->slot_count = count;
    for (i = 0; i < pairs->count; i++)
        slots[find_slot(pairs, pairs->keys[i])] = (uint32_t)i + 1;
    return DGM_OK;
}

dgm_status dgm_pair_map_insert(struct dgm_env *env, struct dgm_pair_map *pairs, uint32_t *number,
                               uint32_t a, uint32_t b)
{
    uint64_t key = (uint64_t)a << 32 | b;
    size_t slot;

    if (pairs->count * 4 >= pairs->slot_count * 3)
        DGM_TRY(grow_slots(env, pairs));
    slot = find_slot(pairs, key);
    if (pairs->slots[slot] == 0) {
        if (pairs->count >= 0x7FFFFFFF)
            return dgm_fail(env, DGM_FAILURE, "more than 2147483647 different pairs");
        DGM_TRY(dgm_grow(env, &pairs->keys, &pairs->capacity, pairs->count, sizeof key));
        pairs->keys[pairs->count++] = key;
        pairs->slots[slot] = (uint32_t)pairs->count;
    }
    *number = pairs->slots[slot] - 1;
    return DGM_OK;
}

uint32_t dgm_pair_map_first(const struct dgm_pair_map *pairs, uint32_t number)
{
    return (uint32_t)(pairs->keys[number] >> 32);
}

uint32_t dgm_pair_map_second(const struct dgm_pair_map *pairs, uint32_t number)
{
    return (uint32_t)pairs->keys[number];
}

void dgm_pair_map_reset(struct dgm_pair_map *pairs)
{
    /*
     * From the last to the first, so that no probe sequence loses its link before its
     * end.
     */
    while (pairs->count > 0) {
        pairs->slots[find_slot(pairs, pairs->keys[pairs->count - 1])] = 0;
        pairs->count--;
    }
}

void dgm_pair_map_clear(struct dgm_env *env, struct dgm_pair_map *pairs)
{
    dgm_release(env, pairs->keys);
    dgm_release(env, pairs->slots);
    pairs->keys = NULL;
    pairs->slots = NULL;
    pairs->count = pairs->capacity = pairs->slot_count = 0;
}
