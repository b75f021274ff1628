/*
 * weights.c: the kinds of weights by name.
 */
#include "device/weights.h"

#include <math.h>

#include "kernel/narrow/bf16.h"
#include "kernel/narrow/int8.h"

const struct dgm_narrow_type *dgm_weights_narrow(enum dgm_weights weights)
{
    static const struct dgm_narrow_type *const types[DGM_WEIGHTS_COUNT] = {
        [DGM_WEIGHTS_INT8] = &dgm_int8,
        [DGM_WEIGHTS_BF16] = &dgm_bf16,
    };

    return types[weights];
}

const char *dgm_weights_name(enum dgm_weights weights)
{
    return dgm_weights_narrow(weights) ? dgm_weights_narrow(weights)->name : "f32";
}

int64_t dgm_weights_most_columns(enum dgm_weights weights)
{
    return dgm_weights_narrow(weights) ? dgm_weights_narrow(weights)->most_k : INT64_MAX;
}

double dgm_weights_most(enum dgm_weights weights)
{
    return dgm_weights_narrow(weights) ? (double)dgm_weights_narrow(weights)->most
                                       : (double)INFINITY;
}
