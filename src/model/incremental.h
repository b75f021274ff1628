/*
 * incremental.h: decoding one token at a time, with caches of keys and values.
 *
 * Rows are live hypotheses of all sentences, R of them, packed. Every step appends one row per
 * hypothesis to each layer's cache; a hypothesis is the list of cache rows of its past, so that
 * reordering hypotheses moves a few integers and no keys. Keys and values of the source are
 * computed once per sentence; hypotheses of one sentence read the same block. Row by row the
 * results equal those of whole-sentence decoding, bit for bit on the CPU.
 */
#ifndef DGM_MODEL_INCREMENTAL_H
#define DGM_MODEL_INCREMENTAL_H

#include "model/transformer.h"

struct dgm_incremental {
    const struct dgm_transformer *model;
    struct dgm_graph graph;
    struct dgm_step source;            /* the staged source side */
    struct dgm_feed feed;              /* index arrays of one decoding step */
    struct dgm_buffer *cross[DGM_MAX_LAYERS]; /* (N,2D) keys and values of the source */
    struct dgm_buffer *self[DGM_MAX_LAYERS];  /* (cache_capacity,2D) */
    int64_t source_rows, source_capacity;     /* rows of cross in use and allocated */
    int64_t cache_rows, cache_capacity;       /* rows of self in use and allocated */
    int32_t *source_starts, *source_counts;   /* (S) borrowed spans of the batch's sentences */
    size_t sentence_capacity;
    int32_t *past, *next_past;         /* (R, steps) cache rows of each hypothesis */
    size_t past_capacity;
    int32_t *sentence;                 /* (R) sentence of each hypothesis */
    size_t row_capacity;
    int64_t rows, steps;               /* R; tokens read so far */
};

dgm_status dgm_incremental_init(struct dgm_env *env, struct dgm_incremental *state,
                                const struct dgm_transformer *model, struct dgm_device *device);
void dgm_incremental_clear(struct dgm_env *env, struct dgm_incremental *state);

/* Encodes the batch's source and fills the cross caches. One hypothesis per sentence follows. */
dgm_status dgm_incremental_begin(struct dgm_env *env, struct dgm_incremental *state,
                                 const struct dgm_batch *batch);

/*
 * Chooses the hypotheses of the next step: new row r continues old row from[r]. Rows must stay
 * grouped in any order; `count` may be 0.
 */
dgm_status dgm_incremental_select(struct dgm_env *env, struct dgm_incremental *state,
                                  const int32_t *from, int64_t count);

/*
 * Reads one token per hypothesis, ids (R), and leaves the scores of the next token, (R,V), on the
 * device at *logits until the next call. The first step reads the end symbol.
 */
dgm_status dgm_incremental_step(struct dgm_env *env, struct dgm_incremental *state,
                                const int32_t *ids, struct dgm_ref *logits);

#endif
