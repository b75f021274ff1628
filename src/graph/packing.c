/*
 * packing.c: offsets for blocks that live for a while, by time or by size.
 *
 * By time, packing goes once through it. What is born takes the smallest hole that holds it (best
 * fit), or room at the end of the pool; what dies leaves a hole, which joins its neighbours. Births
 * of a time come before its deaths, because a node reads its inputs while it writes its output.
 * This takes hardly any time, and is often as good as can be: as large as all that lives at once.
 *
 * Where it is not, the largest blocks may come first, and each takes the smallest gap that those
 * before it leave throughout its life (Pisarchyk and Lee, "Efficient memory management for deep
 * neural net inference", 2020: greedy by size). Neither is an optimal packing, which is NP-hard,
 * but the same blocks always get the same places.
 *
 * Where memory comes in pieces, packing goes by time, and no hole grows across their borders.
 */
#include "graph/packing.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Where more than one byte in so many is wasted, the other way is tried. */
enum { WASTE = 64 };

/* Where a chain of blocks ends. */
#define NONE UINT64_MAX

/* Free bytes below packing->end. Holes are sorted by offset, and no two of them touch. */
struct dgm_hole {
    uint64_t offset, bytes;
};

void dgm_packing_clear(struct dgm_env *env, struct dgm_packing *packing)
{
    dgm_release(env, packing->holes);
    dgm_release(env, packing->order);
    memset(packing, 0, sizeof *packing);
}

/* ---- by time --------------------------------------------------------------------------------- */

/* Hole i has become empty, or part of another. */
static void drop_hole(struct dgm_packing *packing, size_t i)
{
    packing->hole_count--;
    memmove(&packing->holes[i], &packing->holes[i + 1],
            (packing->hole_count - i) * sizeof *packing->holes);
}

/* Whether what ends at this offset and what begins there are one piece of memory. */
static int joins(const struct dgm_packing *packing, uint64_t offset)
{
    return packing->piece == 0 || offset % packing->piece != 0;
}

/* Frees a range, and joins it with a hole before it, with one after it, or with both. */
static dgm_status add_hole(struct dgm_env *env, struct dgm_packing *packing, uint64_t offset,
                           uint64_t bytes)
{
    struct dgm_hole *holes = packing->holes;
    const int joins_next = joins(packing, offset + bytes);
    size_t i = 0;

    if (bytes == 0)
        return DGM_OK;
    while (i < packing->hole_count && holes[i].offset < offset)
        i++;
    if (i > 0 && holes[i - 1].offset + holes[i - 1].bytes == offset && joins(packing, offset)) {
        holes[i - 1].bytes += bytes;
        if (joins_next && i < packing->hole_count && offset + bytes == holes[i].offset) {
            holes[i - 1].bytes += holes[i].bytes;
            drop_hole(packing, i);
        }
        return DGM_OK;
    }
    if (joins_next && i < packing->hole_count && offset + bytes == holes[i].offset) {
        holes[i].offset = offset;
        holes[i].bytes += bytes;
        return DGM_OK;
    }
    DGM_TRY(dgm_grow(env, &packing->holes, &packing->hole_capacity, packing->hole_count,
                     sizeof *packing->holes));
    holes = packing->holes;
    memmove(&holes[i + 1], &holes[i], (packing->hole_count - i) * sizeof *holes);
    holes[i].offset = offset;
    holes[i].bytes = bytes;
    packing->hole_count++;
    return DGM_OK;
}

/* Gives a block a place at the end, which swallows a last hole that touches it. */
static dgm_status take_end(struct dgm_env *env, struct dgm_packing *packing,
                           struct dgm_block *block)
{
    const size_t count = packing->hole_count;
    const struct dgm_hole *last = count > 0 ? &packing->holes[count - 1] : NULL;
    uint64_t at = packing->end, left;

    if (last != NULL && last->offset + last->bytes == at && joins(packing, at)) {
        at = last->offset;
        packing->hole_count--;
    }
    left = packing->piece > 0 ? packing->piece - at % packing->piece : block->bytes;
    if (left < block->bytes) {
        DGM_TRY(add_hole(env, packing, at, left));
        at += left;
    }
    block->offset = at;
    packing->end = at + block->bytes;
    return DGM_OK;
}

/* Gives a block its offset: 0 where it has no bytes, since the end may begin a piece that is not
 * there. */
static dgm_status take_place(struct dgm_env *env, struct dgm_packing *packing,
                             struct dgm_block *block)
{
    struct dgm_hole *holes = packing->holes;
    size_t i, best = packing->hole_count;

    block->offset = 0;
    if (block->bytes == 0)
        return DGM_OK;
    for (i = 0; i < packing->hole_count; i++)
        if (holes[i].bytes >= block->bytes &&
            (best == packing->hole_count || holes[i].bytes < holes[best].bytes))
            best = i;
    if (best < packing->hole_count) {
        block->offset = holes[best].offset;
        holes[best].offset += block->bytes;
        holes[best].bytes -= block->bytes;
        if (holes[best].bytes == 0)
            drop_hole(packing, best);
        return DGM_OK;
    }
    return take_end(env, packing, block);
}

/*
 * *live: the most bytes that live at once. births[t] and deaths[t] are the first blocks that are
 * born or die at time t, next_birth[b] and next_death[b] lead on from block b, NONE ends a
 * chain: lists by time in two arrays, built in linear time. Blocks are pushed from the last to the
 * first, so that each chain is in the order of building.
 */
