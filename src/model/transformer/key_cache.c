/*
 * key_cache.c: keys and values of the tokens that hypotheses have read, layer by layer.
 */
#include "model/transformer/key_cache.h"

#include <string.h>

#include "base/mem.h"
#include "base/real.h"
#include "device/reals.h"
#include "device/task.h"

dgm_status dgm_key_cache_init(struct dgm_env *env, struct dgm_key_cache *cache,
                              struct dgm_device *device, int layers, int64_t width)
{
    memset(cache, 0, sizeof *cache);
    cache->device = device;
    cache->layer_count = layers;
    cache->width = width;
    return dgm_new(env, &cache->layers, (size_t)layers, sizeof(struct dgm_buffer *));
}

void dgm_key_cache_clear(struct dgm_env *env, struct dgm_key_cache *cache)
{
    for (int l = 0; cache->layers != NULL && l < cache->layer_count; l++)
        dgm_device_release(env, cache->device, cache->layers[l]);
    if (cache->spare != NULL)
        dgm_device_release(env, cache->device, cache->spare);
    dgm_release(env, cache->layers);
    dgm_release(env, cache->past);
    dgm_release(env, cache->next_past);
    dgm_release(env, cache->moved);
    memset(cache, 0, sizeof *cache);
}

void dgm_key_cache_begin(struct dgm_key_cache *cache, int64_t most)
{
    cache->rows = 0;
    cache->most = most;
}

struct dgm_ref dgm_key_cache_row(const struct dgm_key_cache *cache, int layer, int64_t row)
{
    struct dgm_ref ref = { .buffer = cache->layers[layer],
                           .offset = (size_t)(row * cache->width) * sizeof(dgm_real) };

    return ref;
}

/* ---- pasts ----------------------------------------------------------------------------------- */

/* Room for the pasts of `count` hypotheses of `steps` tokens, in both copies. */
static dgm_status reserve_past(struct dgm_env *env, struct dgm_key_cache *cache, int64_t count,
                               int64_t steps)
{
    const struct dgm_parallel arrays[] = { { &cache->past, sizeof *cache->past },
                                           { &cache->next_past, sizeof *cache->next_past },
                                           { NULL, 0 } };

    return dgm_reserve_parallel(env, arrays, &cache->past_capacity, (size_t)(count * steps));
}

static void swap_pasts(struct dgm_key_cache *cache)
{
    int32_t *past = cache->past;

    cache->past = cache->next_past;
    cache->next_past = past;
}

dgm_status dgm_key_cache_select(struct dgm_env *env, struct dgm_key_cache *cache,
                                const int32_t *from, int64_t count, int64_t steps)
{
    DGM_TRY(reserve_past(env, cache, count, steps + 1));
    /* past (hypotheses, steps): numbers of rows in every layer. Two may go on from one: copies. */
    for (int64_t r = 0; r < count; r++)
        memcpy(cache->next_past + r * steps, cache->past + from[r] * steps,
               (size_t)steps * sizeof *cache->past);
    swap_pasts(cache);
    return DGM_OK;
}

/* ---- room ------------------------------------------------------------------------------------ */

/* cache->moved (rows): the new number of every row that somebody's past has, in the old order;
 * *live: how many there are. */
static dgm_status number_live(struct dgm_env *env, struct dgm_key_cache *cache, int64_t pasts,
                              int64_t *live)
{
    DGM_TRY(dgm_reserve(env, &cache->moved, &cache->moved_capacity, (size_t)cache->rows,
                        sizeof *cache->moved));
    for (int64_t i = 0; i < cache->rows; i++)
        cache->moved[i] = -1;
    for (int64_t i = 0; i < pasts; i++)
        cache->moved[cache->past[i]] = 0;
    *live = 0;
    for (int64_t i = 0; i < cache->rows; i++)
        if (cache->moved[i] == 0)
            cache->moved[i] = (int32_t)(*live)++;
    return DGM_OK;
}

/* Sends the old numbers of the rows that live, in order, to the device. */
static dgm_status stage_live(struct dgm_env *env, const struct dgm_key_cache *cache,
                             struct dgm_feed *feed, int64_t live, dgm_slot *slot)
{
    int32_t *index;

    dgm_feed_reset(feed);
    DGM_TRY(dgm_feed_take(env, feed, slot, &index, (size_t)live * sizeof *index));
    for (int64_t i = 0; i < cache->rows; i++)
        if (cache->moved[i] >= 0)
            index[cache->moved[i]] = (int32_t)i;
    return dgm_feed_send(env, feed);
}

