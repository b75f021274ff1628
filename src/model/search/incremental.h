/*
 * incremental.h: decoding one token at a time, whatever the decoder.
 *
 * Rows are live hypotheses of all sentences, R of them, packed. What a decoder remembers of their
 * pasts is its own business (decoder.h). Row by row the results equal those of whole-sentence
 * decoding, bit for bit on the CPU.
 */
#ifndef DGM_MODEL_INCREMENTAL_H
#define DGM_MODEL_INCREMENTAL_H

#include "model/search/narrow_output.h"
#include "model/net.h"

struct dgm_incremental {
    const struct dgm_net *net;
    struct dgm_graph graph;
    struct dgm_step source; /* the staged source side */
    struct dgm_feed feed;   /* index arrays of one decoding step */
    int32_t *sentence;      /* (R) sentence of each hypothesis */
    size_t row_capacity;
    int32_t *starts; /* (R) what the first step reads */
    size_t start_capacity;
    int64_t rows, steps; /* R; tokens read so far */
    int64_t most_past;   /* tokens that all hypotheses of a batch may read together,
                                        * if that is known: what caches need at most */
    const struct dgm_shortlist_choice *choice; /* words of the next batch; borrowed; NULL: all */
    struct dgm_narrow_output output;           /* of these */
    void *own;                                 /* of the decoder's kind */
};

dgm_status dgm_incremental_init(struct dgm_env *env, struct dgm_incremental *state,
                                const struct dgm_net *net, struct dgm_device *device);
void dgm_incremental_clear(struct dgm_env *env, struct dgm_incremental *state);

/* Encodes the batch's source. One hypothesis per sentence follows. */
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
 * device at *logits until the next call. With a choice, those of each sentence's list are
 * (R, choice->width). The first step reads net->start, whatever ids
 * are: models of an ensemble may begin with different tokens.
 */
dgm_status dgm_incremental_step(struct dgm_env *env, struct dgm_incremental *state,
                                const int32_t *ids, struct dgm_ref *logits);

/* Stages, for every hypothesis, where its sentence's memory begins and how many rows it has. */
dgm_status dgm_incremental_stage_memory(struct dgm_env *env, struct dgm_incremental *state,
                                        dgm_slot *starts, dgm_slot *counts);

#endif
