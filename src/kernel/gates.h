/*
 * gates.h: kernels on rows where a gate blends two inputs: highways and context gates.
 *
 * device/task.h has the equations. Rows begin..end-1 are worked on; arrays need no alignment. A
 * row's results depend on nothing but the row.
 */
#ifndef DGM_KERNEL_GATES_H
#define DGM_KERNEL_GATES_H

#include <stdint.h>

#include "base/real.h"

/* y (N,W) = relu(h) s + c (1 - s), s = sigmoid(t); ht (N,2W) = [h | t], c (N,W). */
struct dgm_highway_rows {
    dgm_real *y;
    const dgm_real *ht, *c;
    int64_t width;
};

struct dgm_highway_grad {
    dgm_real *dht, *dc; /* NULL: not wanted */
    const dgm_real *dy, *ht, *c;
    int64_t width;
    int accumulate_ht, accumulate_c;
};

/* The operands of context gates: head h has x at h width, c at h c_step of their rows. */
struct dgm_mix {
    const dgm_real *x, *c;           /* rows ldx and ldc apart */
    const dgm_real *x_gate, *c_gate; /* (width) */
    dgm_real bias, scale;            /* of x */
    int64_t heads, width, c_step, ldx, ldc;
};

/* y (N, heads width), l (N,heads). */
struct dgm_mix_rows {
    dgm_real *y, *l;
    struct dgm_mix mix;
};

/* dx, dc lie as x and c do; they may share columns, as both are then added to. */
struct dgm_mix_grad {
    dgm_real *dx, *dc; /* NULL: not wanted */
    const dgm_real *dy, *l;
    struct dgm_mix mix;
    int accumulate_x, accumulate_c;
};

struct dgm_gate_kernels {
    void (*highway_forward)(const struct dgm_highway_rows *job, int64_t begin, int64_t end);
    void (*highway_backward)(const struct dgm_highway_grad *job, int64_t begin, int64_t end);
    void (*mix_forward)(const struct dgm_mix_rows *job, int64_t begin, int64_t end);
    /* sums (2 width + 1) are added to: gradients of x_gate, c_gate and of the bias. */
    void (*mix_backward)(const struct dgm_mix_grad *job, int64_t begin, int64_t end,
                         dgm_real *sums);
};

extern const struct dgm_gate_kernels dgm_gates_c;

#endif