static dgm_status pack_by_time(struct dgm_env *env, struct dgm_packing *packing,
                               struct dgm_block *blocks, size_t count, size_t times, uint64_t *live)
{
    uint64_t *births = packing->order, *deaths = births + times, b, now = 0;
    uint64_t *next_birth = deaths + times, *next_death = next_birth + count;
    size_t t;

    for (t = 0; t < times; t++)
        births[t] = deaths[t] = NONE;
    for (b = count; b-- > 0;) {
        size_t birth = (size_t)blocks[b].birth, death = (size_t)blocks[b].death;
        next_birth[b] = births[birth];
        births[birth] = b;
        next_death[b] = deaths[death];
        deaths[death] = b;
    }
    packing->hole_count = packing->end = *live = 0;
    for (t = 0; t < times; t++) {
        for (b = births[t]; b != NONE; b = next_birth[b]) {
            DGM_TRY(take_place(env, packing, &blocks[b]));
            now += blocks[b].bytes;
        }
        *live = now > *live ? now : *live;
        for (b = deaths[t]; b != NONE; b = next_death[b]) {
            DGM_TRY(add_hole(env, packing, blocks[b].offset, blocks[b].bytes));
            now -= blocks[b].bytes;
        }
    }
    return DGM_OK;
}

/* ---- by size --------------------------------------------------------------------------------- */

/* The larger one first, of equal ones the one that was built first. Items: bytes, number. */
static int compare_sizes(const void *a_, const void *b_)
{
    const uint64_t *a = a_, *b = b_;

    if (a[0] != b[0])
        return a[0] > b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

/* Gives a block the smallest gap between those of placed[0..count-1], sorted by offset, whose lives
 * meet its own. */
static void find_gap(struct dgm_block *blocks, struct dgm_block *block, const uint64_t *placed,
                     size_t count)
{
    uint64_t end = 0, best = UINT64_MAX;
    size_t i;

    for (i = 0; i < count; i++) {
        const struct dgm_block *other = &blocks[placed[i]];

        /* Births and deaths are included: lives that share one time meet. */
        if (other->death < block->birth || block->death < other->birth)
            continue;
        if (other->offset >= end + block->bytes && other->offset - end < best) {
            best = other->offset - end;
            block->offset = end;
        }
        if (other->offset + other->bytes > end)
            end = other->offset + other->bytes;
    }
    if (best == UINT64_MAX)
        block->offset = end;
}

static uint64_t pack_by_size(struct dgm_packing *packing, struct dgm_block *blocks, size_t count)
{
    uint64_t *items = packing->order, *placed = items + 2 * count, peak = 0;
    size_t i, k;

    for (i = 0; i < count; i++) {
        items[2 * i] = blocks[i].bytes;
        items[2 * i + 1] = i;
    }
    qsort(items, count, 2 * sizeof *items, compare_sizes);
    for (i = 0; i < count; i++) {
        struct dgm_block *block = &blocks[items[2 * i + 1]];

        find_gap(blocks, block, placed, i);
        for (k = i; k > 0 && blocks[placed[k - 1]].offset > block->offset; k--)
            placed[k] = placed[k - 1];
        placed[k] = items[2 * i + 1];
        if (block->offset + block->bytes > peak)
            peak = block->offset + block->bytes;
    }
    return peak;
}

/* ---- both ------------------------------------------------------------------------------------ */

static size_t max_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Whether no block is larger than a piece. */
static int fits(const struct dgm_block *blocks, size_t count, uint64_t piece)
{
    for (size_t i = 0; i < count; i++)
        if (blocks[i].bytes > piece)
            return 0;
    return 1;
}

static dgm_status pack_whole(struct dgm_env *env, struct dgm_packing *packing,
                             struct dgm_block *blocks, size_t count, size_t times, int tightly,
                             uint64_t *peak)
{
    uint64_t live;

    DGM_TRY(pack_by_time(env, packing, blocks, count, times, &live));
    *peak = packing->end;
    if (!tightly || *peak - live <= live / WASTE)
        return DGM_OK;
    live = pack_by_size(packing, blocks, count);
    if (live <= *peak)
        *peak = live;
    else
        DGM_TRY(pack_by_time(env, packing, blocks, count, times, &live));
    return DGM_OK;
}

dgm_status dgm_packing_make(struct dgm_env *env, struct dgm_packing *packing,
                            struct dgm_block *blocks, size_t count, size_t times, int tightly,
                            uint64_t most, uint64_t *peak)
{
    uint64_t live;

    packing->piece = 0;
    /* By time: two chains, each with a head for every time and a link for every block. By size: two
     * numbers of every block, and `placed`. */
    DGM_TRY(dgm_reserve(env, &packing->order, &packing->order_capacity,
                        max_of(2 * times + 2 * count, 3 * count), sizeof *packing->order));
    DGM_TRY(pack_whole(env, packing, blocks, count, times, tightly, peak));
    if (most == 0 || *peak <= most || !fits(blocks, count, most))
        return DGM_OK;
    packing->piece = most;
    DGM_TRY(pack_by_time(env, packing, blocks, count, times, &live));
    *peak = packing->end;
    return DGM_OK;
}
