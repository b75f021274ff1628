/*
 * schedule.h: when a launch ends whose groups are of unlike lengths: they go in their order to the
 * places of a device, each to the first that is free, as GPUs hand them out.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_SCHEDULE_H
#define DGM_DEVICE_OPENCL_GEMM_SCHEDULE_H

#include <stdint.h>

/* Groups of one length, in any unit of time; a length of 0 counts as none. */
struct dgm_cl_load {
    int64_t groups, length;
};

enum { DGM_CL_MOST_LOADS = 4 };

/* The time at which the last of `places` (at least 1) is free; `loads` (count) go one after the
 * other, at most DGM_CL_MOST_LOADS of them. Takes no longer for more groups. */
int64_t dgm_cl_schedule_end(const struct dgm_cl_load *loads, int count, int64_t places);

#endif
