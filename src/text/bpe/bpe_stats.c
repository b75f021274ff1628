/*
 * bpe_stats.c: how often each pair of neighbouring symbols occurs, while BPE is being
 * learned.
 */
#include "text/bpe/bpe_stats.h"

#include <string.h>

#include "base/mem.h"

static dgm_status make_small(struct dgm_env *env, struct dgm_bpe_stats *stats, uint32_t pair,
                             int64_t count)
{
    DGM_TRY(dgm_grow(env, &stats->small, &stats->small_capacity, stats->small_count,
                     sizeof *stats->small));
    stats->small[stats->small_count++] = pair;
    stats->items[pair].is_small = 1;
    stats->items[pair].count = count;
    return DGM_OK;
}

static dgm_status note_place(struct dgm_env *env, struct dgm_bpe_stats *stats,
                             struct dgm_bpe_pair *item, uint32_t word)
{
    struct dgm_bpe_place *place;

    if (item->places != DGM_PAIRS_NONE && stats->places[item->places].word == word)
        return DGM_OK;
    if (stats->place_count >= DGM_PAIRS_NONE)
        return dgm_fail(env, DGM_FAILURE, "too much text: more than 2^32 pairs in words");
    DGM_TRY(dgm_grow(env, &stats->places, &stats->place_capacity, stats->place_count,
                     sizeof *stats->places));
    place = &stats->places[stats->place_count];
    place->word = word;
    place->next = item->places;
    item->places = (uint32_t)stats->place_count++;
    return DGM_OK;
}

dgm_status dgm_bpe_stats_add(struct dgm_env *env, struct dgm_bpe_stats *stats, uint32_t left,
                             uint32_t right, int64_t change, uint32_t word)
{
    size_t old = stats->pairs.count;
    struct dgm_bpe_pair *item;
    uint32_t pair;

    DGM_TRY(dgm_grow(env, &stats->items, &stats->item_capacity, old, sizeof *stats->items));
    DGM_TRY(dgm_pairs_insert(env, &stats->pairs, &pair, left, right));
    item = &stats->items[pair];
    if (pair == old) {
        memset(item, 0, sizeof *item);
        item->places = DGM_PAIRS_NONE;
    }
    if (!item->is_small)
        DGM_TRY(make_small(env, stats, pair, 0));
    item->count += change;
    return change > 0 ? note_place(env, stats, item, word) : DGM_OK;
}

static int compare_symbols(const struct dgm_bpe_stats *stats, uint32_t a, uint32_t b)
{
    const struct dgm_map_entry *x = &stats->symbols.entries[a], *y = &stats->symbols.entries[b];
    size_t shorter = x->length < y->length ? x->length : y->length;
    int order = memcmp(dgm_map_key(&stats->symbols, x), dgm_map_key(&stats->symbols, y), shorter);

    if (order != 0 || x->length == y->length)
        return order;
    return x->length < y->length ? -1 : 1;
}

/*
 * String order of UTF-8 is the order of code points, which is Python's order of
 * strings.
 */
static int is_greater(const struct dgm_bpe_stats *stats, uint32_t a, uint32_t b)
{
    const struct dgm_pairs *pairs = &stats->pairs;
    int order = compare_symbols(stats, dgm_pairs_first(pairs, a), dgm_pairs_first(pairs, b));

    if (order == 0)
        order = compare_symbols(stats, dgm_pairs_second(pairs, a), dgm_pairs_second(pairs, b));
    return order > 0;
}

uint32_t dgm_bpe_stats_best(const struct dgm_bpe_stats *stats)
{
    uint32_t best = DGM_PAIRS_NONE;
    size_t i;

    for (i = 0; i < stats->small_count; i++) {
        uint32_t pair = stats->small[i];

        if (best == DGM_PAIRS_NONE || stats->items[pair].count > stats->items[best].count ||
            (stats->items[pair].count == stats->items[best].count && is_greater(stats, pair, best)))
            best = pair;
    }
    return best;
}

void dgm_bpe_stats_prune(struct dgm_bpe_stats *stats, double threshold)
{
    size_t i, kept = 0;

    for (i = 0; i < stats->small_count; i++) {
        struct dgm_bpe_pair *item = &stats->items[stats->small[i]];

        if ((double)item->count >= threshold) {
            stats->small[kept++] = stats->small[i];
            continue;
        }
        if (item->count < 0 && item->is_full)
            item->full_count += item->count;
        else
            item->full_count = item->count;
        item->is_small = 0;
        item->is_full = 1;
    }
    stats->small_count = kept;
}

void dgm_bpe_stats_save(struct dgm_bpe_stats *stats)
{
    size_t i;

    for (i = 0; i < stats->pairs.count; i++) {
        stats->items[i].is_full = stats->items[i].is_small;
        stats->items[i].full_count = stats->items[i].count;
    }
}

dgm_status dgm_bpe_stats_restore(struct dgm_env *env, struct dgm_bpe_stats *stats)
{
    size_t i;

    stats->small_count = 0;
    for (i = 0; i < stats->pairs.count; i++) {
        stats->items[i].is_small = 0;
        if (stats->items[i].is_full)
            DGM_TRY(make_small(env, stats, (uint32_t)i, stats->items[i].full_count));
    }
    return DGM_OK;
}

void dgm_bpe_stats_clear(struct dgm_env *env, struct dgm_bpe_stats *stats)
{
    dgm_map_clear(env, &stats->symbols);
    dgm_pairs_clear(env, &stats->pairs);
    dgm_release(env, stats->items);
    dgm_release(env, stats->small);
    dgm_release(env, stats->places);
    memset(stats, 0, sizeof *stats);
}
