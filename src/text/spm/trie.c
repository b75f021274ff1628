/*
 * trie.c: a double array from sorted strings.
 *
 * The children of a node need a base that no other node has, for which all their units are free.
 * Free units are chained in the order of their places, base being the next one and value the one
 * before. Only those of the newest blocks are chained, and few of them are tried, so that the time
 * is in proportion to the bytes of the strings.
 */
#include "text/spm/trie.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

enum { BLOCK = 256, OPEN_BLOCKS = 16, TRIES = 256 };

/* A node whose strings are keys[first..last) and have `depth` bytes in common. */
struct todo {
    size_t first, last, depth;
    uint32_t node;
};

struct builder {
    struct dgm_trie *trie;
    const struct dgm_trie_key *keys;
    uint32_t first, last;   /* of the chain of free units */
    unsigned char *is_base; /* by unit */
    size_t base_capacity;
    struct todo *stack;
    size_t waiting, stack_capacity;
    unsigned char labels[256]; /* of the node at work */
    size_t starts[257], label_count;
};

static void link_units(struct builder *builder, uint32_t before, uint32_t after)
{
    struct dgm_trie_unit *units = builder->trie->units;

    if (before != DGM_TRIE_NONE)
        units[before].base = after;
    else
        builder->first = after;
    if (after != DGM_TRIE_NONE)
        units[after].value = (int32_t)before;
    else
        builder->last = before;
}

static void unchain(struct builder *builder, uint32_t unit)
{
    const struct dgm_trie_unit *free_unit = &builder->trie->units[unit];

    link_units(builder, (uint32_t)free_unit->value, free_unit->base);
}

/* What is free in a block that is old stays free for good. */
static void close_block(struct builder *builder, size_t start)
{
    for (uint32_t u = (uint32_t)start; u < start + BLOCK; u++)
        if (builder->trie->units[u].parent == DGM_TRIE_NONE) {
            unchain(builder, u);
            builder->trie->units[u].base = 0;
            builder->trie->units[u].value = -1;
        }
}

static dgm_status add_block(struct dgm_env *env, struct builder *builder)
{
    struct dgm_trie *trie = builder->trie;
    size_t start = trie->count;

    if (start >= (size_t)INT32_MAX - BLOCK)
        return dgm_fail(env, DGM_DATA, "too many pieces");
    DGM_TRY(dgm_reserve(env, &trie->units, &trie->capacity, start + BLOCK, sizeof *trie->units));
    DGM_TRY(dgm_reserve(env, &builder->is_base, &builder->base_capacity, start + BLOCK, 1));
    memset(builder->is_base + start, 0, BLOCK);
    trie->count += BLOCK;
    for (uint32_t u = (uint32_t)start; u < start + BLOCK; u++) {
        trie->units[u].parent = DGM_TRIE_NONE;
        link_units(builder, builder->last, u);
        link_units(builder, u, DGM_TRIE_NONE);
    }
    if (start >= (size_t)OPEN_BLOCKS * BLOCK)
        close_block(builder, start - (size_t)OPEN_BLOCKS * BLOCK);
    return DGM_OK;
}

static int fits(const struct builder *builder, uint32_t base)
{
    if (builder->is_base[base])
        return 0;
    for (size_t i = 0; i < builder->label_count; i++)
        /* A byte changes the lowest 8 bits: a base and its children are in one block. */
        if (builder->trie->units[base ^ builder->labels[i]].parent != DGM_TRIE_NONE)
            return 0;
    return 1;
}

static dgm_status find_base(struct dgm_env *env, struct builder *builder, uint32_t *base)
{
    uint32_t unit = builder->first;

    for (int tries = 0; unit != DGM_TRIE_NONE && tries < TRIES; tries++) {
        *base = unit ^ builder->labels[0];
        if (fits(builder, *base))
            return DGM_OK;
        unit = builder->trie->units[unit].base;
    }
    /* The first unit of a new block, where all is free. */
    *base = (uint32_t)builder->trie->count;
    return add_block(env, builder);
}

static void take(struct builder *builder, uint32_t unit, uint32_t parent)
{
    unchain(builder, unit);
    builder->trie->units[unit] = (struct dgm_trie_unit){ .parent = parent, .value = -1 };
}

