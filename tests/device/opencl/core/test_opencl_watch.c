/*
 * test_opencl_watch.c: a driver whose compiler takes for ever: what needs the program runs on the
 * CPU, and one line says so; a stop is heard meanwhile. The driver computes nothing (cl_null.c).
 */
#include "null_case.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/opencl.h"
#include "device/opencl/core/self_test.h"

static char logged[4096];
static int lines, waits, polls;
static dgm_status answer;

static void keep_log(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    lines++;
    snprintf(logged + strlen(logged), sizeof logged - strlen(logged), "%s\n", text);
}

static void count_wait(void *user, const char *text)
{
    (void)user;
    printf("%s\n", text != NULL ? text : "over");
    waits += text != NULL;
}

static dgm_status count_poll(struct dgm_env *env, void *user)
{
    (void)user;
    polls++;
    return polls >= 3 && answer != DGM_OK ? dgm_fail(env, answer, "stopped") : DGM_OK;
}

/* y (4) = 2 x + y of ones, and then y = 1; the driver itself would leave zeros. */
static dgm_status compute(struct dgm_device *device, dgm_real *first)
{
    const dgm_real ones[4] = { 1, 1, 1, 1 };
    struct dgm_buffer *buffer = NULL;
    struct dgm_axpby_args args;
    dgm_status status;

    memset(&args, 0, sizeof args);
    DGM_TRY_OUT(dgm_device_alloc(test_env(), device, &buffer, 64));
    args.x.buffer = args.y.buffer = buffer;
    args.a = args.b = 1;
    args.count = 4;
    DGM_TRY_OUT(dgm_device_write(test_env(), device, args.x, ones, sizeof ones));
    DGM_TRY_OUT(dgm_device_run(test_env(), device, DGM_TASK_axpby, &args));
    DGM_TRY_OUT(dgm_device_read(test_env(), device, first, args.y, sizeof *first));
out:
    dgm_device_release(test_env(), device, buffer);
    return status;
}

/* NULL, or why there is no such driver. */
static const char *begin(const char *slow, const char *limit)
{
    const char *reason = null_begin();

    setenv("CL_NULL_SLOW", slow, 1);
    setenv("DGM_CL_COMPILE_LIMIT", limit, 1);
    logged[0] = '\0';
    lines = waits = polls = 0;
    answer = DGM_OK;
    test_env()->log = keep_log;
    test_env()->log_level = DGM_LOG_NOTE;
    test_env()->wait = count_wait;
    test_env()->poll = count_poll;
    return reason;
}

#define BEGIN(slow, limit)                        \
    do {                                          \
        const char *reason_ = begin(slow, limit); \
                                                  \
        if (reason_ != NULL)                      \
            TEST_SKIP(reason_);                   \
    } while (0)

/* What the driver reads is zeros, so the sum is 0 wherever it is made; that it is made at all is
 * what counts. */
TEST(opencl_watch_gives_up_a_program)
{
    struct dgm_device *device = NULL;
    dgm_real first = 7;

    BEGIN("build:void axpby(", "2");
    CHECK_STATUS(null_open(test_env(), &device, "h100"), DGM_OK);
    CHECK_STATUS(compute(device, &first), DGM_OK);
    CHECK_STATUS(compute(device, &first), DGM_OK); /* at once */
    CHECK_NEAR((double)first, 0, 0);
    CHECK(waits > 0);
    CHECK_INT(lines, 1);
    CHECK(strstr(logged,
                 "has not compiled opencl/elements.cl in 2 s: what needs it runs on the CPU") !=
          NULL);
    CHECK_INT(device->ops->supports(device, DGM_TASK_axpby, NULL), 0);
    dgm_device_close(test_env(), device);
}

/* A trial of a task of the same program finds it given up, and says nothing more. */
TEST(opencl_watch_tells_once_of_a_family)
{
    struct dgm_device *device = NULL;
    char words[DGM_EXPLAIN_SIZE];
    dgm_real first = 7;

    BEGIN("build:void axpby(", "1");
    setenv("DGM_CL_TRUST", "1", 1);
    setenv("XDG_CACHE_HOME", test_dir(), 1);
    CHECK_STATUS(null_open(test_env(), &device, "h100"), DGM_OK);
    CHECK_STATUS(compute(device, &first), DGM_OK);
    CHECK_INT(device->ops->explain(test_env(), device, DGM_TASK_fill, words), 0);
    CHECK(strstr(words, "takes too long to compile") != NULL);
    CHECK_INT(lines, 1);
    dgm_device_close(test_env(), device);
    setenv("DGM_CL_TRUST", "0", 1);
}

TEST(opencl_watch_hears_a_stop)
{
    static const char *const slow[] = { "build:void axpby(", "launch:axpby", "enqueue:axpby" };
    dgm_real first = 7;

    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        for (int trust = 0; trust < 2; trust++) {
            struct dgm_device *device = NULL;
            int has_left = 0;

            BEGIN(slow[i], "0");
            setenv("DGM_CL_TRUST", trust ? "1" : "0", 1);
            setenv("XDG_CACHE_HOME", test_dir(), 1);
            test_env()->has_left = &has_left;
            answer = DGM_INTERRUPTED;
            CHECK_STATUS(null_open(test_env(), &device, "h100"), DGM_OK);
            CHECK_STATUS(compute(device, &first), DGM_INTERRUPTED);
            CHECK_STR(test_env()->error.message, "stopped");
            CHECK_INT(has_left, 1);
            CHECK_STR(logged, "");
            dgm_env_clear_error(test_env());
            dgm_device_close(test_env(), device);
            test_env()->has_left = NULL;
        }
    setenv("DGM_CL_TRUST", "0", 1);
}

