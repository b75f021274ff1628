/*
 * cross.h: attention to the source, of decoders that are made of a Transformer's sub-layers: over
 * whole sentences, and in a search, where the keys and values of the source are computed once per
 * sentence and all its hypotheses read the same block.
 */
#ifndef DGM_MODEL_TRANSFORMER_CROSS_H
#define DGM_MODEL_TRANSFORMER_CROSS_H

#include "model/search/incremental.h"
#include "model/transformer/sublayers.h"

/* The sub-layer of layer where->layer over the target's rows x; `encoded`: the source's. */
struct dgm_node *dgm_cross_attend(const struct dgm_layer_context *where,
                                  const struct dgm_step *step, struct dgm_node *x,
                                  struct dgm_node *encoded);

/* ---- one token at a time --------------------------------------------------------------------- */

/* Zeros at first. */
struct dgm_cross_cache {
    struct dgm_buffer *layers[DGM_MAX_LAYERS]; /* (K,2D) keys and values of the source */
    int64_t capacity;                          /* rows that are allocated */
};

void dgm_cross_clear(struct dgm_env *env, const struct dgm_incremental *state,
                     struct dgm_cross_cache *cache);

/* Adds to state->graph the keys and values of `encoded`, and has them placed in the cache. */
dgm_status dgm_cross_begin(struct dgm_env *env, struct dgm_incremental *state,
                           struct dgm_cross_cache *cache, struct dgm_node *encoded);

/* Index arrays of one step: every hypothesis is a packed sentence of one query. */
struct dgm_cross_slots {
    dgm_slot places, offsets, starts, counts;
};

dgm_status dgm_cross_stage(struct dgm_env *env, struct dgm_incremental *state,
                           struct dgm_cross_slots *slots);

/* The sub-layer over one row for each hypothesis. */
struct dgm_node *dgm_cross_step(const struct dgm_layer_context *where,
                                struct dgm_incremental *state, const struct dgm_cross_cache *cache,
                                const struct dgm_cross_slots *slots, struct dgm_node *x);

#endif
