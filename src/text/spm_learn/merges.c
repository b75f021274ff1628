/*
 * merges.c: a BPE model: of all neighbours, those that make the most frequent text become a piece,
 * again and again.
 *
 * Neighbours count by the text that they make together, not by where they meet, since a model of
 * SentencePiece merges by text, too (text/spm/spm_merge.c). Of equally frequent ones the shorter,
 * then the lower text comes first, as in the library, which looks at most pairs now and then only:
 * counts here are exact. A heap holds pairs with the counts that they had; one whose count has
 * changed is put back.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "text/spm_learn/frequent.h"
#include "text/unicode/utf8.h"

#define NONE UINT32_MAX
enum { LEAST_TIMES = 2 };

/* A piece of a stretch: a node of a doubly linked list. */
struct node {
    uint32_t before, after;    /* NONE: there is none */
    uint32_t start, bytes;     /* in the text of all; no bytes: part of another one */
    uint32_t characters, pair; /* that it makes with the one behind it, or NONE */
    uint32_t stretch;
};

/* A place where a pair was seen. */
struct place {
    uint32_t node, next;
};

struct waiting {
    int64_t times;
    uint32_t pair;
};

struct pair {
    uint32_t places; /* a chain of them, or NONE */
    uint32_t characters;
    int is_piece, is_touched;
};

struct merges {
    struct dgm_env *env;
    const struct dgm_spm_sorted *stretches;
    struct dgm_buf text;
    struct node *nodes;
    size_t node_count, node_capacity;
    struct dgm_map texts; /* by pair; values: how often it is there */
    struct pair *pairs;
    size_t pair_capacity;
    struct place *places;
    size_t place_count, place_capacity;
    struct waiting *heap;
    size_t heap_count, heap_capacity;
    uint32_t *touched; /* pairs that have become more frequent */
    size_t touched_count, touched_capacity;
    uint32_t *at; /* nodes of the pair at work */
    size_t at_count, at_capacity;
};

static void clear(struct merges *merges)
{
    dgm_buf_clear(merges->env, &merges->text);
    dgm_release(merges->env, merges->nodes);
    dgm_map_clear(merges->env, &merges->texts);
    dgm_release(merges->env, merges->pairs);
    dgm_release(merges->env, merges->places);
    dgm_release(merges->env, merges->heap);
    dgm_release(merges->env, merges->touched);
    dgm_release(merges->env, merges->at);
}

/* ---- the heap ------------------------------------------------------------------------------- */

static int is_better(const struct merges *merges, const struct waiting *a, const struct waiting *b)
{
    const struct pair *one = &merges->pairs[a->pair], *other = &merges->pairs[b->pair];
    const struct dgm_map_entry *left = &merges->texts.entries[a->pair];
    const struct dgm_map_entry *right = &merges->texts.entries[b->pair];

    if (a->times != b->times)
        return a->times > b->times;
    if (one->characters != other->characters)
        return one->characters < other->characters;
    return strcmp(dgm_map_key(&merges->texts, left), dgm_map_key(&merges->texts, right)) < 0;
}

