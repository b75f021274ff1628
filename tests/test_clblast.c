/*
 * test_clblast.c: matrix products by CLBlast, and the choice between it and our own kernels.
 * Skipped without an OpenCL device, and where CLBlast is not installed.
 */
#include <stdlib.h>
#include <string.h>

#include "device/trial/trial.h"
#include "test.h"

enum { TRIALS = 12 };

/* Whether there is a device at all; what is wrong with the choice is the caller's to see. */
static int has_device(void)
{
    struct dgm_device_options options = { 1, NULL, "all", NULL };
    struct dgm_device *device = NULL;
    const int has = dgm_device_open(test_env(), &device, "opencl", &options) == DGM_OK;

    if (has)
        dgm_device_close(test_env(), device);
    else
        test_skip(test_env()->error.message);
    return has;
}

TEST(clblast_choice)
{
    struct dgm_device_options options = { 1, NULL, "all", "clblas" };
    struct dgm_device *device = NULL;

    if (!has_device())
        return;
    CHECK_STATUS(dgm_device_open(test_env(), &device, "opencl", &options), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "auto, own and clblast") != NULL);
    options.gemm = "own";
    CHECK_STATUS(dgm_device_open(test_env(), &device, "opencl", &options), DGM_OK);
    dgm_device_close(test_env(), device);
}

TEST(clblast_parity)
{
    struct dgm_device_options options = { 1, NULL, "all", "clblast" };
    struct dgm_device *cpu = NULL, *device = NULL;

    if (!test_is_long()) { /* the driver builds CLBlast's programs, each of them 12 s on PoCL */
        test_skip("only with TEST_LONG");
        return;
    }
    if (!has_device())
        return;
    if (dgm_device_open(test_env(), &device, "opencl", &options) != DGM_OK) {
        CHECK_INT(test_env()->error.status, DGM_USAGE);
        test_skip(test_env()->error.message);
        return;
    }
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
