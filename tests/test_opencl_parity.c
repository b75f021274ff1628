/*
 * test_opencl_parity.c: every task that OpenCL devices run, against the CPU, on random instances
 * (device/trial). The device is the first of any kind; without one, the tests say so and skip.
 * DGM_TRIALS=n goes through n instances of each task, DGM_TRIAL=name takes only tasks with that in
 * their name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/trial/trial.h"
#include "test.h"

enum { TRIALS = 5 }; /* make check-device: 100 */

static dgm_status try_task(struct dgm_device *cpu, struct dgm_device *device,
                           enum dgm_task_kind kind, int trials)
{
    double worst = 0;

    for (int seed = 1; seed <= trials; seed++) {
        struct dgm_verdict verdict;
        dgm_status status = dgm_trial_compare(test_env(), cpu, device, kind, (uint64_t)seed,
                                              &verdict);

        if (status != DGM_OK) {
            printf("%s, instance %d: %s\n", dgm_task_shape(kind)->name, seed,
                   test_env()->error.message);
            return status;
        }
        if (verdict.worst > worst)
            worst = verdict.worst;
        if (!(verdict.worst <= DGM_TRIAL_TOLERANCE)) {
            printf("instance %d: NMSE %g: %s\n", seed, verdict.worst, verdict.what);
            return dgm_fail(test_env(), DGM_FAILURE, "%s", verdict.what);
        }
    }
    if (getenv("DGM_TRIAL") != NULL)
        printf("%s: worst NMSE %g\n", dgm_task_shape(kind)->name, worst);
    return DGM_OK;
}

TEST(opencl_parity)
{
    struct dgm_device_options options = { 1, NULL, "all", NULL };
    struct dgm_device *cpu = NULL, *device = NULL;
    const char *only = getenv("DGM_TRIAL"), *count = getenv("DGM_TRIALS");
    const int trials = count != NULL ? atoi(count) : TRIALS;
    dgm_status status;
    int failures = 0;

    setenv("DGM_CL_TRUST", "0", 1); /* else a task that disagrees would run on the CPU */
    status = dgm_device_open(test_env(), &device, "opencl", &options);
    if (status == DGM_UNSUPPORTED || status == DGM_USAGE) /* none here; a build without OpenCL */
        TEST_SKIP(test_env()->error.message);
    CHECK_STATUS(status, DGM_OK);
    CHECK_STATUS(dgm_device_open(test_env(), &cpu, "cpu", &options), DGM_OK);
    for (int kind = 0; kind < DGM_TASK_COUNT; kind++) {
        if (!dgm_trial_exists((enum dgm_task_kind)kind) ||
            (only != NULL && strstr(dgm_task_shape((enum dgm_task_kind)kind)->name, only) == NULL))
            continue;
        failures += try_task(cpu, device, (enum dgm_task_kind)kind, trials) != DGM_OK;
        dgm_env_clear_error(test_env());
    }
    dgm_device_close(test_env(), device);
    dgm_device_close(test_env(), cpu);
    CHECK_INT(failures, 0);
}
