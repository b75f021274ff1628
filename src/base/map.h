/*
 * map.h: byte strings to int, in the order of their first insertion.
 *
 * Entries are numbered 0, 1, 2, ... as they come, so no output ever depends on hash order. The hash
 * has no random key: results must not differ between runs. Keys are untrusted all the same, so a
 * search that grows long goes on with a second hash (map.c).
 */
#ifndef DGM_BASE_MAP_H
#define DGM_BASE_MAP_H

#include "base/env.h"

struct dgm_map_entry {
    size_t key; /* offset of the bytes in `bytes`; each key is followed by a NUL */
    uint32_t length;
    uint32_t hash;
    int64_t value;
};

struct dgm_map {
    struct dgm_map_entry *entries; /* in order of insertion */
    size_t count, capacity;
    uint32_t *slots;   /* entry number + 1; 0 is free */
    size_t slot_count; /* a power of two, or 0 */
    char *bytes;
    size_t byte_count, byte_capacity;
};

/* The entry of a key, or NULL. */
struct dgm_map_entry *dgm_map_find(const struct dgm_map *map, const char *key, size_t length);

/*
 * The entry of a key, made with value 0 if it is new; *is_new tells which. The pointer holds until
 * the next insertion. Either may be NULL.
 */
dgm_status dgm_map_insert(struct dgm_env *env, struct dgm_map *map, const char *key, size_t length,
                          struct dgm_map_entry **entry, int *is_new);

/* The number of a key's entry, made with value 0 if it is new. */
dgm_status dgm_map_number(struct dgm_env *env, struct dgm_map *map, const char *key, size_t length,
                          uint32_t *number);
/* Counts a key so many times more: adds to the value of its entry. */
dgm_status dgm_map_count(struct dgm_env *env, struct dgm_map *map, const char *key, size_t length,
                         int64_t times);
const char *dgm_map_key(const struct dgm_map *map, const struct dgm_map_entry *entry);

/* Bytes of what it holds, without room for more. */
double dgm_map_bytes(const struct dgm_map *map);

void dgm_map_clear(struct dgm_env *env, struct dgm_map *map);

#endif
