/*
 * bpe_merge.c: applies merge rules to one word in O(n log n).
 *
 * The word is a linked list of symbols; every neighbouring pair that a rule merges
 * waits in a heap. Each round takes the earliest rule that applies anywhere and merges
 * all its places from left to right, exactly as subword-nmt defines it, and pushes the
 * pairs that arise. Entries that a merge has made untrue stay in the heap and are
 * recognised when they come up.
 */
#include "text/bpe/bpe_merge.h"

#include <string.h>

#include "base/mem.h"
#include "text/unicode/utf8.h"

static const char end_of_word[] = "</w>";

/*
 * ---- the heap
 * ------------------------------------------------------------------------
 */

static int waits_before(struct dgm_bpe_waiting a, struct dgm_bpe_waiting b)
{
    return a.rule != b.rule ? a.rule < b.rule : a.node < b.node;
}

static dgm_status push(struct dgm_env *env, struct dgm_bpe *bpe, struct dgm_bpe_waiting item)
{
    size_t at = bpe->heap_count;

    DGM_TRY(dgm_grow(env, &bpe->heap, &bpe->heap_capacity, at, sizeof item));
    bpe->heap_count++;
    while (at > 0 && waits_before(item, bpe->heap[(at - 1) / 2])) {
        bpe->heap[at] = bpe->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    bpe->heap[at] = item;
    return DGM_OK;
}

static struct dgm_bpe_waiting pop(struct dgm_bpe *bpe)
{
    struct dgm_bpe_waiting *heap = bpe->heap, top = heap[0], item;
    size_t count = --bpe->heap_count, at = 0, child;

    item = heap[count];
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && waits_before(heap[child + 1], heap[child]))
            child++;
        if (!waits_before(heap[child], item))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
    return top;
}

/*
 * ---- the list of symbols
 * -------------------------------------------------------------
 */

static uint32_t find_symbol(const struct dgm_bpe *bpe, const char *text, size_t bytes)
{
    const struct dgm_map_entry *entry = dgm_map_find(&bpe->symbols, text, bytes);

    return entry != NULL ? (uint32_t)(entry - bpe->symbols.entries) : DGM_PAIRS_NONE;
}

static dgm_status add_node(struct dgm_env *env, struct dgm_bpe *bpe, size_t *count, uint32_t symbol,
                           size_t end)
{
    struct dgm_bpe_node *node;

    DGM_TRY(dgm_grow(env, &bpe->nodes, &bpe->node_capacity, *count, sizeof *node));
    node = &bpe->nodes[*count];
    node->symbol = symbol;
    node->previous = *count > 0 ? (uint32_t)*count - 1 : DGM_PAIRS_NONE;
    node->next = (uint32_t)*count + 1;
    node->end = (uint32_t)end;
    *count += 1;
    return DGM_OK;
}

/* One node for each character; </w> joins the last one, or in version 0.1 follows it. */
static dgm_status list_characters(struct dgm_env *env, struct dgm_bpe *bpe, const char *text,
                                  size_t bytes)
{
    const size_t mark = sizeof end_of_word - 1;
    size_t at = 0, count = 0;
    char last[4 + sizeof end_of_word];
    uint32_t code, symbol;

    while (at < bytes) {
        size_t used = dgm_utf8_decode(&code, text + at, bytes - at);

        symbol = find_symbol(bpe, text + at, used);
        if (bpe->version == 2 && at + used == bytes) {
            memcpy(last, text + at, used);
            memcpy(last + used, end_of_word, mark);
            symbol = find_symbol(bpe, last, used + mark);
        }
        at += used;
        DGM_TRY(add_node(env, bpe, &count, symbol, at));
    }
    if (bpe->version == 1)
        DGM_TRY(add_node(env, bpe, &count, find_symbol(bpe, end_of_word, mark), bytes));
    bpe->nodes[count - 1].next = DGM_PAIRS_NONE;
    return DGM_OK;
}

