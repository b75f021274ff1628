/*
 * weights.c: the kinds of weights by name.
 */
#include "device/weights.h"

#include "kernel/int8.h"

const char *dgm_weights_name(enum dgm_weights weights)
{
    static const char *const names[] = { "f32", "f32", "int8" };

    return names[weights];
}

int64_t dgm_weights_most_columns(enum dgm_weights weights)
{
    return weights == DGM_WEIGHTS_INT8 ? DGM_INT8_MOST_K : INT64_MAX;
}
