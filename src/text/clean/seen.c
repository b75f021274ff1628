/*
 * seen.c: a set of hashes in 256 tables with linear search, each grown on its own by a quarter: at
 * most 1/256 of the set is there twice while it grows.
 */
#include "text/clean/seen.h"

#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "base/siphash.h"

enum { FIRST_SLOTS = 16 };

/* The length of the first text goes first, so that "a" "bc" is not "ab" "c". */
void dgm_seen_hash(uint64_t hash[2], uint64_t seed, const char *first, size_t first_bytes,
                   const char *second, size_t second_bytes)
{
    struct dgm_siphash sip;
    unsigned char length[8];

    dgm_le64_put(length, first_bytes);
    dgm_siphash_init(&sip, seed, second != NULL);
    dgm_siphash_add(&sip, length, sizeof length);
    dgm_siphash_add(&sip, first, first_bytes);
    dgm_siphash_add(&sip, second, second_bytes);
    dgm_siphash_end(&sip, hash);
}

/* The slot that holds the hash, or the free one where it would stand. Slots follow the order of the
 * hash's upper 32 bits; the byte that chose the part is not among them. */
static uint64_t *find(const struct dgm_seen_part *part, const uint64_t hash[2])
{
    uint32_t at = (uint32_t)((hash[0] >> 32) * part->slot_count >> 32);

    while ((part->slots[at][0] | part->slots[at][1]) != 0 &&
           (part->slots[at][0] != hash[0] || part->slots[at][1] != hash[1]))
        at = at + 1 < part->slot_count ? at + 1 : 0;
    return part->slots[at];
}

static void put(uint64_t *slot, const uint64_t hash[2])
{
    slot[0] = hash[0];
    slot[1] = hash[1];
}

static dgm_status grow(struct dgm_env *env, struct dgm_seen_part *part)
{
    struct dgm_seen_part larger = { NULL, 0, part->used };

    if (part->slot_count > UINT32_MAX / 5 * 4 - FIRST_SLOTS)
        return dgm_fail(env, DGM_MEMORY, "more than 800 billion different texts");
    larger.slot_count = part->slot_count + part->slot_count / 4 + FIRST_SLOTS;
    larger.slots = dgm_alloc(env, larger.slot_count, sizeof *larger.slots);
    if (larger.slots == NULL)
        return DGM_MEMORY;
    for (uint32_t i = 0; i < part->slot_count; i++)
        if ((part->slots[i][0] | part->slots[i][1]) != 0)
            put(find(&larger, part->slots[i]), part->slots[i]);
    dgm_release(env, part->slots);
    *part = larger;
    return DGM_OK;
}

/* A hash of zeros, which would look free, counts as the next one. */
static void set_key(uint64_t key[2], const uint64_t hash[2])
{
    key[0] = hash[0];
    key[1] = (hash[0] | hash[1]) == 0 ? 1 : hash[1];
}

int dgm_seen_has(const struct dgm_seen *seen, const uint64_t hash[2])
{
    const struct dgm_seen_part *part;
    const uint64_t *slot;
    uint64_t key[2];

    set_key(key, hash);
    part = &seen->parts[key[1] % DGM_SEEN_PARTS];
    if (part->used == 0)
        return 0;
    slot = find(part, key);
    return (slot[0] | slot[1]) != 0;
}

dgm_status dgm_seen_add(struct dgm_env *env, struct dgm_seen *seen, const uint64_t hash[2],
                        int *is_new)
{
    struct dgm_seen_part *part;
    uint64_t *slot, key[2];

    set_key(key, hash);
    part = &seen->parts[key[1] % DGM_SEEN_PARTS];
    /* Four of five slots at most are taken: what is new is found to be so after 13, on average. */
    if (part->used >= part->slot_count - part->slot_count / 5)
        DGM_TRY(grow(env, part));
    slot = find(part, key);
    *is_new = (slot[0] | slot[1]) == 0;
    if (*is_new) {
        put(slot, key);
        part->used++;
    }
    return DGM_OK;
}

void dgm_seen_clear(struct dgm_env *env, struct dgm_seen *seen)
{
    for (size_t i = 0; i < DGM_SEEN_PARTS; i++)
        dgm_release(env, seen->parts[i].slots);
    memset(seen, 0, sizeof *seen);
}
