/*
 * test_opencl_faults.c: every call of OpenCL fails once, at every place where it is made: the error
 * names the call, nothing is lost, and the next run computes the same numbers (reliability.md,
 * R27).
 */
#include <opencl/opencl.h>

#include "device/choice.h"
#include "device/opencl/core/memory.h"
#include "device/opencl/core/opencl.h"
#include "device/trial/trial.h"
#include "fault_case.h"

static const char UNTYPED[] = "it does not say that it is a GPU";

static void check_opening(const char *rule, dgm_status want, const char *text)
{
    struct dgm_device *device = NULL;

    fault_arm(rule);
    CHECK_STATUS(fault_open(&device), want);
    CHECK(fault.hits() > 0);
    CHECK(strstr(test_env()->error.message, text) != NULL);
    fault_arm(NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(fault_open(&device), DGM_OK);
    dgm_device_close(test_env(), device);
}

TEST(opencl_fault_while_opening_names_the_call)
{
    FAULT_BEGIN();
    check_opening("GetPlatformIDs:1:-1001", DGM_UNSUPPORTED, "OpenCL knows no device");
    check_opening("GetDeviceIDs:1+:-1", DGM_UNSUPPORTED, "OpenCL knows no device");
    check_opening("GetDeviceInfo:1+:-33", DGM_UNSUPPORTED, UNTYPED);
    check_opening("CreateContext:1:-2", DGM_MEMORY, "clCreateContext: DEVICE_NOT_AVAILABLE");
    check_opening("CreateCommandQueue:1:-6", DGM_MEMORY, "clCreateCommandQueue");
    check_opening("CreateCommandQueue:1:-9999", DGM_FAILURE, "error -9999");
}

/* ---- drivers with bad values ---------------------------------------------------------------- */

/* The device can be listed and used, and its products are those of the CPU. */
static void check_usable(const char *rule)
{
    const struct dgm_device_options options = { 1, NULL, NULL, NULL, NULL };
    struct dgm_device *cpu = NULL, *device = NULL;
    struct dgm_buf list = { 0 };
    struct dgm_verdict verdict;

    fault_arm(rule);
    CHECK_STATUS(dgm_device_list(test_env(), &list), DGM_OK);
    dgm_buf_clear(test_env(), &list);
    CHECK_STATUS(dgm_device_open(test_env(), &cpu, "cpu", &options), DGM_OK);
    CHECK_STATUS(fault_open(&device), DGM_OK);
    CHECK(fault.hits() > 0);
    CHECK_STATUS(dgm_trial_compare(test_env(), cpu, device, DGM_TASK_gemm, 1, &verdict), DGM_OK);
    CHECK(verdict.worst <= DGM_TRIAL_TOLERANCE);
    dgm_device_close(test_env(), device);
    dgm_device_close(test_env(), cpu);
}

TEST(opencl_driver_with_bad_values_is_refused_or_works)
{
    FAULT_BEGIN();
    setenv("DGM_CL_CACHE", "0", 1); /* a binary of products takes PoCL too long */
    check_opening("GetDeviceInfo:1+:0", DGM_UNSUPPORTED, UNTYPED);
    check_opening("GetDeviceInfo:1+:120", DGM_UNSUPPORTED, "older than OpenCL 1.2");
    check_opening("GetDeviceInfo:1+:0:0x1000", DGM_UNSUPPORTED, UNTYPED); /* type */
    check_opening("GetDeviceInfo:1+:0:0x1027", DGM_UNSUPPORTED, "not available");
    check_opening("GetDeviceInfo:1+:120:0x102F", DGM_UNSUPPORTED, "older than OpenCL 1.2");
    check_usable("GetDeviceInfo:1+:0:0x1002"); /* compute units */
    check_usable("GetDeviceInfo:1+:255:0x1002");
    check_usable("GetDeviceInfo:1+:120:0x102B"); /* a name without end */
    check_usable("GetDeviceInfo:1+:0:0x1023");   /* no local memory */
}

/* ---- what fails ----------------------------------------------------------------------------- */

/* Opens a device, computes something there, and closes it, whatever happens between. */
typedef dgm_status compute_fn(double *sum);

static dgm_status one_task(double *sum)
{
    struct dgm_device *device;
    dgm_status status;

    DGM_TRY(fault_open(&device));
    status = fault_compute(device, sum);
    dgm_device_close(test_env(), device);
    return status;
}

static int is_device_check(void)
{
    const char *wish = getenv("DEVICE_CHECK");

    return wish != NULL && wish[0] != '\0';
}

/* ---- memory that comes back ----------------------------------------------------------------- */

/* A driver frees what was released once the queue is through with it: one failure is none. */
TEST(opencl_fault_in_memory_waits_and_tries_again)
{
    static const char *const once[] = { "CreateBuffer:1:-4", "EnqueueFillBuffer:1:-4" };
    struct dgm_buffer *buffer = NULL;
    struct dgm_device *device = NULL;

    FAULT_BEGIN();
    CHECK_STATUS(fault_open(&device), DGM_OK);
    for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
        fault_arm(once[i]);
        CHECK_STATUS(dgm_device_alloc(test_env(), device, &buffer, 64), DGM_OK);
        CHECK_INT(fault.hits(), 1);
        CHECK_INT(test_env()->error.status, DGM_OK);
        dgm_device_release(test_env(), device, buffer);
    }
    fault_arm("CreateBuffer:1+:-4");
    CHECK_STATUS(dgm_device_alloc(test_env(), device, &buffer, 64), DGM_MEMORY);
    CHECK_INT(fault.hits(), 2);
    fault_arm(NULL);
    dgm_env_clear_error(test_env());
    dgm_device_close(test_env(), device);
}

