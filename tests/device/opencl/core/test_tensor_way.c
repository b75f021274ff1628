/*
 * test_tensor_way.c: of the matrix instructions, the first that a driver's compiler takes is used,
 * and named; where it takes none, or none in that precision, the device is refused. The driver is
 * cl_null.c: this needs no device.
 */
#include "config.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include "null_case.h"

/* Opens the device, whose compiler knows `macro` alone, or each instruction if that is NULL. */
static dgm_status open_with(struct dgm_device **device, const char *macro, const char *precision)
{
    if (macro != NULL)
        setenv("CL_NULL_TAKES", macro, 1);
    else
        unsetenv("CL_NULL_TAKES");
    setenv("CL_NULL_PRECISION", precision, 1);
    return null_open(test_env(), device, "mi210");
}

static void check_named(const char *macro, const char *precision, const char *want)
{
    char words[DGM_EXPLAIN_SIZE];
    struct dgm_device *device;

    CHECK_STATUS(open_with(&device, macro, precision), DGM_OK);
    CHECK(device->ops->explain(test_env(), device, DGM_TASK_gemm, words));
    CHECK_STR(words, want);
    dgm_device_close(test_env(), device);
}

static void check_refused(const char *macro, const char *precision, const char *want)
{
    struct dgm_device *device;

    CHECK_STATUS(open_with(&device, macro, precision), DGM_UNSUPPORTED);
    CHECK(strstr(test_env()->error.message, want) != NULL);
    dgm_env_clear_error(test_env());
}

TEST(tensor_way_is_the_first_that_compiles)
{
    const char *reason = null_begin();

    if (reason != NULL)
        TEST_SKIP(reason);
    unsetenv("DGM_CL_TENSOR");
    check_named(NULL, "bf16", "it has not been tried; bf16 by mma");
    check_named("TENSOR_MFMA", "bf16", "it has not been tried; bf16 by mfma");
    check_named("TENSOR_WMMA", "bf16", "it has not been tried; bf16 by wmma");
    check_named("TENSOR_XMX16", "bf16", "it has not been tried; bf16 by xmx16");
    check_named("TENSOR_XMX8", "bf16", "it has not been tried; bf16 by xmx8");
    check_named(NULL, "tf32", "it has not been tried; tf32 by mma");
    check_refused("nothing", "bf16", "has no matrix products in bf16: its driver compiles no");
    check_refused("TENSOR_MFMA", "tf32", "has no matrix products in tf32: its driver compiles no");
}

/* An emulated one is the only one that is tried. */
TEST(tensor_way_is_emulated_by_name)
{
    const char *reason = null_begin();

    if (reason != NULL)
        TEST_SKIP(reason);
    setenv("DGM_CL_TENSOR", "emulated-xmx8", 1);
    check_named(NULL, "bf16", "it has not been tried; bf16 by xmx8, emulated");
    check_refused(NULL, "tf32", "has no matrix products in tf32: ");
    setenv("DGM_CL_TENSOR", "emulated-xmx", 1); /* no such instruction: none is emulated */
    check_named(NULL, "bf16", "it has not been tried; bf16 by mma");
}
#else
TEST(tensor_way_is_the_first_that_compiles)
{
    TEST_SKIP("this build has no OpenCL");
}

TEST(tensor_way_is_emulated_by_name)
{
    TEST_SKIP("this build has no OpenCL");
}
#endif
