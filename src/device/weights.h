/*
 * weights.h: the form in which a device holds the weights that translation multiplies by: in fewer
 * bits, the words of --compute-type, or as reals in an order of its own.
 *
 * A buffer of such weights holds one matrix (rows, cols). For the tasks that know it, products of
 * form NT with its rows (task gemm, operand b; in fewer bits lstm_forward, weight), look-ups of its
 * rows (task embed_forward) and copies of whole rows into another such buffer (task copy_rows), it
 * is addressed as if it held reals as usual. Every other task is refused.
 */
#ifndef DGM_DEVICE_WEIGHTS_H
#define DGM_DEVICE_WEIGHTS_H

#include <stdint.h>

#include "base/env.h"

struct dgm_narrow_type;

enum dgm_weights {
    DGM_WEIGHTS_REAL,   /* no buffers of their own */
    DGM_WEIGHTS_PANELS, /* reals in the order in which the device's products read them */
    DGM_WEIGHTS_INT8,   /* bytes with a scale for each row; activations too: kernel/narrow/int8.h */
    DGM_WEIGHTS_BF16,   /* halves of floats; activations too: kernel/narrow/bf16.h */
    DGM_WEIGHTS_COUNT
};

/* "f32", "int8", "bf16". */
const char *dgm_weights_name(enum dgm_weights weights);

/* The type of numbers in fewer bits than f32; NULL for reals. */
const struct dgm_narrow_type *dgm_weights_narrow(enum dgm_weights weights);

/* Columns of the widest matrix that can be held so. */
int64_t dgm_weights_most_columns(enum dgm_weights weights);

/* Numbers further from zero than this would become infinite. */
double dgm_weights_most(enum dgm_weights weights);

#endif
