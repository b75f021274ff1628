/*
 * time_major.h: the target rows of a packed batch in the order of time, for a decoder that goes on
 * step by step (graph/ops.h, struct dgm_bahdanau_decoder).
 *
 * Step after step; in each, the sentences that are long enough, the longest first (of equals, the
 * first): so the rows that go on are always the first ones of a step. Sentences without target
 * rows have no row and no state.
 */
#ifndef DGM_NN_SCHEDULE_TIME_MAJOR_H
#define DGM_NN_SCHEDULE_TIME_MAJOR_H

#include "nn/schedule/sequences.h"

/* Zeroed: empty. Owns what `sequences` owns. */
struct dgm_time_major_slots {
    struct dgm_sequence_slots sequences;
    dgm_slot packed, previous, place, starts, counts;
    int64_t sentences, longest;
};

/* What was staged. */
struct dgm_time_major {
    int64_t rows, sentences; /* M; S: those that have rows */
    struct dgm_steps steps;
    struct dgm_memory memory; /* of sentences in `sentence` order */
    struct dgm_ref packed;    /* int32 (M): the packed row of each time-major row */
    struct dgm_ref previous;  /* int32 (M): the packed row of the word before it, or -1 */
    struct dgm_ref place;     /* int32 (M): the time-major row of each packed row */
    struct dgm_ref sentence;  /* int32 (S): which sentence each row of the first step belongs to */
};

void dgm_time_major_clear(struct dgm_env *env, struct dgm_time_major_slots *slots);

/*
 * Stages `count` sentences: target rows offsets[s] .. offsets[s+1]-1, memory rows memory[s] ..
 * memory[s+1]-1; offsets[0] is 0.
 */
dgm_status dgm_time_major_stage(struct dgm_env *env, struct dgm_feed *feed,
                                struct dgm_time_major_slots *slots, const int32_t *offsets,
                                const int32_t *memory, int32_t count);

/* After dgm_feed_send; valid until the next staging into these slots. */
struct dgm_time_major dgm_time_major_sent(const struct dgm_feed *feed,
                                          const struct dgm_time_major_slots *slots);

#endif