static dgm_status copy_live(struct dgm_env *env, const struct dgm_key_cache *cache, int layer,
                            struct dgm_buffer *to, struct dgm_ref index, int64_t live)
{
    struct dgm_copy_rows_args copy = { .y.buffer = to,
                                       .x.buffer = cache->layers[layer],
                                       .index = index,
                                       .rows = (int)live,
                                       .dim = (int)cache->width,
                                       .ldy = cache->width,
                                       .ldx = cache->width };

    return dgm_device_run(env, cache->device, DGM_TASK_copy_rows, &copy);
}

/* Moves a layer to cache->spare, which takes the old place of the layer where that is as large. */
static dgm_status move_layer(struct dgm_env *env, struct dgm_key_cache *cache, int layer,
                             struct dgm_ref index, int64_t live, int64_t capacity)
{
    struct dgm_buffer *old;

    if (live == 0 && cache->layers[layer] != NULL) { /* there are never two of an empty layer */
        dgm_device_release(env, cache->device, cache->layers[layer]);
        cache->layers[layer] = NULL;
    }
    if (cache->spare == NULL)
        DGM_TRY(dgm_reals_alloc(env, cache->device, &cache->spare, capacity, cache->width));
    if (live > 0)
        DGM_TRY(copy_live(env, cache, layer, cache->spare, index, live));
    old = cache->layers[layer];
    cache->layers[layer] = cache->spare;
    cache->spare = NULL;
    if (capacity == cache->capacity)
        cache->spare = old;
    else if (old != NULL)
        dgm_device_release(env, cache->device, old);
    return DGM_OK;
}

/* Moves the rows that live together, in layers of `capacity` rows. After a failure the cache is
 * empty: some layers have moved, and others not. */
static dgm_status rebuild(struct dgm_env *env, struct dgm_key_cache *cache, struct dgm_feed *feed,
                          int64_t live, int64_t capacity)
{
    dgm_status status;
    dgm_slot slot;

    DGM_TRY(stage_live(env, cache, feed, live, &slot));
    if (capacity != cache->capacity && cache->spare != NULL) {
        dgm_device_release(env, cache->device, cache->spare);
        cache->spare = NULL;
    }
    for (int l = 0; l < cache->layer_count; l++)
        DGM_TRY_OUT(move_layer(env, cache, l, dgm_feed_ref(feed, slot), live, capacity));
    cache->capacity = capacity;
    cache->rows = live;
    return DGM_OK;
out:
    cache->capacity = cache->rows = 0;
    return status;
}

/*
 * Room for `count` more rows. Some steps' rows stay free, and a quarter of what lives, so that
 * moving costs little beside the steps. A cache that comes near the most it can ever need takes
 * that, and is not moved any more: dgm_search_memory counts on it.
 */
static dgm_status make_room(struct dgm_env *env, struct dgm_key_cache *cache, struct dgm_feed *feed,
                            int64_t count, int64_t steps)
{
    const int64_t near = cache->most / 5 * 4;
    int64_t live, spare, capacity = cache->capacity;

    if (cache->rows + count <= cache->capacity)
        return DGM_OK;
    DGM_TRY(number_live(env, cache, count * steps, &live));
    spare = 2 * count > live / 4 ? 2 * count : live / 4;
    if (live + spare > capacity || (cache->most > 0 && capacity > near))
        capacity = live + 2 * spare;
    if (cache->most > 0 && capacity > near)
        capacity = cache->most > live + count ? cache->most : live + count;
    DGM_TRY(rebuild(env, cache, feed, live, capacity));
    for (int64_t i = 0; i < count * steps; i++)
        cache->past[i] = cache->moved[cache->past[i]];
    return DGM_OK;
}

dgm_status dgm_key_cache_extend(struct dgm_env *env, struct dgm_key_cache *cache,
                                struct dgm_feed *feed, int64_t count, int64_t steps)
{
    DGM_TRY(reserve_past(env, cache, count, steps + 1));
    DGM_TRY(make_room(env, cache, feed, count, steps));
    for (int64_t r = 0; r < count; r++) {
        memcpy(cache->next_past + r * (steps + 1), cache->past + r * steps,
               (size_t)steps * sizeof *cache->past);
        cache->next_past[r * (steps + 1) + steps] = (int32_t)(cache->rows + r);
    }
    swap_pasts(cache);
    return DGM_OK;
}
