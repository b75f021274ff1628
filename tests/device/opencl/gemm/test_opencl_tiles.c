/*
 * test_opencl_tiles.c: a driver that allows a kernel fewer work-items than the device (cl_fault.c)
 * gets products by smaller tiles, and says so; only where no tile is small enough they run on the
 * CPU.
 */
#include "device/trial/trial.h"
#include "fault_case.h"
#include "opencl_case.h"

/* Opens a device that plays a GPU, with kernels under the rule, and asks what becomes of
 * products. */
static int explain_gemm(const char *rule, char words[DGM_EXPLAIN_SIZE])
{
    struct dgm_device *device;
    int runs;

    fault_arm(rule);
    if (fault_open(&device) != DGM_OK)
        return -1;
    runs = device->ops->explain(test_env(), device, DGM_TASK_gemm, words);
    dgm_device_close(test_env(), device);
    return runs;
}

/* Trials take every tile, and a cache would keep their verdicts. */
#define TILES_BEGIN()                             \
    do {                                          \
        FOR_CHECK_DEVICE();                       \
        FAULT_BEGIN();                            \
        setenv("XDG_CACHE_HOME", "/dev/null", 1); \
        setenv("DGM_CL_CACHE", "0", 1);           \
        setenv("DGM_CL_SHAPE", "1x64", 1);        \
        unsetenv("DGM_CL_TRUST");                 \
    } while (0)

TEST(opencl_tiles_are_smaller_where_a_kernel_has_small_groups)
{
    char words[DGM_EXPLAIN_SIZE];

    FOR_CHECK_DEVICE(); /* every tile is compiled */
    TILES_BEGIN();
    CHECK_INT(explain_gemm("GetKernelWorkGroupInfo:1+:128:gemm_gpu_*_128", words), 1);
    CHECK(fault.hits() > 0);
    CHECK_STR(words, "it agrees with the CPU; it takes smaller tiles: kernel gemm_gpu_nn_128 needs "
                     "groups of 256 work-items, and the driver allows it 128");
    CHECK(strstr(fault.log, "on the CPU") == NULL);
    CHECK_INT(explain_gemm("GetKernelWorkGroupInfo:1+:64:gemm_gpu_thin", words), 1);
    CHECK(strstr(words, "smaller tiles: kernel gemm_gpu_thin needs groups of 256") != NULL);
}

/* The first program of a product is that of large tiles, or of few rows. */
TEST(opencl_tiles_are_smaller_where_a_program_does_not_build)
{
    char words[DGM_EXPLAIN_SIZE];

    FOR_CHECK_DEVICE(); /* every tile is compiled */
    TILES_BEGIN();
    CHECK_INT(explain_gemm(NULL, words), 1);
    CHECK_STR(words, "it agrees with the CPU");
    CHECK_INT(explain_gemm("CreateKernel:1:-5", words), 1);
    CHECK_INT(fault.hits(), 1);
    CHECK(strstr(words, "; it takes smaller tiles: kernel gemm_gpu_") != NULL);
    CHECK(strstr(words, " does not build") != NULL);
}

TEST(opencl_tiles_that_are_all_too_large_leave_products_to_the_cpu)
{
    char words[DGM_EXPLAIN_SIZE];

    TILES_BEGIN();
    CHECK_INT(explain_gemm("GetKernelWorkGroupInfo:1+:32:gemm_gpu_*", words), 0);
    CHECK(strstr(words, "_64 needs groups of ") != NULL);
    CHECK(strstr(words, " work-items, and the driver allows it 32") != NULL);
}

/* Rows that a kernel for few of them would have are packed then, as others are. Where a device has
 * many units, none of these products has large tiles anyway: here it has one. */
static void check_tensor(const char *rule)
{
    const struct dgm_device_options options = { 1, NULL, "all", NULL, "bf16" };
    struct dgm_device *cpu = NULL, *device = NULL;

    fault_arm(rule);
    CHECK_STATUS(dgm_device_open(test_env(), &cpu, "cpu", &options), DGM_OK);
    CHECK_STATUS(dgm_device_open(test_env(), &device, "opencl", &options), DGM_OK);
    ((struct dgm_opencl *)device)->traits.units = 1;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct dgm_verdict verdict;

        CHECK_STATUS(dgm_trial_compare(test_env(), cpu, device, DGM_TASK_gemm, seed, &verdict),
                     DGM_OK);
        CHECK(verdict.worst <= DGM_TRIAL_TOLERANCE);
    }
    CHECK(fault.hits() > 0);
    CHECK(fault_said_once("matrix products take smaller tiles: kernel gemm_bf16_"));
    dgm_device_close(test_env(), device);
    dgm_device_close(test_env(), cpu);
}

TEST(opencl_tiles_of_tensor_cores_are_smaller_where_a_kernel_has_small_groups)
{
    FOR_CHECK_DEVICE();
    FAULT_BEGIN();
    setenv("DGM_CL_CACHE", "0", 1);
    setenv("DGM_CL_TENSOR", "emulated", 1);
    check_tensor("GetKernelWorkGroupInfo:1+:64:gemm_bf16_thin");
    check_tensor("GetKernelWorkGroupInfo:1+:128:gemm_bf16_128");
}

/* Not only products: log_softmax has groups of 64 that share a row. Without a trial, too. */
TEST(opencl_group_that_is_too_large_is_not_launched)
{
    static const char rule[] = "GetKernelWorkGroupInfo:1+:32:log_softmax";

    FAULT_BEGIN();
    setenv("DGM_CL_SHAPE", "1x64", 1);
    setenv("DGM_CL_CACHE", "0", 1);
    for (int is_tried = 0; is_tried < 2; is_tried++) {
        struct dgm_verdict verdict;
        struct dgm_device *device;

        fault_arm(rule);
        CHECK_STATUS(fault_open(&device), DGM_OK);
        CHECK_STATUS(dgm_trial_compare(test_env(), device->host, device, DGM_TASK_log_softmax, 1,
                                       &verdict),
                     DGM_OK);
        CHECK_NEAR(verdict.worst, 0, 0);
        CHECK(fault_said_once("task log_softmax runs on the CPU: "));
        CHECK(fault_said_once("kernel log_softmax needs groups of 64 work-items, and the driver "
                              "allows it 32"));
        dgm_device_close(test_env(), device);
        unsetenv("DGM_CL_TRUST");
    }
}
