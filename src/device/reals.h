/* reals.h: bytes of a matrix of reals, where those may be more than there are addresses. */
#ifndef DGM_DEVICE_REALS_H
#define DGM_DEVICE_REALS_H

#include "device/device.h"

/* *bytes of (rows, cols). DGM_MEMORY where a program of 32 bits cannot have them. */
static inline dgm_status dgm_reals_bytes(struct dgm_env *env, size_t *bytes, int64_t rows,
                                         int64_t cols)
{
    const uint64_t most = SIZE_MAX / 2 / sizeof(dgm_real);

    if (cols > 0 && (uint64_t)rows > most / (uint64_t)cols)
        return dgm_fail(env, DGM_MEMORY,
                        "%lld x %lld numbers are more than a program of %d bits has addresses for",
                        (long long)rows, (long long)cols, (int)(8 * sizeof(size_t)));
    *bytes = (size_t)rows * (size_t)cols * sizeof(dgm_real);
    return DGM_OK;
}

static inline dgm_status dgm_reals_alloc(struct dgm_env *env, struct dgm_device *device,
                                         struct dgm_buffer **out, int64_t rows, int64_t cols)
{
    size_t bytes = 0;

    DGM_TRY(dgm_reals_bytes(env, &bytes, rows, cols));
    return dgm_device_alloc(env, device, out, bytes);
}

#endif
