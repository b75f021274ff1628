/* mem.c: sizes that cannot wrap, allocation through the environment, and arenas. */
#include "base/mem.h"

#include <stdint.h>
#include <string.h>

#include "base/system/meter.h"

enum { ARENA_ALIGNMENT = 64 };

#define ARENA_FIRST_BLOCK ((size_t)64 << 10)
#define ARENA_MAX_GROWTH ((size_t)64 << 20)

/* The data begins at the first multiple of ARENA_ALIGNMENT behind the header. */
struct dgm_arena_block {
    struct dgm_arena_block *next;
    unsigned char *data;
    size_t size; /* of data */
};

int dgm_size_mul(size_t *out, size_t a, size_t b)
{
    if (a != 0 && b > SIZE_MAX / a)
        return 0;
    *out = a * b;
    return 1;
}

int dgm_size_add(size_t *out, size_t a, size_t b)
{
    if (b > SIZE_MAX - a)
        return 0;
    *out = a + b;
    return 1;
}

int dgm_size_pad(size_t *out, size_t a, size_t step)
{
    size_t sum;
    if (!dgm_size_add(&sum, a, step - 1))
        return 0;
    *out = sum & ~(step - 1);
    return 1;
}

/* The bytes of an array, at least 1; 0 with DGM_MEMORY recorded when it is too large. More than
 * PTRDIFF_MAX bytes would have elements whose distance is no ptrdiff_t. */
static size_t array_bytes(struct dgm_env *env, size_t count, size_t size)
{
    size_t bytes;
    if (!dgm_size_mul(&bytes, count, size) || bytes > PTRDIFF_MAX) {
        dgm_fail(env, DGM_MEMORY, "out of memory: %zu items of %zu bytes do not fit in memory",
                 count, size);
        return 0;
    }
    return bytes > 0 ? bytes : 1;
}

static void fail_memory(struct dgm_env *env, size_t bytes)
{
    const size_t unit = (size_t)1 << 20;

    if (env->meter != NULL && env->meter->limit > 0)
        dgm_fail(env, DGM_MEMORY,
                 "out of memory: %zu bytes were asked for, %zu of the %zu MiB that "
                 "--memory allows are in use. Try a smaller --batch-tokens, shorter lines of text "
                 "if some are very long, or more of it",
                 bytes, dgm_meter_used(env->meter) / unit, env->meter->limit / unit);
    else
        dgm_fail(env, DGM_MEMORY, "out of memory: %zu bytes were asked for", bytes);
}

void *dgm_resize(struct dgm_env *env, void *block, size_t count, size_t size)
{
    size_t bytes = array_bytes(env, count, size);
    void *moved;
    if (bytes == 0)
        return NULL;
    moved = env->memory.resize(env->memory.user, block, bytes);
    if (moved == NULL)
        fail_memory(env, bytes);
    return moved;
}

void *dgm_alloc(struct dgm_env *env, size_t count, size_t size)
{
    void *block = dgm_resize(env, NULL, count, size);
    if (block != NULL)
        memset(block, 0, count * size);
    return block;
}

dgm_status dgm_new(struct dgm_env *env, void *block, size_t count, size_t size)
{
    void *made = dgm_alloc(env, count, size);

    /* A T ** may not be written as a void **; its bytes may. */
    memcpy(block, &made, sizeof made);
    return made != NULL ? DGM_OK : DGM_MEMORY;
}

void dgm_release(struct dgm_env *env, void *block)
{
    if (block != NULL)
        env->memory.release(env->memory.user, block);
}

char *dgm_copy_text(struct dgm_env *env, const char *text, size_t bytes)
{
    size_t room;
    char *copy;
    if (!dgm_size_add(&room, bytes, 1)) {
        dgm_fail(env, DGM_MEMORY, "out of memory: %zu bytes were asked for", bytes);
        return NULL;
    }
    copy = dgm_resize(env, NULL, room, 1);
    if (copy == NULL)
        return NULL;
    if (bytes > 0)
        memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    return copy;
}

