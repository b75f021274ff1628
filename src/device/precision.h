/*
 * precision.h: how many bits of its operands a matrix product takes: the words of --precision.
 *
 * Where it is not f32, operands are rounded to nearest, ties to even, just before they are
 * multiplied; products, sums and everything that is stored stay f32.
 */
#ifndef DGM_DEVICE_PRECISION_H
#define DGM_DEVICE_PRECISION_H

#include "base/env.h"
#include "base/real.h"

enum dgm_precision {
    DGM_F32,
    DGM_TF32, /* 8 bits of exponent, 11 of significand: relative error at most 2^-11 */
    DGM_BF16, /* 8 and 8: at most 2^-8 */
    DGM_PRECISION_COUNT
};

/* "f32", "tf32", "bf16". */
const char *dgm_precision_name(enum dgm_precision precision);

/* Of a word of struct dgm_device_options, NULL being "f32"; DGM_USAGE: another word. */
dgm_status dgm_precision_parse(struct dgm_env *env, enum dgm_precision *precision,
                               const char *word);

/* A value that is too large becomes infinite, a NaN stays one. */
dgm_real dgm_precision_round(enum dgm_precision precision, dgm_real x);

#endif
