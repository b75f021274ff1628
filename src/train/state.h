/*
 * state.h: where a training run stands: everything, beside weights and moments, that an exact
 * resume needs. All random numbers follow from the seed and these counters.
 */
#ifndef DGM_TRAIN_STATE_H
#define DGM_TRAIN_STATE_H

#include <stdint.h>

#include "base/buf.h"
#include "tensor/gguf.h"

struct dgm_train_state {
    int64_t updates;         /* completed */
    int64_t epoch;           /* from 1 */
    int64_t batch;           /* batches of the epoch already used */
    int64_t labels;          /* target tokens in all */
    int64_t sentences;       /* pairs of this epoch */
    double best;             /* best validation score, in the sense of the metric */
    int64_t best_update;     /* 0: none yet */
    int64_t stalled;         /* validations since the best */
    double cost, cost_labels;      /* since the last log line */
    int64_t log_bytes;       /* length of the metrics file, so that lines are not doubled */
    double elapsed;          /* seconds of training, for --after 12h */
    uint64_t train_checksum;
    int finished;            /* the run has ended by its own rules */
};

/* Keys dragoman.state.*. */
dgm_status dgm_train_state_save(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                const struct dgm_train_state *state);
dgm_status dgm_train_state_load(struct dgm_env *env, const struct dgm_gguf *file,
                                struct dgm_train_state *state);

#endif
