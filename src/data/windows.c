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

/* ---- visits ---------------------------------------------------------------------------------- */

static int64_t passes_of(const struct dgm_windows *windows, size_t block)
{
    const struct dgm_text_entry *entry = &windows->cache->blocks[block];

    return windows->mixture == NULL
               ? 1
               : dgm_mixture_most(windows->mixture, entry->first, entry->first + entry->pairs);
}

/* Every block once, then every block that may be read again. */
static dgm_status list_visits(struct dgm_env *env, struct dgm_windows *windows)
{
    const size_t blocks = windows->cache->count;
    size_t at = blocks, block;

    windows->all_visits = blocks;
    for (block = 0; block < blocks; block++)
        windows->all_visits += (size_t)passes_of(windows, block) - 1;
    DGM_TRY(dgm_new(env, &windows->all, windows->all_visits, sizeof *windows->all));
    DGM_TRY(dgm_new(env, &windows->blocks, windows->all_visits, sizeof *windows->blocks));
    DGM_TRY(dgm_new(env, &windows->passes, windows->all_visits, sizeof *windows->passes));
    for (block = 0; block < blocks; block++) {
        windows->all[block] = (struct dgm_visit){ (uint32_t)block, 0 };
        for (int64_t pass = 1; pass < passes_of(windows, block); pass++)
            windows->all[at++] = (struct dgm_visit){ (uint32_t)block, (uint32_t)pass };
    }
    return DGM_OK;
}

/* How many pairs an epoch uses of a visit. */
static int64_t pairs_of_visit(const struct dgm_windows *windows, const struct dgm_visit *visit,
                              int64_t epoch)
{
    const struct dgm_text_entry *entry = &windows->cache->blocks[visit->block];

    return windows->mixture == NULL
               ? (int64_t)entry->pairs
               : dgm_mixture_pairs(windows->mixture, entry->first, entry->first + entry->pairs,
                                   epoch, visit->pass);
}

static void draw_visits(struct dgm_windows *windows, uint64_t seed, int64_t epoch)
{
    struct dgm_random random;

    windows->visits = 0;
    for (size_t v = 0; v < windows->all_visits; v++)
        if (pairs_of_visit(windows, &windows->all[v], epoch) > 0)
            windows->blocks[windows->visits++] = (uint32_t)v; /* a visit, until all are shuffled */
    windows->count = ((int64_t)windows->visits + windows->most - 1) / windows->most;
    dgm_random_init(&random, seed, STREAM_BLOCKS, (uint32_t)epoch, 0);
    dgm_random_shuffle(&random, windows->blocks, windows->visits);
    for (size_t i = 0; i < windows->visits; i++) {
        const struct dgm_visit *visit = &windows->all[windows->blocks[i]];

        windows->blocks[i] = visit->block;
        windows->passes[i] = visit->pass;
    }
}

/* ---- windows --------------------------------------------------------------------------------- */

dgm_status dgm_windows_init(struct dgm_env *env, struct dgm_windows *windows,
                            struct dgm_text_cache *cache, struct dgm_corpus *corpus,
                            const struct dgm_mixture *mixture, int64_t bytes)
{
    const int64_t fit = bytes / largest_block(cache);

    memset(windows, 0, sizeof *windows);
    windows->cache = cache;
    windows->corpus = corpus;
    windows->mixture = mixture;
    windows->most = fit > 0 ? fit : 1;
    DGM_TRY(list_visits(env, windows));
    windows->visits = windows->all_visits;
    windows->count = ((int64_t)windows->visits + windows->most - 1) / windows->most;
    return DGM_OK;
}

void dgm_windows_clear(struct dgm_env *env, struct dgm_windows *windows)
{
    dgm_release(env, windows->all);
    dgm_release(env, windows->blocks);
    dgm_release(env, windows->passes);
    dgm_release(env, windows->times);
    memset(windows, 0, sizeof *windows);
}

/* The first visit of a window, in the order of the epoch: windows differ by one at most. */
static size_t first_visit(const struct dgm_windows *windows, int64_t window)
{
    return (size_t)((int64_t)windows->visits * window / windows->count);
}

