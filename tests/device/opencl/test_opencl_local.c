/*
 * test_opencl_local.c: attention on a processor whose OpenCL has 32 KiB of local memory only, for
 * which its tiles are narrow, against the CPU. Skipped without an OpenCL device.
 */
#include <string.h>

#include "config.h"
#include "opencl_case.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/opencl.h"
#include "device/trial/trial.h"

enum { TRIALS = 12 };

static void try_narrow(enum dgm_task_kind kind)
{
    struct dgm_device *device = NULL;
    struct dgm_opencl *opencl;

    setenv("DGM_CL_SHAPE", "16x1", 1);
    OPENCL_OPEN(&device);
    opencl = (struct dgm_opencl *)device;
    opencl->traits.local_bytes = 32 << 10;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        struct dgm_verdict verdict;

        CHECK_STATUS(dgm_trial_compare(test_env(), device->host, device, kind, seed, &verdict),
                     DGM_OK);
        CHECK(verdict.worst <= DGM_TRIAL_TOLERANCE);
    }
    dgm_device_close(test_env(), device);
}

TEST(opencl_attention_forward_in_little_local_memory)
{
    try_narrow(DGM_TASK_attention_forward);
}

TEST(opencl_attention_backward_in_little_local_memory)
{
    const char *target = getenv("TEST_TARGET");

    if (!test_is_long() && (target == NULL || strcmp(target, "check-device") != 0))
        TEST_SKIP("make check-device runs it"); /* PoCL compiles it for long */
    try_narrow(DGM_TASK_attention_backward);
}

#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_attention_forward_in_little_local_memory)
NEEDS_OPENCL(opencl_attention_backward_in_little_local_memory)
#endif