/* Partial results are given room to grow, unless the device has only what they need. */
TEST(opencl_fault_in_memory_takes_no_more_than_needed)
{
    struct dgm_device *device = NULL;
    struct dgm_opencl *opencl;
    struct dgm_ref place;

    FAULT_BEGIN();
    CHECK_STATUS(fault_open(&device), DGM_OK);
    opencl = (struct dgm_opencl *)device;
    CHECK_STATUS(dgm_cl_reserve(test_env(), opencl, &place, 1024), DGM_OK);
    CHECK_INT(dgm_cl_memory_bytes(place.buffer), 1536);
    fault_arm("CreateBuffer:1:-4");
    CHECK_STATUS(dgm_cl_reserve(test_env(), opencl, &place, 2048), DGM_OK);
    CHECK_INT(dgm_cl_memory_bytes(place.buffer), 2048);
    CHECK_INT(test_env()->error.status, DGM_OK);
    fault_arm(NULL);
    dgm_device_close(test_env(), device);
}

/* ---- what waits ----------------------------------------------------------------------------- */

/* A residual connection, y = x + r, which waits for a norm (fuse.h); all zeros. */
static dgm_status begin_residual(struct dgm_device *device, struct dgm_buffer *reals)
{
    const struct dgm_residual_forward_args args = {
        .y = { reals, 0 }, .x = { reals, 64 }, .r = { reals, 128 }, .rows = 1, .dim = 4
    };

    return dgm_device_run(test_env(), device, DGM_TASK_residual_forward, &args);
}

/* A release cannot tell that the task that waited has failed: the next call does, once. */
TEST(opencl_fault_of_a_task_that_waited_is_told_after_a_release)
{
    struct dgm_buffer *reals = NULL, *other = NULL;
    struct dgm_device *device = NULL;
    double sum = 0;

    FAULT_BEGIN();
    CHECK_STATUS(fault_open(&device), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), device, &reals, 192), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), device, &other, 64), DGM_OK);
    CHECK_STATUS(begin_residual(device, reals), DGM_OK);
    fault_arm("EnqueueNDRangeKernel:1:-5");
    dgm_device_release(test_env(), device, other);
    CHECK_INT(fault.hits(), 1);
    CHECK_INT(test_env()->error.status, DGM_OK);
    fault_arm(NULL);
    dgm_device_release(test_env(), device, reals);
    CHECK(device->ops->sync(test_env(), device) != DGM_OK);
    CHECK(strstr(test_env()->error.message, "clEnqueueNDRangeKernel: OUT_OF_RESOURCES") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(device->ops->sync(test_env(), device), DGM_OK);
    CHECK_STATUS(fault_compute(device, &sum), DGM_OK);
    CHECK_NEAR(sum, FAULT_SUM, 1e-6);
    dgm_device_close(test_env(), device);
}

/* A queue that could not be waited for may go on, and read what is staged (here it is through). */
TEST(opencl_fault_in_closing_leaves_what_the_queue_may_read)
{
    const char bytes[64] = "what the next batch holds";
    struct dgm_buffer *buffer = NULL;
    struct dgm_device *device = NULL;
    char *staged;

    FAULT_BEGIN();
    CHECK_STATUS(fault_open(&device), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), device, &buffer, sizeof bytes), DGM_OK);
    const struct dgm_ref to = { buffer, 0 };
    CHECK_STATUS(dgm_device_write(test_env(), device, to, bytes, sizeof bytes), DGM_OK);
    CHECK_STATUS(device->ops->sync(test_env(), device), DGM_OK);
    staged = ((struct dgm_opencl *)device)->stage;
    CHECK(staged != NULL);
    dgm_device_release(test_env(), device, buffer);
    fault_arm("Finish:1:-5");
    dgm_device_close(test_env(), device);
    CHECK_INT(fault.hits(), 1);
    CHECK_MEM(staged, bytes, sizeof bytes);
    free(staged);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Many runs of a whole step: too long for make check. */
