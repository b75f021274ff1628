/*
 * drop.h: dropout as the kernels see it. Which elements stay is a pure function of Philox words;
 * kernel/task/numbers.h defines it.
 */
#ifndef DGM_KERNEL_DROP_H
#define DGM_KERNEL_DROP_H

#include <stdint.h>

#include "base/real.h"

struct dgm_mask {
    uint32_t threshold; /* an element stays iff its word >= threshold; 0: nothing is dropped */
    uint32_t stream;
    uint32_t key[2];
    dgm_real scale; /* of what stays: 1 / (1 - rate) */
};

/* rate in [0, 1). */
static inline struct dgm_mask dgm_mask_make(dgm_real rate, uint32_t stream, const uint32_t key[2])
{
    struct dgm_mask mask;

    mask.threshold = (uint32_t)((double)rate * 4294967296.0);
    mask.stream = stream;
    mask.key[0] = key[0];
    mask.key[1] = key[1];
    mask.scale = (dgm_real)(1.0 / (1.0 - (double)rate));
    return mask;
}

#endif
