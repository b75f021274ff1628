/*
 * test_clblast.c: matrix products by CLBlast, and the choice between it and our own kernels.
 * Skipped without an OpenCL device, and where CLBlast is not installed.
 */
#include <string.h>

#include "device/trial/trial.h"
#include "opencl_case.h"

enum { TRIALS = 12 };

TEST(clblast_choice)
{
    struct dgm_device *device = NULL;

    OPENCL_OPEN(&device);
    dgm_device_close(test_env(), device);
    CHECK_STATUS(opencl_open(&device, "clblas"), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "auto, own and clblast") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(opencl_open(&device, "own"), DGM_OK);
    dgm_device_close(test_env(), device);
}

TEST(clblast_parity)
{
    const struct dgm_device_options options = { 1, NULL, NULL, NULL, NULL };
    struct dgm_device *cpu = NULL, *device = NULL;
    dgm_status status;

    if (!test_is_long()) /* the driver builds CLBlast's programs, each of them 12 s on PoCL */
        TEST_SKIP("only with TEST_LONG");
    OPENCL_OPEN(&device);
    dgm_device_close(test_env(), device);
    status = opencl_open(&device, "clblast");
    if (status == DGM_USAGE) /* not installed */
        TEST_SKIP(test_env()->error.message);
    CHECK_STATUS(status, DGM_OK);
    CHECK_STATUS(dgm_device_open(test_env(), &cpu, "cpu", &options), DGM_OK);
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        struct dgm_verdict verdict;

        CHECK_STATUS(dgm_trial_compare(test_env(), cpu, device, DGM_TASK_gemm, seed, &verdict),
                     DGM_OK);
        CHECK(verdict.worst <= DGM_TRIAL_TOLERANCE);
    }
    dgm_device_close(test_env(), device);
    dgm_device_close(test_env(), cpu);
}
