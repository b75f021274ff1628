/*
 * spm_merge.c: the pieces of a BPE model: of all neighbours whose sum is a piece, those with the
 * best score are merged, the first of equal ones, again and again.
 *
 * A pair that waits in the heap may be outdated; it is known by its bytes. A piece that is unused
 * takes part in merges, and is cut again in the end as it was merged last.
 */
#include <string.h>

#include "base/mem.h"
#include "text/spm/spm_encode.h"

/* ---- the heap ------------------------------------------------------------------------------- */

static int is_better(const struct dgm_spm_pair *a, const struct dgm_spm_pair *b)
{
    return a->score > b->score || (a->score == b->score && a->left < b->left);
}

static dgm_status push(struct dgm_env *env, struct dgm_spm_line *line,
                       const struct dgm_spm_pair *pair)
{
    size_t at = line->heap_count;

    DGM_TRY(dgm_grow(env, &line->heap, &line->heap_capacity, at, sizeof *line->heap));
    line->heap_count++;
    while (at > 0 && is_better(pair, &line->heap[(at - 1) / 2])) {
        line->heap[at] = line->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    line->heap[at] = *pair;
    return DGM_OK;
}

static struct dgm_spm_pair pop(struct dgm_spm_line *line)
{
    struct dgm_spm_pair top = line->heap[0], last = line->heap[--line->heap_count];
    size_t at = 0, child;

    for (;; at = child) {
        child = 2 * at + 1;
        if (child >= line->heap_count)
            break;
        if (child + 1 < line->heap_count && is_better(&line->heap[child + 1], &line->heap[child]))
            child++;
        if (!is_better(&line->heap[child], &last))
            break;
        line->heap[at] = line->heap[child];
    }
    if (line->heap_count > 0)
        line->heap[at] = last;
    return top;
}

/* ---- merging -------------------------------------------------------------------------------- */

/* Of an unused piece: its first part has so many bytes. */
static dgm_status note_split(struct dgm_env *env, const struct dgm_spm *spm,
                             struct dgm_spm_line *line, int32_t id, uint32_t bytes)
{
    size_t known = line->split_capacity;

    DGM_TRY(dgm_reserve(env, &line->splits, &line->split_capacity, dgm_spm_size(spm),
                        sizeof *line->splits));
    if (line->split_capacity > known)
        memset(line->splits + known, 0, (line->split_capacity - known) * sizeof *line->splits);
    line->splits[id] = bytes;
    return DGM_OK;
}

/* Lets two neighbours wait if their sum is a piece. */
static dgm_status offer(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line,
                        uint32_t left, uint32_t right)
{
    const struct dgm_spm_symbol *a, *b;
    const struct dgm_map_entry *entry;
    struct dgm_spm_pair pair;
    size_t id;

    if (left == DGM_TRIE_NONE || right == DGM_TRIE_NONE)
        return DGM_OK;
    a = &line->symbols[left];
    b = &line->symbols[right];
    if (a->is_whole || b->is_whole || a->bytes + b->bytes >= DGM_SPM_PIECE_BYTES)
        return DGM_OK;
    entry = dgm_map_find(&spm->pieces, line->text.data + a->start, a->bytes + b->bytes);
    if (entry == NULL || (entry->value != DGM_SPM_NORMAL && entry->value != DGM_SPM_UNUSED &&
                          entry->value != DGM_SPM_USER_DEFINED))
        return DGM_OK;
    id = (size_t)(entry - spm->pieces.entries);
    pair = (struct dgm_spm_pair){ spm->scores[id], left, right, a->bytes + b->bytes };
    if (entry->value == DGM_SPM_UNUSED)
        DGM_TRY(note_split(env, spm, line, (int32_t)id, a->bytes));
    return push(env, line, &pair);
}

static dgm_status begin(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line)
{
    size_t at = 0, size = line->text.size;

    line->symbol_count = line->heap_count = 0;
    while (at < size) {
        uint32_t number = (uint32_t)line->symbol_count;
        struct dgm_spm_symbol *symbol;

        DGM_TRY(
            dgm_grow(env, &line->symbols, &line->symbol_capacity, number, sizeof *line->symbols));
        symbol = &line->symbols[line->symbol_count++];
        symbol->start = (uint32_t)at;
        symbol->bytes =
            (uint32_t)dgm_spm_unit(spm, line->text.data + at, size - at, &symbol->is_whole);
        at += symbol->bytes;
        symbol->previous = number > 0 ? number - 1 : DGM_TRIE_NONE;
        symbol->next = at < size ? number + 1 : DGM_TRIE_NONE;
    }
    for (uint32_t i = 1; i < line->symbol_count; i++)
        DGM_TRY(offer(env, spm, line, i - 1, i));
    return DGM_OK;
}

static int is_outdated(const struct dgm_spm_line *line, const struct dgm_spm_pair *pair)
{
    const struct dgm_spm_symbol *left = &line->symbols[pair->left];
    const struct dgm_spm_symbol *right = &line->symbols[pair->right];

    return left->bytes == 0 || right->bytes == 0 || left->bytes + right->bytes != pair->bytes;
}

static dgm_status merge(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line,
                        const struct dgm_spm_pair *pair)
{
    struct dgm_spm_symbol *left = &line->symbols[pair->left], *right = &line->symbols[pair->right];

    left->bytes = pair->bytes;
    left->next = right->next;
    if (right->next != DGM_TRIE_NONE)
        line->symbols[right->next].previous = pair->left;
    right->bytes = 0;
    DGM_TRY(offer(env, spm, line, left->previous, pair->left));
    return offer(env, spm, line, pair->left, left->next);
}

/* ---- the pieces ----------------------------------------------------------------------------- */

static dgm_status push_end(struct dgm_env *env, struct dgm_spm_line *line, uint32_t end)
{
    DGM_TRY(dgm_grow(env, &line->ends, &line->end_capacity, line->end_count, sizeof *line->ends));
    line->ends[line->end_count++] = end;
    return DGM_OK;
}

/* Adds bytes start..end as one piece; an unused one in the parts that it was merged from. The ends
 * of parts that are yet to come wait on a stack. */
static dgm_status add_symbol(struct dgm_env *env, const struct dgm_spm *spm,
                             struct dgm_spm_line *line, uint32_t start, uint32_t end)
{
    line->end_count = 0;
    DGM_TRY(push_end(env, line, end));
    while (line->end_count > 0) {
        uint32_t stop = line->ends[line->end_count - 1], first = 0;
        int32_t id = dgm_spm_find_in_text(spm, line->text.data + start, stop - start);

        if (dgm_spm_type(spm, id) == DGM_SPM_UNUSED && (size_t)id < line->split_capacity)
            first = line->splits[id];
        if (first > 0 && first < stop - start) {
            DGM_TRY(push_end(env, line, start + first));
            continue;
        }
        DGM_TRY(dgm_spm_line_add(env, line, id, start, stop));
        start = stop;
        line->end_count--;
    }
    return DGM_OK;
}

static int is_passed_over(struct dgm_spm_line *line)
{
    return line->sampling != NULL && dgm_random_unit(&line->random) < line->sampling->dropout;
}

/* The best pair that is there, and not passed over, if there is one; those that are passed over
 * wait for the next time. */
static dgm_status next_pair(struct dgm_env *env, struct dgm_spm_line *line,
                            struct dgm_spm_pair *pair, int *found)
{
    line->aside_count = 0;
    *found = 0;
    while (line->heap_count > 0 && !*found) {
        *pair = pop(line);
        if (is_outdated(line, pair))
            continue;
        *found = !is_passed_over(line);
        if (*found)
            break;
        DGM_TRY(dgm_grow(env, &line->aside, &line->aside_capacity, line->aside_count,
                         sizeof *line->aside));
        line->aside[line->aside_count++] = *pair;
    }
    for (size_t i = 0; i < line->aside_count && *found; i++)
        DGM_TRY(push(env, line, &line->aside[i]));
    return DGM_OK;
}

dgm_status dgm_spm_merge(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line)
{
    struct dgm_spm_pair pair;
    uint32_t at = 0;
    int found;

    DGM_TRY(begin(env, spm, line));
    for (;;) {
        DGM_TRY(next_pair(env, line, &pair, &found));
        if (!found)
            break;
        DGM_TRY(merge(env, spm, line, &pair));
    }
    for (; line->symbol_count > 0 && at != DGM_TRIE_NONE; at = line->symbols[at].next)
        DGM_TRY(add_symbol(env, spm, line, line->symbols[at].start,
                           line->symbols[at].start + line->symbols[at].bytes));
    return DGM_OK;
}
