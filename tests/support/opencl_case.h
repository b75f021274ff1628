/*
 * opencl_case.h: the OpenCL device of a test, the first of any kind, all of whose tasks run on it.
 */
#ifndef DGM_OPENCL_CASE_H
#define DGM_OPENCL_CASE_H

#include <stdlib.h>

#include "device/device.h"
#include "device/opencl/core/opencl.h"
#include "test.h"

/* `gemm` is the word of --gemm, or NULL. */
static inline dgm_status opencl_open(struct dgm_device **device, const char *gemm)
{
    const struct dgm_device_options options = { 1, NULL, "all", gemm, NULL };

    setenv("DGM_CL_TRUST", "0", 1); /* else a task that disagrees would run on the CPU */
    return dgm_device_open(test_env(), device, "opencl", &options);
}

/* Whether DGM_CL_SHAPE asks for kernels of processors, one work-item to a row, where there is none.
 * They need not run on GPUs: such a work-item may want more registers than they have. Oclgrind's
 * device says that it is everything, a processor included. */
static inline int opencl_is_misshapen(const struct dgm_device *device)
{
    const struct dgm_cl_traits *traits = &((const struct dgm_opencl *)device)->traits;

    return traits->lanes == 1 && (traits->type & CL_DEVICE_TYPE_CPU) == 0;
}

/* Closes such a device, and skips. */
#define OPENCL_SKIP_MISSHAPEN(device)                                                      \
    do {                                                                                   \
        if (opencl_is_misshapen(device)) {                                                 \
            dgm_device_close(test_env(), device);                                          \
            TEST_SKIP("shape 16x1 is that of processors, and the device is no processor"); \
        }                                                                                  \
    } while (0)

/* Skips where there is no device, the build has no OpenCL, or the device is misshapen; any other
 * failure is one. */
#define OPENCL_OPEN(device)                                 \
    do {                                                    \
        const dgm_status open_ = opencl_open(device, NULL); \
                                                            \
        if (open_ == DGM_UNSUPPORTED || open_ == DGM_USAGE) \
            TEST_SKIP(test_env()->error.message);           \
        CHECK_STATUS(open_, DGM_OK);                        \
        OPENCL_SKIP_MISSHAPEN(*(device));                   \
    } while (0)

/* A driver's compiler takes PoCL tens of seconds for what such a test needs. */
#define FOR_CHECK_DEVICE()                                                                \
    do {                                                                                  \
        const char *target_ = getenv("TEST_TARGET");                                      \
        if (!test_is_long() && (target_ == NULL || strcmp(target_, "check-device") != 0)) \
            TEST_SKIP("make check-device runs it");                                       \
    } while (0)

#endif