static int64_t pairs_of(const struct dgm_windows *windows, int64_t window, int64_t epoch)
{
    int64_t pairs = 0;

    for (size_t i = first_visit(windows, window); i < first_visit(windows, window + 1); i++) {
        const struct dgm_visit visit = { windows->blocks[i], windows->passes[i] };
        pairs += pairs_of_visit(windows, &visit, epoch);
    }
    return pairs;
}

static int64_t bytes_of(const struct dgm_windows *windows, int64_t window)
{
    int64_t bytes = 0;

    for (size_t i = first_visit(windows, window); i < first_visit(windows, window + 1); i++)
        bytes += dgm_text_cache_block_bytes(windows->cache, windows->blocks[i]);
    return bytes;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Notes how often the pairs of the corpus from `from` on come: as often as they do or, in a visit,
 * once if that is more than `pass` times. */
static dgm_status note_times(struct dgm_env *env, struct dgm_windows *windows,
                             const struct dgm_corpus *corpus, int32_t from, int64_t pass,
                             int64_t epoch)
{
    const int32_t count = corpus->source.count;

    if (windows->mixture == NULL)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &windows->times, &windows->time_capacity, (size_t)count,
                        sizeof *windows->times));
    for (int32_t i = from; i < count; i++) {
        const int64_t pair = corpus->numbers != NULL ? corpus->numbers[i] : i;
        const int64_t times = dgm_mixture_times(windows->mixture, pair, epoch);

        windows->times[i] = (uint16_t)(windows->cache != NULL ? times > pass : times);
    }
    return DGM_OK;
}

static dgm_status read_window(struct dgm_env *env, struct dgm_windows *windows, int64_t epoch)
{
    const size_t first = first_visit(windows, windows->at);
    const size_t end = first_visit(windows, windows->at + 1);

    DGM_TRY(dgm_text_cache_make_room(env, windows->cache, windows->corpus, windows->blocks + first,
                                     end - first));
    for (size_t i = first; i < end; i++) {
        const int32_t from = windows->corpus->source.count;

        DGM_TRY(dgm_text_cache_read(env, windows->cache, windows->blocks[i], windows->corpus));
        DGM_TRY(note_times(env, windows, windows->corpus, from, windows->passes[i], epoch));
    }
    return DGM_OK;
}

dgm_status dgm_windows_cut(struct dgm_env *env, const struct dgm_windows *windows,
                           struct dgm_order *order, const struct dgm_corpus *corpus,
                           const struct dgm_order_options *options, int64_t epoch)
{
    return dgm_order_make_part(env, order, corpus, windows->mixture != NULL ? windows->times : NULL,
                               options, epoch, (uint32_t)windows->at);
}

/* Reads window `at` and makes its order. */
static dgm_status take(struct dgm_env *env, struct dgm_windows *windows, struct dgm_order *order,
                       const struct dgm_corpus *corpus, const struct dgm_order_options *options,
                       int64_t epoch)
{
    DGM_TRY(windows->cache != NULL ? read_window(env, windows, epoch)
                                   : note_times(env, windows, corpus, 0, 0, epoch));
    return dgm_windows_cut(env, windows, order, corpus, options, epoch);
}

dgm_status dgm_windows_begin(struct dgm_env *env, struct dgm_windows *windows,
                             struct dgm_order *order, const struct dgm_corpus *corpus,
                             const struct dgm_order_options *options, int64_t epoch)
{
    windows->at = windows->batches = windows->pairs = 0;
    if (windows->cache != NULL)
        draw_visits(windows, options->seed, epoch);
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

    for (; b < order->batches && pairs > 0; b++)
        pairs -= dgm_order_batch_pairs(order, b);
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
        draw_visits(windows, options->seed, epoch);
        while (!dgm_windows_is_last(windows) &&
               windows->pairs + pairs_of(windows, windows->at, epoch) < pairs)
            windows->pairs += pairs_of(windows, windows->at++, epoch);
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
    most *= ((int64_t)windows->visits + windows->count - 1) / windows->count;
    return most - bytes_of(windows, windows->at);
}
