/*
 * lstm.h: how every device lays out what an LSTM saves, and the matrix products of its steps.
 *
 * `saved` is time-major: the rows of a step follow those of the step before, in each step the
 * longest sequences first. Row r of it, of the k-th longest sequence at step t, holds the gates of
 * both directions, c_t, and what that step starts from, keep h_{t-1}: so the rows of one step, and
 * those of all steps but the first, are plain matrices to multiply.
 */
#ifndef DGM_DEVICE_LSTM_H
#define DGM_DEVICE_LSTM_H

#include "device/task.h"

/* The parts of `saved`. */
struct dgm_lstm_parts {
    struct dgm_ref gates;  /* (N,8H) i f g o of both directions, turned into their gradients */
    struct dgm_ref c;      /* (N,2H) */
    struct dgm_ref before; /* (N,2H) keep h_{t-1} */
    struct dgm_ref keep;   /* (S,2H) dropout masks, with dropout; rows k of these three belong */
    struct dgm_ref dnext;  /* (S,2H) to the k-th longest: gradients of keep h_t */
    struct dgm_ref dc;     /* (S,2H) gradients of c_t, by way of c_{t+1} */
};

struct dgm_lstm_parts dgm_lstm_parts(struct dgm_ref saved, const struct dgm_lstm *core);

/* Where a step stands in the time-major rows. */
struct dgm_lstm_step {
    int64_t t, active, later;  /* sequences at this step and at the next one */
    int64_t last, first, next; /* rows where steps t - 1, t, t + 1 begin */
};

/* Step t, which begins at row `first`. */
struct dgm_lstm_step dgm_lstm_step(const struct dgm_lstm *core, int64_t t, int64_t first);

/* Sequences that are longer than t; 0 for steps that are none. */
int64_t dgm_lstm_active(const struct dgm_lstm *core, int64_t t);

/* gates = keep h_{t-1} W^T for all sequences of a step. */
struct dgm_gemm_args dgm_lstm_gates_product(const struct dgm_lstm *core,
                                            const struct dgm_lstm_parts *parts,
                                            struct dgm_ref weight,
                                            const struct dgm_lstm_step *step);
/* dnext = dgates W: what the step before gets from this one. */
struct dgm_gemm_args dgm_lstm_next_product(const struct dgm_lstm *core,
                                           const struct dgm_lstm_parts *parts,
                                           struct dgm_ref weight, const struct dgm_lstm_step *step);
/* dW = dgates^T (keep h), over all rows that have a step before them. */
struct dgm_gemm_args dgm_lstm_weight_product(const struct dgm_lstm_backward_args *args,
                                             const struct dgm_lstm_parts *parts);

#endif