/* Another form of the same kernel: its trial does not launch it again, nor does a run without. */
static void check_given_up(struct dgm_device *device)
{
    struct dgm_opencl *opencl = (struct dgm_opencl *)(void *)device;
    dgm_real first = 7;

    for (int trust = DGM_CL_UNTRIED; trust <= DGM_CL_TRUSTED; trust++) {
        logged[0] = '\0';
        opencl->trust[DGM_TASK_axpby] = (unsigned char)trust;
        CHECK_STATUS(compute(device, &first), DGM_OK);
        CHECK(strstr(logged, "kernel axpby takes too long to compile") != NULL);
    }
}

/* A kernel that does not begin, in its trial: the queue behind it is another one. */
TEST(opencl_watch_gives_up_a_launch_on_trial)
{
    static const char *const slow[] = { "launch:axpby", "enqueue:axpby" };
    dgm_real first = 7;

    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        struct dgm_device *device = NULL;

        BEGIN(slow[i], "1");
        setenv("DGM_CL_TRUST", "1", 1);
        setenv("XDG_CACHE_HOME", test_dir(), 1);
        CHECK_STATUS(null_open(test_env(), &device, "h100"), DGM_OK);
        null_driver.forget();
        CHECK_STATUS(compute(device, &first), DGM_OK);
        CHECK_INT(null_driver.count("released"), 0); /* what was left may use them */
        CHECK_INT(lines, 1);
        CHECK(strstr(logged, "task axpby runs on the CPU: it cannot be tried: ") != NULL);
        CHECK(strstr(logged, "not done in 1 s (DGM_CL_COMPILE_LIMIT)") != NULL);
        check_given_up(device);
        dgm_device_close(test_env(), device);
    }
    setenv("DGM_CL_TRUST", "0", 1);
}

/* Where the driver makes no other queue in place of the one that hangs, the next call says so. */
TEST(opencl_watch_tells_that_no_queue_is_left)
{
    struct dgm_device *device = NULL;
    dgm_real first = 7;

    BEGIN("launch:axpby", "1");
    setenv("DGM_CL_TRUST", "1", 1);
    setenv("XDG_CACHE_HOME", test_dir(), 1);
    setenv("CL_NULL_QUEUES", "1", 1);
    CHECK_STATUS(null_open(test_env(), &device, "h100"), DGM_OK);
    CHECK_STATUS(compute(device, &first), DGM_MEMORY);
    CHECK(strstr(test_env()->error.message, "clCreateCommandQueue: OUT_OF_HOST_MEMORY") != NULL);
    dgm_env_clear_error(test_env());
    dgm_device_close(test_env(), device);
    unsetenv("CL_NULL_QUEUES");
    setenv("DGM_CL_TRUST", "0", 1);
}

/* Whoever has asked fails for a reason of its own: that is no verdict on the task. */
TEST(opencl_watch_keeps_a_failure_of_who_asks)
{
    struct dgm_device *device = NULL;
    dgm_real first = 7;

    BEGIN("launch:axpby", "0");
    setenv("DGM_CL_TRUST", "1", 1);
    setenv("XDG_CACHE_HOME", test_dir(), 1);
    answer = DGM_DATA;
    CHECK_STATUS(null_open(test_env(), &device, "h100"), DGM_OK);
    CHECK_STATUS(compute(device, &first), DGM_DATA);
    CHECK_STR(test_env()->error.message, "stopped");
    CHECK_STR(logged, "");
    CHECK_INT(((struct dgm_opencl *)(void *)device)->trust[DGM_TASK_axpby], DGM_CL_UNTRIED);
    dgm_env_clear_error(test_env());
    dgm_device_close(test_env(), device);
    setenv("DGM_CL_TRUST", "0", 1);
}

/* Matrix products whose program takes too long have that as the reason, not what comes after. */
TEST(opencl_watch_names_the_limit_of_tensor_cores)
{
    const struct dgm_device_options options = { 1, NULL, "null", "own", "bf16" };
    struct dgm_device *device = NULL;

    BEGIN("build:gemm_bf16_128", "1");
    setenv("CL_NULL_DEVICE", "h100", 1);
    CHECK_STATUS(dgm_device_open(test_env(), &device, "opencl", &options), DGM_UNSUPPORTED);
    CHECK(strstr(test_env()->error.message, "has no matrix products in bf16: its driver has not "
                                            "compiled them in 1 s (DGM_CL_COMPILE_LIMIT") != NULL);
    dgm_env_clear_error(test_env());
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_watch_gives_up_a_program)
NEEDS_OPENCL(opencl_watch_tells_once_of_a_family)
NEEDS_OPENCL(opencl_watch_hears_a_stop)
NEEDS_OPENCL(opencl_watch_gives_up_a_launch_on_trial)
NEEDS_OPENCL(opencl_watch_tells_that_no_queue_is_left)
NEEDS_OPENCL(opencl_watch_keeps_a_failure_of_who_asks)
NEEDS_OPENCL(opencl_watch_names_the_limit_of_tensor_cores)
#endif
