/*
 * state.h: where a training run stands: everything, beside weights and moments, that an exact
 * resume needs. All random numbers follow from the seed and these counters.
 */
#ifndef DGM_TRAIN_STATE_H
#define DGM_TRAIN_STATE_H

#include <stdint.h>

struct dgm_train_state {
    int64_t updates;          /* completed */
    int64_t epoch;            /* from 1 */
    int64_t batch;            /* batches of the epoch already used */
    int64_t batches;          /* that the epoch has; 0: not known (yet) */
    int64_t labels;           /* target tokens in all */
    int64_t sentences;        /* pairs of this epoch */
    double best;              /* best validation score, in the sense of the metric */
    int64_t best_update;      /* 0: none yet */
    uint64_t best_checksum;   /* of its values (dgm_final_model_checksum); 0: not known */
    int64_t stalled;          /* validations since the best */
    double cost, cost_labels; /* since the last log line */
    int64_t log_bytes;        /* length of the metrics file, so that lines are not doubled */
    double elapsed;           /* seconds of training, for --after 12h */
    uint64_t train_checksum;
    uint64_t valid_checksum; /* 0: no validation text */
    int knows_valid;      /* valid_checksum is known; it is not in checkpoints of older versions */
    char devices[256];    /* what computed, "CPU, avx512": it decides about last bits; "": not
                                known */
    char reduce[96];      /* how gradients of batches were added up, "ordered f32; ordered bf16":
                             first so, then so; "": ordered f32 (train/step/exchange/reduce.h) */
    int64_t window_bytes; /* --shuffle-memory of an epoch that is read in windows; 0: in one */
    uint64_t init_checksum; /* of the file of --init; 0: values were drawn */
    int64_t batch_tokens;   /* that --batch-tokens auto chose; 0: they were given */
    int finished;           /* the run has ended by its own rules */
    int64_t pending;        /* what the latest update still has to be followed by */
};

/* Bits of `pending`. A checkpoint has some only where it was made during a validation. */
enum { DGM_PENDING_VALIDATION = 1, DGM_PENDING_SAVE = 2, DGM_PENDING_ALL = 3 };

#endif
