/*
 * sequences.h: the sequences of a packed batch on their way to a recurrent layer.
 *
 * A layer works step by step on all sequences that are long enough, the longest first, so that
 * those still there at a step are the first of that order.
 */
#ifndef DGM_NN_SCHEDULE_SEQUENCES_H
#define DGM_NN_SCHEDULE_SEQUENCES_H

#include "graph/ops.h"
#include "nn/feed.h"

/* Zeroed: empty. Owns `active`, which is reused by the next staging. */
struct dgm_sequence_slots {
    dgm_slot offsets, order;
    int64_t count, rows, steps;
    int32_t *active; /* as dgm_sequences_rank leaves it */
    size_t capacity;
};

/* The longest of `count` sequences: rows offsets[s] .. offsets[s+1]-1 belong to sequence s. */
int32_t dgm_sequences_longest(const int32_t *offsets, int32_t count);

/* order (count): sequences by falling length, ties in their order; active (2 longest + 2): how many
 * are longer than each step, 0 to `longest`, then working memory. */
void dgm_sequences_rank(const int32_t *offsets, int32_t count, int32_t longest, int32_t *order,
                        int32_t *active);

void dgm_sequence_slots_clear(struct dgm_env *env, struct dgm_sequence_slots *slots);

/*
 * Stages `count` sequences; rows offsets[s] .. offsets[s+1]-1 belong to sequence s, offsets[0] is
 * 0. Empty sequences are allowed.
 */
dgm_status dgm_sequences_stage(struct dgm_env *env, struct dgm_feed *feed,
                               struct dgm_sequence_slots *slots, const int32_t *offsets,
                               int32_t count);

/* What was staged, after dgm_feed_send; valid until the next staging into these slots. */
struct dgm_sequences dgm_sequences_sent(const struct dgm_feed *feed,
                                        const struct dgm_sequence_slots *slots);

#endif