#define STEP_BEGIN()                                \
    do {                                            \
        if (!is_device_check())                     \
            TEST_SKIP("make check-device runs it"); \
        FAULT_BEGIN();                              \
    } while (0)

/* One training step. */
static dgm_status whole_step(double *loss)
{
    const struct dgm_model_config config = tiny_config();
    struct dgm_batch batch;
    struct tiny tiny;
    dgm_real *grads = NULL;
    dgm_status status;

    memset(&batch, 0, sizeof batch);
    DGM_TRY_OUT(tiny_open(&tiny, &config, 1));
    DGM_TRY_OUT(tiny_batch(&batch, 5));
    DGM_TRY_OUT(tiny_step(&tiny, &batch, 1, loss));
    grads = tiny_grads(&tiny);
    status = test_env()->error.status;
    if (status == DGM_OK)
        status = tiny.device->ops->sync(test_env(), tiny.device);
out:
    dgm_release(test_env(), grads);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
    return status;
}

/* Fails call n of `name`, for n that grow until there are fewer calls. `clean`: a positive sum. */
static void check_calls(compute_fn *compute, const char *name, int code, double clean)
{
    for (long n = 1;; n += test_is_long() ? 1 : 1 + n) {
        const long live = test_live_blocks();
        char rule[80], call[48];
        double sum = 0;
        dgm_status status;

        snprintf(rule, sizeof rule, "%s:%ld:%d", name, n, code);
        snprintf(call, sizeof call, "cl%s", name);
        fault_arm(rule);
        status = compute(&sum);
        CHECK_INT(test_live_blocks(), live);
        if (fault.hits() == 0) {
            CHECK_STR(n > 1 ? "called" : name, "called");
            return;
        }
        if (status == DGM_OK) { /* maybe by the CPU, for kernels that could not be made */
            CHECK_NEAR(sum, clean, 1e-6 * clean);
            continue;
        }
        CHECK(strstr(test_env()->error.message, name[0] == 'B' ? "does not build" : call) != NULL);
        dgm_env_clear_error(test_env());
    }
}

static void check_entry(compute_fn *compute, const char *name, int code)
{
    double clean = 0, again = 0;

    fault_arm(NULL);
    CHECK_STATUS(compute(&clean), DGM_OK);
    check_calls(compute, name, code, clean);
    fault_arm(NULL);
    CHECK_STATUS(compute(&again), DGM_OK);
    CHECK_NEAR(again, clean, 0);
}

TEST(opencl_fault_in_memory_is_an_error)
{
    STEP_BEGIN();
    check_entry(whole_step, "CreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE);
    check_entry(whole_step, "EnqueueFillBuffer", CL_OUT_OF_RESOURCES);
}

TEST(opencl_fault_in_transfers_is_an_error)
{
    STEP_BEGIN();
    check_entry(whole_step, "EnqueueReadBuffer", CL_OUT_OF_RESOURCES);
    check_entry(whole_step, "EnqueueWriteBuffer", CL_OUT_OF_HOST_MEMORY);
    check_entry(whole_step, "Finish", CL_OUT_OF_RESOURCES);
}

TEST(opencl_fault_in_kernels_is_an_error)
{
    STEP_BEGIN();
    check_entry(whole_step, "CreateKernel", CL_OUT_OF_RESOURCES);
    check_entry(whole_step, "SetKernelArg", CL_INVALID_ARG_SIZE);
    check_entry(whole_step, "EnqueueNDRangeKernel", CL_OUT_OF_RESOURCES);
}

/* The cache on disk makes calls, too; a program that it cannot give is built. */
TEST(opencl_fault_in_programs_is_an_error)
{
    FAULT_BEGIN();
    check_entry(one_task, "CreateProgramWithBinary", CL_INVALID_BINARY);
    check_entry(one_task, "BuildProgram", CL_BUILD_PROGRAM_FAILURE);
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    check_entry(one_task, "GetProgramInfo", CL_OUT_OF_HOST_MEMORY);
    check_entry(one_task, "CreateProgramWithSource", CL_OUT_OF_HOST_MEMORY);
    check_entry(one_task, "BuildProgram", CL_BUILD_PROGRAM_FAILURE);
}
