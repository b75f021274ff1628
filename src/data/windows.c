/*
 * windows.c: blocks of a cached text in the order of an epoch, a window of them at a time.
 */
#include "data/windows.h"

#include <string.h>

#include "base/mem.h"
#include "base/philox.h"

enum { STREAM_BLOCKS = 52 };

static int64_t largest_block(const struct dgm_text_cache *cache)
{
    int64_t largest = 1;

    for (size_t b = 0; b < cache->count; b++) {
        const int64_t bytes = dgm_text_cache_block_bytes(cache, b);
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

dgm_status dgm_windows_init(struct dgm_env *env, struct dgm_windows *windows,
                            struct dgm_text_cache *cache, struct dgm_corpus *corpus, int64_t bytes)
{
    const int64_t fit = bytes / largest_block(cache), blocks = (int64_t)cache->count;
    const int64_t most = fit > 0 ? fit : 1;

    memset(windows, 0, sizeof *windows);
    windows->blocks = dgm_alloc(env, cache->count, sizeof *windows->blocks);
    if (windows->blocks == NULL)
        return DGM_MEMORY;
    windows->cache = cache;
    windows->corpus = corpus;
    windows->count = (blocks + most - 1) / most;
    return DGM_OK;
}

void dgm_windows_clear(struct dgm_env *env, struct dgm_windows *windows)
{
    dgm_release(env, windows->blocks);
    memset(windows, 0, sizeof *windows);
}

/* The first block of a window, in the order of the epoch: windows differ by one block at most. */
static size_t first_block(const struct dgm_windows *windows, int64_t window)
{
    return (size_t)((int64_t)windows->cache->count * window / windows->count);
}

static int64_t pairs_of(const struct dgm_windows *windows, int64_t window)
{
    int64_t pairs = 0;

    for (size_t i = first_block(windows, window); i < first_block(windows, window + 1); i++)
        pairs += windows->cache->blocks[windows->blocks[i]].pairs;
    return pairs;
}

static int64_t bytes_of(const struct dgm_windows *windows, int64_t window)
{
    int64_t bytes = 0;

    for (size_t i = first_block(windows, window); i < first_block(windows, window + 1); i++)
        bytes += dgm_text_cache_block_bytes(windows->cache, windows->blocks[i]);
    return bytes;
}

static void draw_blocks(struct dgm_windows *windows, uint64_t seed, int64_t epoch)
{
    const size_t count = windows->cache->count;
    struct dgm_random random;

    for (size_t b = 0; b < count; b++)
        windows->blocks[b] = (uint32_t)b;
    dgm_random_init(&random, seed, STREAM_BLOCKS, (uint32_t)epoch, 0);
    dgm_random_shuffle(&random, windows->blocks, count);
}

/* Reads window `at` and makes its order. */
static dgm_status take(struct dgm_env *env, struct dgm_windows *windows, struct dgm_order *order,
                       const struct dgm_corpus *corpus, const struct dgm_order_options *options,
                       int64_t epoch)
{
    const uint32_t part = (uint32_t)windows->at;
    size_t first, end, i;

    if (windows->cache == NULL)
        return dgm_order_make(env, order, corpus, options, epoch);
    first = first_block(windows, windows->at);
    end = first_block(windows, windows->at + 1);
    DGM_TRY(dgm_text_cache_make_room(env, windows->cache, windows->corpus, windows->blocks + first,
                                     end - first));
    for (i = first; i < end; i++)
        DGM_TRY(dgm_text_cache_read(env, windows->cache, windows->blocks[i], windows->corpus));
    return dgm_order_make_part(env, order, corpus, options, epoch, part);
}

dgm_status dgm_windows_begin(struct dgm_env *env, struct dgm_windows *windows,
                             struct dgm_order *order, const struct dgm_corpus *corpus,
                             const struct dgm_order_options *options, int64_t epoch)
{
    windows->at = windows->batches = windows->pairs = 0;
    if (windows->cache != NULL)
        draw_blocks(windows, options->seed, epoch);
    return take(env, windows, order, corpus, options, epoch);
}

dgm_status dgm_windows_next(struct dgm_env *env, struct dgm_windows *windows,
                            struct dgm_order *order, const struct dgm_corpus *corpus,
                            const struct dgm_order_options *options, int64_t epoch)
{
    windows->batches += order->batches;
    windows->pairs += order->pair_count;
    windows->at++;
    return take(env, windows, order, corpus, options, epoch);
}

/* How many batches of the order have so many pairs; -1: none ends there. */
static int64_t batches_with(const struct dgm_order *order, int64_t pairs)
{
    int64_t b = 0;

    for (; b < order->batches && pairs > 0; b++) {
        const uint32_t chosen = order->batch_order[b];
        pairs -= (int64_t)order->starts[chosen + 1] - order->starts[chosen];
    }
    return pairs == 0 ? b : -1;
}

/* A window that is used up is the present one until the next batch is asked for. */
dgm_status dgm_windows_seek(struct dgm_env *env, struct dgm_windows *windows,
                            struct dgm_order *order, const struct dgm_corpus *corpus,
                            const struct dgm_order_options *options, int64_t epoch, int64_t pairs,
                            int64_t batches, int *fits)
{
    int64_t in_window;

    windows->at = windows->pairs = 0;
    if (windows->cache != NULL) {
        draw_blocks(windows, options->seed, epoch);
        while (!dgm_windows_is_last(windows) &&
               windows->pairs + pairs_of(windows, windows->at) < pairs)
            windows->pairs += pairs_of(windows, windows->at++);
    }
    DGM_TRY(take(env, windows, order, corpus, options, epoch));
    in_window = batches_with(order, pairs - windows->pairs);
    windows->batches = batches - in_window;
    *fits = in_window >= 0 && windows->batches >= windows->at;
    return DGM_OK;
}

int64_t dgm_windows_spare(const struct dgm_windows *windows)
{
    int64_t most;

    if (windows->cache == NULL)
        return 0;
    most = largest_block(windows->cache);
    most *= ((int64_t)windows->cache->count + windows->count - 1) / windows->count;
    return most - bytes_of(windows, windows->at);
}
