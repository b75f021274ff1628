/*
 * lstm_lab.h: packed sequences for an LSTM, and a device that runs it over them: what its tests
 * share.
 */
#ifndef DGM_TESTS_LSTM_LAB_H
#define DGM_TESTS_LSTM_LAB_H

#include "base/mem.h"
#include "base/philox.h"
#include "device/device.h"
#include "nn/schedule/sequences.h"

enum { LSTM_MOST = 100, LSTM_STREAM = 9 };
extern const uint32_t lstm_lab_key[2];

/* Sequences with inputs and a gradient from above; and what the device made of them. */
struct lstm_problem {
    int32_t count, offsets[LSTM_MOST + 1];
    int64_t rows, dim;
    dgm_real rate;
    int forgets;           /* no backward pass follows */
    enum dgm_weights held; /* how the weight is */
    int32_t *places;
    dgm_real *gates, *weight, *dy;
    dgm_real *y, *dgates, *dweight;
};

/* At most LSTM_MOST sequences of lengths 0..longest at random, in memory of the arena. */
dgm_status lstm_lab_problem(struct dgm_arena *arena, struct lstm_problem *p, int32_t count,
                            int64_t longest, int64_t dim, double rate);
/* Random numbers, or zeros. */
dgm_real *lstm_lab_reals(struct dgm_arena *arena, int64_t count, struct dgm_random *random);
/* The factor of dropout of a column for a sentence, by the definition in kernel/task/numbers.h. */
double lstm_lab_keep(const struct lstm_problem *p, int32_t sentence, int64_t column);

/* Fills in y, and where nothing is forgotten, dgates and dweight. */
dgm_status lstm_lab_solve_on(struct dgm_device *device, struct lstm_problem *p);
/* The same on a device of its own. */
dgm_status lstm_lab_solve(struct lstm_problem *p, int threads);

/* ---- step by step ---------------------------------------------------------------------------- */

struct lstm_rig {
    struct dgm_device *device;
    struct dgm_feed feed;
    struct dgm_sequence_slots slots;
    struct dgm_buffer *buffers[8];
    int buffer_count;
};

/* With a device of its own. */
dgm_status lstm_rig_open(struct lstm_rig *rig, int threads);
void lstm_rig_close(struct lstm_rig *rig);
/* A buffer with `count` reals: those of x, or all NaN; it is released with the rig. */
dgm_status lstm_rig_put(struct lstm_rig *rig, struct dgm_ref *ref, const dgm_real *x,
                        int64_t count);
dgm_status lstm_rig_get(const struct lstm_rig *rig, dgm_real *x, struct dgm_ref ref, int64_t count);
/* Both keep their operands, which may be run again. */
dgm_status lstm_rig_forward(struct lstm_rig *rig, const struct lstm_problem *p,
                            struct dgm_lstm_forward_args *args);
dgm_status lstm_rig_backward(struct lstm_rig *rig, const struct lstm_problem *p,
                             const struct dgm_lstm_forward_args *forward,
                             struct dgm_lstm_backward_args *args);

#endif
