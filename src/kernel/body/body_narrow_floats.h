/*
 * body_narrow_floats.h: body_narrow.h where sums are floats, and nothing becomes of them but what
 * becomes of all: types without scales.
 */
typedef float narrow_sum;

#include "kernel/body/body_narrow.h"

static inline vec narrow_value(const struct dgm_narrow_tile *tile, int64_t i, int64_t j, int n,
                               ivec sums)
{
    (void)tile;
    (void)i;
    (void)j;
    (void)n;
    return ivec_floats(sums);
}