/* Lets the pair that begins at a node wait for its rule, if it has one. */
static dgm_status push_pair(struct dgm_env *env, struct dgm_bpe *bpe, uint32_t node)
{
    const struct dgm_bpe_node *left;
    struct dgm_bpe_waiting item;

    if (node == DGM_PAIRS_NONE || bpe->nodes[node].next == DGM_PAIRS_NONE)
        return DGM_OK;
    left = &bpe->nodes[node];
    item.node = node;
    item.rule = dgm_pairs_find(&bpe->rules, left->symbol, bpe->nodes[left->next].symbol);
    return item.rule != DGM_PAIRS_NONE ? push(env, bpe, item) : DGM_OK;
}

static int still_applies(const struct dgm_bpe *bpe, struct dgm_bpe_waiting item)
{
    const struct dgm_bpe_node *left = &bpe->nodes[item.node];

    return left->next != DGM_PAIRS_NONE &&
           left->symbol == dgm_pairs_first(&bpe->rules, item.rule) &&
           bpe->nodes[left->next].symbol == dgm_pairs_second(&bpe->rules, item.rule);
}

static dgm_status merge_at(struct dgm_env *env, struct dgm_bpe *bpe, struct dgm_bpe_waiting item)
{
    struct dgm_bpe_node *left = &bpe->nodes[item.node];
    struct dgm_bpe_node *right = &bpe->nodes[left->next];

    left->symbol = bpe->result[item.rule];
    left->end = right->end;
    left->next = right->next;
    right->symbol = DGM_PAIRS_NONE; /* no rule applies to what is gone */
    if (left->next != DGM_PAIRS_NONE)
        bpe->nodes[left->next].previous = item.node;
    DGM_TRY(push_pair(env, bpe, left->previous));
    return push_pair(env, bpe, item.node);
}

/*
 * ---- rounds
 * --------------------------------------------------------------------------
 */

static dgm_status add_waiting(struct dgm_env *env, struct dgm_bpe_waiting **items, size_t *capacity,
                              size_t *count, struct dgm_bpe_waiting item)
{
    DGM_TRY(dgm_grow(env, items, capacity, *count, sizeof item));
    (*items)[*count] = item;
    *count += 1;
    return DGM_OK;
}

/* Fills `batch` with all places of the earliest rule that applies and is not dropped. */
static dgm_status collect_batch(struct dgm_env *env, struct dgm_bpe *bpe)
{
    bpe->batch_count = bpe->aside_count = 0;
    while (bpe->heap_count > 0 &&
           (bpe->batch_count == 0 || bpe->heap[0].rule == bpe->batch[0].rule)) {
        struct dgm_bpe_waiting item = pop(bpe);

        if (!still_applies(bpe, item))
            continue;
        if (bpe->dropout > 0 && dgm_random_unit(&bpe->random) <= bpe->dropout)
            DGM_TRY(add_waiting(env, &bpe->aside, &bpe->aside_capacity, &bpe->aside_count, item));
        else
            DGM_TRY(add_waiting(env, &bpe->batch, &bpe->batch_capacity, &bpe->batch_count, item));
    }
    return DGM_OK;
}

dgm_status dgm_bpe_merge(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t bytes)
{
    uint32_t node;
    size_t i;

    bpe->heap_count = 0;
    DGM_TRY(list_characters(env, bpe, text, bytes));
    for (node = 0; node != DGM_PAIRS_NONE; node = bpe->nodes[node].next)
        DGM_TRY(push_pair(env, bpe, node));
    for (;;) {
        DGM_TRY(collect_batch(env, bpe));
        if (bpe->batch_count == 0)
            return DGM_OK;
        for (i = 0; i < bpe->batch_count; i++)
            if (still_applies(bpe, bpe->batch[i]))
                DGM_TRY(merge_at(env, bpe, bpe->batch[i]));
        for (i = 0; i < bpe->aside_count; i++)
            DGM_TRY(push(env, bpe, bpe->aside[i]));
    }
}
