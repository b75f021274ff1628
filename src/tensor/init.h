/*
 * init.h: initial values of parameters (specification 1.7), the same bytes from the same seed.
 *
 * Values are drawn for one tensor at a time from a stream named by `number`, so that adding a
 * parameter to a model does not change the others.
 */
#ifndef DGM_TENSOR_INIT_H
#define DGM_TENSOR_INIT_H

#include <stdint.h>

#include "base/real.h"

enum dgm_init {
    DGM_INIT_ZERO,
    DGM_INIT_ONE,
    DGM_INIT_MINUS_ONE,
    DGM_INIT_XAVIER, /* uniform in +-scale sqrt(6 / (fan_in + fan_out)) */
    DGM_INIT_NORMAL  /* normal with standard deviation `scale` */
};

/* Fills values (rows, cols); fan_out = rows, fan_in = cols. */
void dgm_init_fill(dgm_real *values, int64_t rows, int64_t cols, enum dgm_init kind, double scale,
                   uint64_t seed, uint32_t number);

#endif
