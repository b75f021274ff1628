/*
 * math.h: kernels on plain arrays of n reals, element by element.
 *
 * Arrays need no alignment. `y` may be an input, but arrays must not overlap otherwise. On every
 * float, denormals included, exp, log and tanh err by less than 1.5 ulp and the logistic function
 * by less than 2, with the limits of C99 annex F at infinities and NaN.
 */
#ifndef DGM_KERNEL_MATH_H
#define DGM_KERNEL_MATH_H

#include <stdint.h>

#include "kernel/task/jobs.h"

struct dgm_math_kernels {
    void (*exp)(dgm_real *y, const dgm_real *x, int64_t n);
    void (*log)(dgm_real *y, const dgm_real *x, int64_t n);
    void (*tanh)(dgm_real *y, const dgm_real *x, int64_t n);
    void (*sigmoid)(dgm_real *y, const dgm_real *x, int64_t n);

    void (*fill)(dgm_real *y, dgm_real value, int64_t n);
    /* y = a x + b y; b = 0: y is not read. */
    void (*axpby)(dgm_real *y, dgm_real a, const dgm_real *x, dgm_real b, int64_t n);
    void (*add)(dgm_real *y, const dgm_real *a, const dgm_real *b, int64_t n);
    /* dx = dy where y > 0, else 0; added to dx if accumulate. */
    void (*relu_backward)(dgm_real *dx, const dgm_real *dy, const dgm_real *y, int64_t n,
                          int accumulate);

    /* y = x g(x) of swish or GELU, whose error is less than 2.5e-7 of the larger of 1 and |y|. */
    void (*self_gate)(dgm_real *y, const dgm_real *x, int64_t n, enum dgm_activation kind);
    /* dx = dy (g(x) + x g'(x)); added to dx if accumulate. dx may be dy. */
    void (*self_gate_backward)(dgm_real *dx, const dgm_real *dy, const dgm_real *x, int64_t n,
                               enum dgm_activation kind, int accumulate);

    double (*sum_squares)(const dgm_real *x, int64_t n);
    /* Only the numbers of the last argument are read, not its pointers. */
    void (*adam)(dgm_real *param, dgm_real *m, dgm_real *v, const dgm_real *grad, int64_t n,
                 const struct dgm_adam_job *numbers);
    void (*adadelta)(dgm_real *param, dgm_real *squares, dgm_real *steps, const dgm_real *grad,
                     int64_t n, const struct dgm_adadelta_job *numbers);
};

extern const struct dgm_math_kernels dgm_math_c;

#endif
