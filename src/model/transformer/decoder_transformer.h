/*
 * decoder_transformer.h: a Transformer decoding one token at a time, with caches of keys and values.
 *
 * Every step appends one row per hypothesis to each layer's cache; a hypothesis is the list of
 * cache rows of its past, so that reordering hypotheses moves a few integers and no keys. Keys and
 * values of the source are computed once per sentence; hypotheses of one sentence read the same
 * block.
 */
#ifndef DGM_MODEL_TRANSFORMER_DECODER_TRANSFORMER_H
#define DGM_MODEL_TRANSFORMER_DECODER_TRANSFORMER_H

#include "model/decoder.h"

/* What state->own is. */
struct dgm_transformer_caches {
    struct dgm_buffer *cross[DGM_MAX_LAYERS]; /* (K,2D) keys and values of the source */
    struct dgm_buffer *self[DGM_MAX_LAYERS];  /* (row_capacity,2D) */
    int64_t source_capacity;                  /* rows of cross that are allocated */
    int64_t rows, row_capacity;               /* rows of self in use and allocated */
    int32_t *past, *next_past;                /* (R, steps) cache rows of each hypothesis */
    size_t past_capacity;
};

void dgm_transformer_close(struct dgm_env *env, struct dgm_incremental *state);
dgm_status dgm_transformer_begin(struct dgm_env *env, struct dgm_incremental *state,
                                 const struct dgm_encoding *encoded);
dgm_status dgm_transformer_select(struct dgm_env *env, struct dgm_incremental *state,
                                  const int32_t *from, int64_t count);
dgm_status dgm_transformer_step(struct dgm_env *env, struct dgm_incremental *state,
                                const int32_t *ids, struct dgm_node **states);

#endif