static dgm_status push(struct merges *merges, int64_t times, uint32_t pair)
{
    const struct waiting fresh = { times, pair };
    size_t at = merges->heap_count;

    DGM_TRY(dgm_grow(merges->env, &merges->heap, &merges->heap_capacity, at, sizeof *merges->heap));
    merges->heap_count++;
    while (at > 0 && is_better(merges, &fresh, &merges->heap[(at - 1) / 2])) {
        merges->heap[at] = merges->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    merges->heap[at] = fresh;
    return DGM_OK;
}

static struct waiting pop(struct merges *merges)
{
    const struct waiting top = merges->heap[0], last = merges->heap[--merges->heap_count];
    size_t at = 0, child;

    for (;; at = child) {
        child = 2 * at + 1;
        if (child >= merges->heap_count)
            break;
        if (child + 1 < merges->heap_count &&
            is_better(merges, &merges->heap[child + 1], &merges->heap[child]))
            child++;
        if (!is_better(merges, &merges->heap[child], &last))
            break;
        merges->heap[at] = merges->heap[child];
    }
    if (merges->heap_count > 0)
        merges->heap[at] = last;
    return top;
}

/* What is a piece already is merged before anything else, as a model will do it. */
static int64_t times_of(const struct merges *merges, uint32_t pair)
{
    const int64_t times = merges->texts.entries[pair].value;

    return merges->pairs[pair].is_piece && times > 0 ? INT64_MAX : times;
}

static dgm_status push_touched(struct merges *merges)
{
    for (size_t i = 0; i < merges->touched_count; i++) {
        const uint32_t pair = merges->touched[i];

        merges->pairs[pair].is_touched = 0;
        if (times_of(merges, pair) >= LEAST_TIMES)
            DGM_TRY(push(merges, times_of(merges, pair), pair));
    }
    merges->touched_count = 0;
    return DGM_OK;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static dgm_status find_pair(struct merges *merges, const char *text, size_t bytes,
                            uint32_t characters, uint32_t *number)
{
    struct dgm_map_entry *entry;
    int is_new;

    DGM_TRY(dgm_grow(merges->env, &merges->pairs, &merges->pair_capacity, merges->texts.count,
                     sizeof *merges->pairs));
    DGM_TRY(dgm_map_insert(merges->env, &merges->texts, text, bytes, &entry, &is_new));
    *number = (uint32_t)(entry - merges->texts.entries);
    if (is_new)
        merges->pairs[*number] = (struct pair){ .places = NONE, .characters = characters };
    return DGM_OK;
}

static dgm_status touch(struct merges *merges, uint32_t pair)
{
    if (merges->pairs[pair].is_touched)
        return DGM_OK;
    DGM_TRY(dgm_grow(merges->env, &merges->touched, &merges->touched_capacity,
                     merges->touched_count, sizeof *merges->touched));
    merges->touched[merges->touched_count++] = pair;
    merges->pairs[pair].is_touched = 1;
    return DGM_OK;
}

/* Counts what a node makes with the one behind it. */
static dgm_status join(struct merges *merges, uint32_t number)
{
    struct node *node = &merges->nodes[number];
    const struct node *after;
    uint32_t pair;

    node->pair = NONE;
    if (node->after == NONE)
        return DGM_OK;
    after = &merges->nodes[node->after];
    if (node->characters + after->characters > DGM_SPM_LONGEST_PIECE)
        return DGM_OK;
    if (merges->place_count >= NONE - 1)
        return dgm_fail(merges->env, DGM_DATA,
                        "too many pairs; expected fewer: learn from a sample of the lines");
    DGM_TRY(find_pair(merges, merges->text.data + node->start, node->bytes + after->bytes,
                      node->characters + after->characters, &pair));
    DGM_TRY(dgm_grow(merges->env, &merges->places, &merges->place_capacity, merges->place_count,
                     sizeof *merges->places));
    merges->places[merges->place_count] = (struct place){ number, merges->pairs[pair].places };
    merges->pairs[pair].places = (uint32_t)merges->place_count++;
    merges->texts.entries[pair].value += merges->stretches[node->stretch].count;
    node->pair = pair;
    return touch(merges, pair);
}

static void part(struct merges *merges, uint32_t number)
{
    struct node *node = &merges->nodes[number];

    if (node->pair != NONE)
        merges->texts.entries[node->pair].value -= merges->stretches[node->stretch].count;
    node->pair = NONE;
}

/* ---- text ----------------------------------------------------------------------------------- */

static dgm_status add_stretch(struct merges *merges, size_t stretch)
{
    const char *text = merges->stretches[stretch].text;
    const size_t size = merges->stretches[stretch].bytes, base = merges->text.size;
    uint32_t code;
    size_t at = 0;

    if (merges->node_count + size >= NONE)
        return dgm_fail(merges->env, DGM_DATA,
                        "too many characters; expected fewer: learn from a sample of the lines");
    DGM_TRY(dgm_buf_add(merges->env, &merges->text, text, size));
    while (at < size) {
        const uint32_t number = (uint32_t)merges->node_count;
        struct node *node;

        DGM_TRY(dgm_grow(merges->env, &merges->nodes, &merges->node_capacity, number,
                         sizeof *merges->nodes));
        node = &merges->nodes[merges->node_count++];
        node->start = (uint32_t)(base + at);
        node->bytes = (uint32_t)dgm_utf8_decode(&code, text + at, size - at);
        node->before = at > 0 ? number - 1 : NONE;
        at += node->bytes;
        node->after = at < size ? number + 1 : NONE;
        node->characters = 1;
        node->pair = NONE;
        node->stretch = (uint32_t)stretch;
    }
    return DGM_OK;
}

static dgm_status begin(struct merges *merges, size_t stretches)
{
    for (size_t i = 0; i < stretches; i++)
        DGM_TRY(add_stretch(merges, i));
    for (size_t i = 0; i < merges->node_count; i++)
        DGM_TRY(join(merges, (uint32_t)i));
    return push_touched(merges);
}

/* ---- merging -------------------------------------------------------------------------------- */

static int compare_nodes(const void *a, const void *b)
{
    const uint32_t *one = a, *other = b;

    return (*one > *other) - (*one < *other);
}

/* The nodes where the pair is, in their order; its chain may have more, and some twice. */
static dgm_status find_nodes(struct merges *merges, uint32_t pair)
{
    uint32_t place = merges->pairs[pair].places;

    merges->at_count = 0;
    for (; place != NONE; place = merges->places[place].next) {
        if (merges->nodes[merges->places[place].node].pair != pair)
            continue;
        DGM_TRY(dgm_grow(merges->env, &merges->at, &merges->at_capacity, merges->at_count,
                         sizeof *merges->at));
        merges->at[merges->at_count++] = merges->places[place].node;
    }
    merges->pairs[pair].places = NONE;
    if (merges->at_count > 0)
        qsort(merges->at, merges->at_count, sizeof *merges->at, compare_nodes);
    return DGM_OK;
}

static dgm_status merge_node(struct merges *merges, uint32_t number)
{
    struct node *left = &merges->nodes[number], *right = &merges->nodes[left->after];

    if (left->before != NONE)
        part(merges, left->before);
    part(merges, number);
    part(merges, left->after);
    left->bytes += right->bytes;
    left->characters += right->characters;
    left->after = right->after;
    right->bytes = 0;
    if (left->after != NONE)
        merges->nodes[left->after].before = number;
    if (left->before != NONE)
        DGM_TRY(join(merges, left->before));
    return join(merges, number);
}

static dgm_status merge(struct merges *merges, uint32_t pair)
{
    DGM_TRY(find_nodes(merges, pair));
    for (size_t i = 0; i < merges->at_count; i++)
        if (merges->nodes[merges->at[i]].pair == pair)
            DGM_TRY(merge_node(merges, merges->at[i]));
    return push_touched(merges);
}

static dgm_status add_piece(struct merges *merges, uint32_t pair, struct dgm_spm_learned_set *set)
{
    const struct dgm_map_entry *entry = &merges->texts.entries[pair];

    if (merges->pairs[pair].is_piece)
        return DGM_OK;
    merges->pairs[pair].is_piece = 1;
    return dgm_spm_learned_add(merges->env, set, dgm_map_key(&merges->texts, entry), entry->length,
                               -(double)set->count);
}

static dgm_status run(struct merges *merges, size_t wanted, struct dgm_spm_learned_set *set)
{
    while (set->count < wanted && merges->heap_count > 0) {
        const struct waiting top = pop(merges);
        const int64_t times = times_of(merges, top.pair);

        if (times < LEAST_TIMES && times != INT64_MAX)
            continue;
        if (times != top.times) {
            DGM_TRY(push(merges, times, top.pair));
            continue;
        }
        DGM_TRY(dgm_poll(merges->env));
        DGM_TRY(add_piece(merges, top.pair, set));
        DGM_TRY(merge(merges, top.pair));
    }
    return DGM_OK;
}

dgm_status dgm_spm_learn_merges(struct dgm_env *env, const struct dgm_spm_learn_input *input,
                                struct dgm_spm_learned_set *set)
{
    const struct dgm_map *characters = input->characters;
    struct dgm_spm_sorted *sorted = NULL;
    struct merges merges = { .env = env };
    dgm_status status;

    DGM_TRY_OUT(dgm_spm_sort(env, input->stretches, &sorted));
    merges.stretches = sorted;
    DGM_TRY_OUT(begin(&merges, input->stretches->count));
    DGM_TRY_OUT(run(&merges, input->pieces - characters->count, set));
    for (size_t i = 0; i < characters->count; i++)
        DGM_TRY_OUT(dgm_spm_learned_add(env, set, dgm_map_key(characters, &characters->entries[i]),
                                        characters->entries[i].length, -(double)set->count));
out:
    clear(&merges);
    dgm_release(env, sorted);
    return status;
}
