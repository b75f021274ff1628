/*
 * additive.h: kernels of additive attention (Bahdanau et al. 2015); device/task.h has the
 * equations.
 *
 * Rows begin..end-1 of the queries are worked on; arrays need no alignment. What a row results in
 * depends on nothing but its query and its span.
 */
#ifndef DGM_KERNEL_ADDITIVE_H
#define DGM_KERNEL_ADDITIVE_H

#include <stdint.h>

#include "base/real.h"

struct dgm_additive_operands {
    const dgm_real *q;              /* (n,A) */
    const dgm_real *keys, *values;  /* (K,A), (K,W) */
    const dgm_real *v;              /* (A) */
    const int32_t *starts, *counts; /* (n) */
    int64_t dim, width, longest;    /* A, W, columns of weights */
    int64_t ld_ctx;                 /* between rows of ctx, or of dctx */
};

struct dgm_additive_rows {
    dgm_real *ctx, *weights;
    struct dgm_additive_operands in;
};

/* dq is written; dkeys and dvalues are added to, NULL where they are not wanted. */
struct dgm_additive_grad {
    dgm_real *dq, *dkeys, *dvalues;
    const dgm_real *dctx, *weights;
    struct dgm_additive_operands in;
};

struct dgm_additive_kernels {
    void (*forward)(const struct dgm_additive_rows *job, int64_t begin, int64_t end);
    /* dv (A) is added to; `scratch` has room for `longest` reals. */
    void (*backward)(const struct dgm_additive_grad *job, int64_t begin, int64_t end, dgm_real *dv,
                     dgm_real *scratch);
};

extern const struct dgm_additive_kernels dgm_additive_c;

#endif
