/*
 * test_opencl_quiet.c: what a driver's compiler thinks of our programs is not for the user's
 * terminal. PoCL prints "2 warnings generated." there, of a program for processors.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "device/trial/trial.h"
#include "opencl_case.h"

/* Bytes that `compare` of a norm leaves on standard error while programs are built anew. */
static int64_t noise(struct dgm_device *cpu, struct dgm_device *device)
{
    struct dgm_verdict verdict;
    const int saved = dup(2);
    char path[1200];
    dgm_status status;
    int64_t bytes;
    int file;

    snprintf(path, sizeof path, "%s/noise", test_dir());
    file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, 2);
    status = dgm_trial_compare(test_env(), cpu, device, DGM_TASK_norm_forward, 1, &verdict);
    dup2(saved, 2);
    bytes = lseek(file, 0, SEEK_END);
    close(saved);
    close(file);
    return status == DGM_OK ? bytes : -1;
}

TEST(opencl_builds_say_nothing_on_the_terminal)
{
    const struct dgm_device_options options = { 1, NULL, NULL, NULL, NULL };
    struct dgm_device *cpu = NULL, *device = NULL;

    setenv("POCL_CACHE_DIR", test_dir(), 1);
    setenv("DGM_CL_CACHE", "0", 1);
    unsetenv("DGM_CL_SHAPE");
    OPENCL_OPEN(&device);
    CHECK_STATUS(dgm_device_open(test_env(), &cpu, "cpu", &options), DGM_OK);
    CHECK_INT(noise(cpu, device), 0);
    dgm_device_close(test_env(), device);
    dgm_device_close(test_env(), cpu);
}