dgm_status dgm_reserve(struct dgm_env *env, void *items, size_t *capacity, size_t count,
                       size_t size)
{
    void *block;
    size_t wanted;
    if (count <= *capacity)
        return DGM_OK;
    if (!dgm_size_mul(&wanted, *capacity, 2))
        wanted = SIZE_MAX;
    if (wanted < count)
        wanted = count;
    if (wanted < 8)
        wanted = 8;
    memcpy(&block, items, sizeof block); /* as in dgm_new */
    block = dgm_resize(env, block, wanted, size);
    if (block == NULL)
        return DGM_MEMORY;
    memcpy(items, &block, sizeof block);
    *capacity = wanted;
    return DGM_OK;
}

dgm_status dgm_reserve_parallel(struct dgm_env *env, const struct dgm_parallel *arrays,
                                size_t *capacity, size_t count)
{
    size_t grown = *capacity;
    for (; arrays->items != NULL; arrays++) {
        grown = *capacity;
        DGM_TRY(dgm_reserve(env, arrays->items, &grown, count, arrays->size));
    }
    *capacity = grown;
    return DGM_OK;
}

dgm_status dgm_grow(struct dgm_env *env, void *items, size_t *capacity, size_t count, size_t size)
{
    return dgm_reserve(env, items, capacity, count + 1, size);
}

/* Blocks double: a warm arena has few of them and the last holds most of a round. */
static struct dgm_arena_block *block_new(struct dgm_env *env, size_t previous, size_t need)
{
    struct dgm_arena_block *block;
    size_t size = previous < ARENA_FIRST_BLOCK / 2 ? ARENA_FIRST_BLOCK : previous * 2;
    size_t bytes;
    uintptr_t start;
    if (size > ARENA_MAX_GROWTH)
        size = ARENA_MAX_GROWTH;
    if (size < need)
        size = need;
    if (!dgm_size_add(&bytes, size, sizeof *block + ARENA_ALIGNMENT)) {
        dgm_fail(env, DGM_MEMORY, "out of memory: %zu bytes were asked for", size);
        return NULL;
    }
    block = dgm_resize(env, NULL, bytes, 1);
    if (block == NULL)
        return NULL;
    start = (uintptr_t)(block + 1);
    block->data = (unsigned char *)(block + 1) + (0 - start) % ARENA_ALIGNMENT;
    block->size = size;
    block->next = NULL;
    return block;
}

/*
 * Makes `current` a block with room for `need`, preferring those of earlier rounds. What is left of
 * a block, and a block that is too small, stays unused until the reset: going back for it would
 * cost a search at every allocation.
 */
static dgm_status arena_advance(struct dgm_env *env, struct dgm_arena *arena, size_t need)
{
    struct dgm_arena_block *block;
    while (arena->current != NULL && arena->current->next != NULL) {
        arena->current = arena->current->next;
        arena->used = 0;
        if (arena->current->size >= need)
            return DGM_OK;
    }
    block = block_new(env, arena->current != NULL ? arena->current->size : 0, need);
    if (block == NULL)
        return DGM_MEMORY;
    if (arena->current != NULL)
        arena->current->next = block;
    else
        arena->first = block;
    arena->current = block;
    arena->used = 0;
    return DGM_OK;
}

void *dgm_arena_alloc(struct dgm_env *env, struct dgm_arena *arena, size_t count, size_t size)
{
    size_t bytes = array_bytes(env, count, size);
    size_t need;
    void *result;
    if (bytes == 0)
        return NULL;
    /* Below PTRDIFF_MAX, the padding cannot wrap. */
    (void)dgm_size_pad(&need, bytes, ARENA_ALIGNMENT);
    if (arena->current == NULL || arena->current->size - arena->used < need)
        if (arena_advance(env, arena, need) != DGM_OK)
            return NULL;
    result = arena->current->data + arena->used;
    arena->used += need;
    memset(result, 0, bytes);
    return result;
}

void dgm_arena_reset(struct dgm_arena *arena)
{
    arena->current = arena->first;
    arena->used = 0;
}

void dgm_arena_clear(struct dgm_env *env, struct dgm_arena *arena)
{
    struct dgm_arena_block *block = arena->first;
    while (block != NULL) {
        struct dgm_arena_block *next = block->next;
        dgm_release(env, block);
        block = next;
    }
    memset(arena, 0, sizeof *arena);
}
