/*
 * stretch.h: stretches of a device's memory, and whether two of them overlap.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_STRETCH_H
#define DGM_DEVICE_OPENCL_CORE_STRETCH_H

#include "device/task.h"

/* Absent without a buffer. */
struct dgm_cl_stretch {
    struct dgm_ref at;
    size_t bytes;
};

static inline struct dgm_cl_stretch dgm_cl_stretch_of(struct dgm_ref at, int64_t reals)
{
    const struct dgm_cl_stretch stretch = { at, (size_t)reals * sizeof(dgm_real) };

    return stretch;
}

static inline int dgm_cl_stretches_overlap(struct dgm_cl_stretch a, struct dgm_cl_stretch b)
{
    return a.at.buffer != NULL && a.at.buffer == b.at.buffer &&
           a.at.offset < b.at.offset + b.bytes && b.at.offset < a.at.offset + a.bytes;
}

#endif
