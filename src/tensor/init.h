/*
 * init.h: initial values of parameters (specification 1.7), the same bytes from the same seed.
 *
 * Values are drawn for one tensor at a time from a stream named by `number`, so that adding a
 * parameter to a model does not change the others.
 */
#ifndef DGM_TENSOR_INIT_H
#define DGM_TENSOR_INIT_H

#include <stdint.h>

#include "base/env.h"
#include "base/real.h"

/* Of base/philox.h. */
enum { DGM_INIT_STREAM = 1 };

enum dgm_init {
    DGM_INIT_ZERO,
    DGM_INIT_ONE,
    DGM_INIT_MINUS_ONE,
    DGM_INIT_XAVIER,     /* uniform in +-scale sqrt(6 / (fan_in + fan_out)) */
    DGM_INIT_NORMAL,     /* normal with standard deviation `scale` */
    DGM_INIT_ORTHOGONAL, /* dgm_init_orthogonal's alone */
    DGM_INIT_FIRST_BLOCK /* dgm_init_first_block's alone */
};

/* Fills values (rows, cols); fan_out = rows, fan_in = cols. Not for the two kinds that
 * have functions of their own. */
void dgm_init_fill(dgm_real *values, int64_t rows, int64_t cols, enum dgm_init kind, double scale,
                   uint64_t seed, uint32_t number);

/*
 * Fills values with `blocks` matrices (rows / blocks, cols) below one another, each a random
 * orthogonal matrix (Saxe, McClelland, Ganguli, 2014) times scale: orthonormal rows, or columns
 * where it has more rows than columns. A recurrent weight has a block per gate.
 */
dgm_status dgm_init_orthogonal(struct dgm_env *env, dgm_real *values, int64_t rows, int64_t cols,
                               int64_t blocks, double scale, uint64_t seed, uint32_t number);

/* Fills `count` values with `value` in the first of `blocks` equal parts, with zeros in the others:
 * the bias of one gate. */
void dgm_init_first_block(dgm_real *values, int64_t count, int64_t blocks, double value);

#endif
