/*
 * key_cache.h: keys and values of the tokens that hypotheses have read, layer by layer.
 *
 * Every step appends a row for each hypothesis. A hypothesis is the list of the rows of its past,
 * so that reordering hypotheses moves a few integers and no keys. What nobody's past has any more,
 * of finished sentences and of hypotheses that died, gives its room to what follows: a cache is as
 * large as what lives needs, and some steps more.
 */
#ifndef DGM_MODEL_TRANSFORMER_KEY_CACHE_H
#define DGM_MODEL_TRANSFORMER_KEY_CACHE_H

#include "nn/feed.h"

/* As dgm_key_cache_init leaves it; cleared in any case. */
struct dgm_key_cache {
    struct dgm_device *device;
    struct dgm_buffer **layers; /* (layer_count) of (capacity, width) each */
    struct dgm_buffer *spare;   /* the same, or NULL: where the next layer is moved to */
    int layer_count;
    int64_t width;
    int64_t rows, capacity;    /* in use, allocated */
    int64_t most;              /* rows that a batch appends at most; 0: not known */
    int32_t *past, *next_past; /* (count, steps) rows of each hypothesis */
    size_t past_capacity;
    int32_t *moved; /* (rows) where a row goes, or -1 */
    size_t moved_capacity;
};

dgm_status dgm_key_cache_init(struct dgm_env *env, struct dgm_key_cache *cache,
                              struct dgm_device *device, int layers, int64_t width);
void dgm_key_cache_clear(struct dgm_env *env, struct dgm_key_cache *cache);

/* Forgets all rows, and keeps the memory. */
void dgm_key_cache_begin(struct dgm_key_cache *cache, int64_t most);

/* Hypothesis r of `count` continues the past, of `steps` tokens, of from[r]. */
dgm_status dgm_key_cache_select(struct dgm_env *env, struct dgm_key_cache *cache,
                                const int32_t *from, int64_t count, int64_t steps);

/* Lengthens the pasts of `count` hypotheses, of `steps` tokens each, by a row that is to be
 * written: for hypothesis r, row cache->rows + r. What `feed` holds is lost. */
dgm_status dgm_key_cache_extend(struct dgm_env *env, struct dgm_key_cache *cache,
                                struct dgm_feed *feed, int64_t count, int64_t steps);

/* Where a row of a layer lies. */
struct dgm_ref dgm_key_cache_row(const struct dgm_key_cache *cache, int layer, int64_t row);

#endif
