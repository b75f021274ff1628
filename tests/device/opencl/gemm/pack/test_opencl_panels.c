/*
 * test_opencl_panels.c: panels of weights are given back to a buffer that finds no memory beside
 * them. Drivers for processors alone keep some.
 */
#include "fault_case.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/opencl.h"

/* y (1,COLS) = x (1,STEPS) weights (STEPS,COLS), all of them 1. */
enum { STEPS = 8, COLS = 16 };

static struct dgm_device *device;
static struct dgm_ref weights, x, y;

static dgm_status make(struct dgm_ref *ref, size_t count)
{
    dgm_real ones[STEPS * COLS];

    for (size_t i = 0; i < count; i++)
        ones[i] = 1;
    DGM_TRY(dgm_device_alloc(test_env(), device, &ref->buffer, count * sizeof *ones));
    return dgm_device_write(test_env(), device, *ref, ones, count * sizeof *ones);
}

static dgm_status begin(void)
{
    DGM_TRY(fault_open(&device));
    DGM_TRY(make(&weights, STEPS * COLS));
    DGM_TRY(make(&x, STEPS));
    DGM_TRY(make(&y, COLS));
    if (device->ops->keep != NULL)
        device->ops->keep(test_env(), device, weights.buffer);
    return DGM_OK;
}

static void end(void)
{
    dgm_device_release(test_env(), device, weights.buffer);
    dgm_device_release(test_env(), device, x.buffer);
    dgm_device_release(test_env(), device, y.buffer);
    dgm_device_close(test_env(), device);
}

/* *sum: of y. */
static dgm_status multiply(double *sum)
{
    const struct dgm_gemm_args args = { .c = y,
                                        .a = x,
                                        .b = weights,
                                        .form = DGM_NN,
                                        .m = 1,
                                        .n = COLS,
                                        .k = STEPS,
                                        .lda = STEPS,
                                        .ldb = COLS,
                                        .ldc = COLS,
                                        .batch = 1,
                                        .alpha = 1 };
    dgm_real result[COLS];

    DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gemm, &args));
    DGM_TRY(dgm_device_read(test_env(), device, result, y, sizeof result));
    *sum = 0;
    for (int i = 0; i < COLS; i++)
        *sum += (double)result[i];
    return DGM_OK;
}

static const struct dgm_opencl *state(void)
{
    return (const struct dgm_opencl *)device;
}

TEST(opencl_panels_are_given_back_to_a_buffer_that_finds_no_room)
{
    struct dgm_buffer *other = NULL;
    double sum;

    FAULT_BEGIN();
    setenv("DGM_CL_CACHE", "0", 1); /* a binary of products takes PoCL too long */
    CHECK_STATUS(begin(), DGM_OK);
    if (state()->kept == NULL)
        TEST_SKIP("this device keeps no panels");
    CHECK_STATUS(multiply(&sum), DGM_OK);
    CHECK_INT(state()->kept_count, 1);
    fault_arm("CreateBuffer:1:-4");
    CHECK_STATUS(dgm_device_alloc(test_env(), device, &other, 4096), DGM_OK);
    CHECK_INT(fault.hits(), 1);
    CHECK_INT(state()->kept_count, 0);
    CHECK(state()->kept_bytes == 0);
    CHECK_STATUS(multiply(&sum), DGM_OK); /* without panels, which would take the room again */
    CHECK_NEAR(sum, STEPS * COLS, 0);
    CHECK_INT(state()->kept_count, 0);
    dgm_device_release(test_env(), device, other);
    end();
}

/* Copies never take the place of one another; and a driver that has no memory at all is an
 * error. */
TEST(opencl_panels_that_find_no_room_are_none)
{
    struct dgm_buffer *other = NULL;
    double sum;

    FAULT_BEGIN();
    setenv("DGM_CL_CACHE", "0", 1);
    CHECK_STATUS(begin(), DGM_OK);
    if (state()->kept == NULL)
        TEST_SKIP("this device keeps no panels");
    fault_arm("CreateBuffer:1:-4");
    CHECK_STATUS(multiply(&sum), DGM_OK);
    CHECK_INT(fault.hits(), 1);
    CHECK_NEAR(sum, STEPS * COLS, 0);
    CHECK_INT(state()->kept_count, 0);
    fault_arm(NULL);
    CHECK_STATUS(multiply(&sum), DGM_OK);
    CHECK_NEAR(sum, STEPS * COLS, 0);
    CHECK_INT(state()->kept_count, 1);
    fault_arm("CreateBuffer:1+:-4");
    CHECK_STATUS(dgm_device_alloc(test_env(), device, &other, 4096), DGM_MEMORY);
    CHECK_INT(fault.hits(), 2);
    CHECK(strstr(test_env()->error.message, "memory is too small") != NULL);
    dgm_env_clear_error(test_env());
    fault_arm(NULL);
    CHECK_STATUS(multiply(&sum), DGM_OK);
    CHECK_NEAR(sum, STEPS * COLS, 0);
    end();
}
#else
TEST(opencl_panels_are_given_back_to_a_buffer_that_finds_no_room)
{
    TEST_SKIP("this build has no OpenCL");
}

TEST(opencl_panels_that_find_no_room_are_none)
{
    TEST_SKIP("this build has no OpenCL");
}
#endif
