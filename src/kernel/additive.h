/*
 * additive.h: kernels of additive attention (Bahdanau et al. 2015); kernel/task/additive_list.h has
 * the equations.
 *
 * A call handles rows begin..end-1 of the queries; arrays need no alignment. The result of a row
 * depends only on its query and its span.
 */
#ifndef DGM_KERNEL_ADDITIVE_H
#define DGM_KERNEL_ADDITIVE_H

#include <stdint.h>

#include "kernel/task/jobs.h"

struct dgm_additive_kernels {
    void (*forward)(const struct dgm_additive_forward_job *job, int64_t begin, int64_t end);
    /* dv (A) is added to; `scratch` has room for `longest` reals. */
    void (*backward)(const struct dgm_additive_backward_job *job, int64_t begin, int64_t end,
                     dgm_real *dv, dgm_real *scratch);
};

extern const struct dgm_additive_kernels dgm_additive_c;

#endif
