/*
 * map.c: byte strings to numbers by open addressing.
 *
 * A probe looks at a few neighbouring slots first, which costs one cache line; then it
 * goes on with a stride from a second hash of the key, so that keys made to collide in
 * the first hash do not make one long chain. The stride is odd and the table a power of
 * two: every slot is reached.
 */
#include "base/map.h"

#include <string.h>

#include "base/mem.h"

enum { NEIGHBOURS = 8 };

#define FIRST_SEED UINT64_C(0x9E3779B97F4A7C15)
#define SECOND_SEED UINT64_C(0xC2B2AE3D27D4EB4F)
#define MAX_ENTRIES ((size_t)1 << 30)

/* Eight bytes at a time: multiply, then fold the well-mixed upper half down. */
static uint32_t hash_bytes(const char *key, size_t length, uint64_t seed)
{
    uint64_t hash = seed ^ (uint64_t)length;
    uint64_t word;
    for (; length >= 8; key += 8, length -= 8) {
        memcpy(&word, key, 8);
        hash = (hash ^ word) * UINT64_C(0xD6E8FEB86659FD93);
        hash ^= hash >> 32;
    }
    word = 0;
    if (length > 0)
        memcpy(&word, key, length);
    hash = (hash ^ word) * UINT64_C(0xD6E8FEB86659FD93);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(hash >> 32);
}

/* A walk over the slots that one key may occupy. */
struct probe {
    const char *key;
    size_t length;
    uint32_t hash;
    size_t mask, at, stride;
    unsigned steps;
};

static struct probe probe_start(const struct dgm_map *map, const char *key, size_t length,
                                uint32_t hash)
{
    struct probe probe = { key, length, hash, 0, 0, 1, 0 };
    probe.mask = map->slot_count - 1;
    probe.at = hash & probe.mask;
    return probe;
}

static void probe_step(struct probe *probe)
{
    if (++probe->steps == NEIGHBOURS)
        probe->stride = hash_bytes(probe->key, probe->length, SECOND_SEED) | 1;
    probe->at = (probe->at + probe->stride) & probe->mask;
}

/* The slot that holds the key, or the free one where it belongs. */
static size_t find_slot(const struct dgm_map *map, const char *key, size_t length, uint32_t hash)
{
    struct probe probe = probe_start(map, key, length, hash);
    for (;; probe_step(&probe)) {
        uint32_t number = map->slots[probe.at];
        const struct dgm_map_entry *entry;
        if (number == 0)
            return probe.at;
        entry = &map->entries[number - 1];
        if (entry->hash == hash && entry->length == length &&
            memcmp(map->bytes + entry->key, key, length) == 0)
            return probe.at;
    }
}

struct dgm_map_entry *dgm_map_find(const struct dgm_map *map, const char *key, size_t length)
{
    uint32_t number;
    if (map->slot_count == 0 || length >= UINT32_MAX)
        return NULL;
    number = map->slots[find_slot(map, key, length, hash_bytes(key, length, FIRST_SEED))];
    return number == 0 ? NULL : &map->entries[number - 1];
}

/* Doubles the table when three quarters of it are taken. */
static dgm_status grow_slots(struct dgm_env *env, struct dgm_map *map)
{
    size_t slot_count = map->slot_count > 0 ? map->slot_count * 2 : 16;
    uint32_t *slots;
    if (map->count < map->slot_count / 4 * 3)
        return DGM_OK;
    DGM_TRY(dgm_new(env, &slots, slot_count, sizeof *slots));
    dgm_release(env, map->slots);
    map->slots = slots;
    map->slot_count = slot_count;
    for (size_t i = 0; i < map->count; i++) {
        const struct dgm_map_entry *entry = &map->entries[i];
        struct probe probe = probe_start(map, map->bytes + entry->key, entry->length, entry->hash);
        while (slots[probe.at] != 0)
            probe_step(&probe);
        slots[probe.at] = (uint32_t)i + 1;
    }
    return DGM_OK;
}

static dgm_status grow_bytes(struct dgm_env *env, struct dgm_map *map, size_t length)
{
    size_t need;

    if (!dgm_size_add(&need, map->byte_count, length + 1) || need > SIZE_MAX / 2)
        return dgm_fail(env, DGM_MEMORY, "out of memory: too many keys");
    return dgm_reserve(env, &map->bytes, &map->byte_capacity, need > 256 ? need : 256, 1);
}

/* All room is made before anything changes: a failure leaves the map as it was. */
static dgm_status add_entry(struct dgm_env *env, struct dgm_map *map, const char *key,
                            size_t length, uint32_t hash)
{
    struct dgm_map_entry *entry;
    if (map->count >= MAX_ENTRIES)
        return dgm_fail(env, DGM_MEMORY, "a table has more than %zu entries", MAX_ENTRIES);
    DGM_TRY(grow_slots(env, map));
    DGM_TRY(dgm_grow(env, &map->entries, &map->capacity, map->count, sizeof *map->entries));
    DGM_TRY(grow_bytes(env, map, length));
    map->slots[find_slot(map, key, length, hash)] = (uint32_t)map->count + 1;
    entry = &map->entries[map->count++];
    entry->key = map->byte_count;
    entry->length = (uint32_t)length;
    entry->hash = hash;
    entry->value = 0;
    if (length > 0)
        memcpy(map->bytes + map->byte_count, key, length);
    map->bytes[map->byte_count + length] = '\0';
    map->byte_count += length + 1;
    return DGM_OK;
}

dgm_status dgm_map_insert(struct dgm_env *env, struct dgm_map *map, const char *key, size_t length,
                          struct dgm_map_entry **entry, int *is_new)
{
    struct dgm_map_entry *found = dgm_map_find(map, key, length);
    int added = found == NULL;
    if (length >= UINT32_MAX)
        return dgm_fail(env, DGM_DATA, "a key of %zu bytes is too long", length);
    if (added) {
        DGM_TRY(add_entry(env, map, key, length, hash_bytes(key, length, FIRST_SEED)));
        found = &map->entries[map->count - 1];
    }
    if (entry != NULL)
        *entry = found;
    if (is_new != NULL)
        *is_new = added;
    return DGM_OK;
}

dgm_status dgm_map_number(struct dgm_env *env, struct dgm_map *map, const char *key, size_t length,
                          uint32_t *number)
{
    struct dgm_map_entry *entry = NULL;

    DGM_TRY(dgm_map_insert(env, map, key, length, &entry, NULL));
    *number = (uint32_t)(entry - map->entries);
    return DGM_OK;
}

dgm_status dgm_map_count(struct dgm_env *env, struct dgm_map *map, const char *key, size_t length,
                         int64_t times)
{
    struct dgm_map_entry *entry = NULL;

    DGM_TRY(dgm_map_insert(env, map, key, length, &entry, NULL));
    entry->value += times;
    return DGM_OK;
}

const char *dgm_map_key(const struct dgm_map *map, const struct dgm_map_entry *entry)
{
    return map->bytes + entry->key;
}

double dgm_map_bytes(const struct dgm_map *map)
{
    return (double)map->count * sizeof *map->entries +
           (double)map->slot_count * sizeof *map->slots + (double)map->byte_count;
}

void dgm_map_clear(struct dgm_env *env, struct dgm_map *map)
{
    dgm_release(env, map->entries);
    dgm_release(env, map->slots);
    dgm_release(env, map->bytes);
    memset(map, 0, sizeof *map);
}