/* Notes the next bytes of the strings, and where the strings of each begin. */
static void find_labels(struct builder *builder, const struct todo *todo)
{
    size_t i = todo->first;

    builder->label_count = 0;
    while (i < todo->last) {
        char label = builder->keys[i].bytes[todo->depth];

        builder->labels[builder->label_count] = (unsigned char)label;
        builder->starts[builder->label_count++] = i;
        while (i < todo->last && builder->keys[i].bytes[todo->depth] == label)
            i++;
    }
    builder->starts[builder->label_count] = todo->last;
}

static dgm_status push(struct dgm_env *env, struct builder *builder, const struct todo *todo)
{
    DGM_TRY(dgm_grow(env, &builder->stack, &builder->stack_capacity, builder->waiting,
                     sizeof *builder->stack));
    builder->stack[builder->waiting++] = *todo;
    return DGM_OK;
}

static dgm_status place_node(struct dgm_env *env, struct builder *builder, struct todo todo)
{
    uint32_t base;

    if (builder->keys[todo.first].size == todo.depth) {
        builder->trie->units[todo.node].value = builder->keys[todo.first++].value;
        if (todo.first < todo.last && builder->keys[todo.first].size == todo.depth)
            return dgm_fail(env, DGM_DATA, "a string is there twice");
    }
    if (todo.first == todo.last)
        return DGM_OK;
    find_labels(builder, &todo);
    DGM_TRY(find_base(env, builder, &base));
    builder->trie->units[todo.node].base = base;
    builder->is_base[base] = 1;
    for (size_t i = 0; i < builder->label_count; i++)
        take(builder, base ^ builder->labels[i], todo.node);
    for (size_t i = builder->label_count; i-- > 0;) {
        struct todo child = { builder->starts[i], builder->starts[i + 1], todo.depth + 1,
                              base ^ builder->labels[i] };
        DGM_TRY(push(env, builder, &child));
    }
    return DGM_OK;
}

static int compare(const void *a, const void *b)
{
    const struct dgm_trie_key *one = a, *other = b;

    return dgm_bytes_compare(one->bytes, one->size, other->bytes, other->size);
}

dgm_status dgm_trie_build(struct dgm_env *env, struct dgm_trie *trie, struct dgm_trie_key *keys,
                          size_t count)
{
    struct builder builder = {
        .trie = trie, .keys = keys, .first = DGM_TRIE_NONE, .last = DGM_TRIE_NONE
    };
    struct todo root = { 0, count, 0, 0 };
    dgm_status status = DGM_OK;

    if (count == 0)
        return DGM_OK;
    qsort(keys, count, sizeof *keys, compare);
    if (keys[0].size == 0)
        return dgm_fail(env, DGM_DATA, "an empty string");
    DGM_TRY_OUT(add_block(env, &builder));
    /* The root has a parent that no unit is, and so is not free. */
    take(&builder, 0, DGM_TRIE_NONE - 1);
    builder.is_base[0] = 1; /* that of nodes without children */
    DGM_TRY_OUT(push(env, &builder, &root));
    while (builder.waiting > 0)
        DGM_TRY_OUT(place_node(env, &builder, builder.stack[--builder.waiting]));
    for (size_t u = 0; u < trie->count; u++)
        if (trie->units[u].parent == DGM_TRIE_NONE) {
            trie->units[u].base = 0;
            trie->units[u].value = -1;
        }
out:
    dgm_release(env, builder.stack);
    dgm_release(env, builder.is_base);
    return status;
}

size_t dgm_trie_longest(const struct dgm_trie *trie, const char *text, size_t size)
{
    size_t found = 0, i;
    uint32_t node = 0;

    for (i = 0; i < size && trie->count > 0; i++) {
        node = dgm_trie_step(trie, node, text[i]);
        if (node == DGM_TRIE_NONE)
            break;
        if (trie->units[node].value >= 0)
            found = i + 1;
    }
    return found;
}

void dgm_trie_clear(struct dgm_env *env, struct dgm_trie *trie)
{
    dgm_release(env, trie->units);
    memset(trie, 0, sizeof *trie);
}
