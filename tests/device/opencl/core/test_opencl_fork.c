/*
 * test_opencl_fork.c: an OpenCL device in a forked child is refused, and its release asks nothing
 * of the driver, which computes nothing (cl_null.c).
 */
#include "fork_case.h"
#include "null_case.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/opencl.h"

struct work {
    struct dgm_device *device;
    struct dgm_buffer *buffer;
    int more; /* tasks that are asked for before the fork */
};

static dgm_status compute(const struct work *work)
{
    struct dgm_axpby_args args;

    memset(&args, 0, sizeof args);
    args.x.buffer = args.y.buffer = work->buffer;
    args.a = args.b = 1;
    args.count = 4;
    return dgm_device_run(test_env(), work->device, DGM_TASK_axpby, &args);
}

static dgm_status write_ones(const struct work *work)
{
    const struct dgm_ref all = { work->buffer, 0 };
    const dgm_real ones[4] = { 1, 1, 1, 1 };

    return dgm_device_write(test_env(), work->device, all, ones, sizeof ones);
}

static dgm_status read_first(const struct work *work)
{
    const struct dgm_ref all = { work->buffer, 0 };
    dgm_real first;

    return dgm_device_read(test_env(), work->device, &first, all, sizeof first);
}

static int is_refused(dgm_status status)
{
    char from[80];
    const int is_right =
        status == DGM_UNSUPPORTED &&
        (snprintf(from, sizeof from, "by process %ld, from which this one was forked",
                  (long)getppid()),
         strstr(test_env()->error.message, from) != NULL) &&
        strstr(test_env()->error.message, "expected --devices cpu") != NULL;

    if (!is_right)
        printf("%s: %s\n", dgm_status_name(status), test_env()->error.message);
    dgm_env_clear_error(test_env());
    return is_right;
}

/* A call of the driver would be one of NULL. */
static int use_and_close(void *user)
{
    struct work *work = user;
    struct dgm_device *device = work->device, *other = NULL;
    struct dgm_buffer *more = NULL;
    const long live = test_live_blocks();
    char words[DGM_EXPLAIN_SIZE];

    memset(&((struct dgm_opencl *)device)->cl, 0, sizeof(struct dgm_cl));
    if (work->more < 2 &&
        (!is_refused(dgm_device_alloc(test_env(), device, &more, 64)) ||
         !is_refused(write_ones(work)) || !is_refused(compute(work)) ||
         !is_refused(read_first(work)) || !is_refused(dgm_device_flush(test_env(), device)) ||
         !is_refused(device->ops->sync(test_env(), device)) ||
         device->ops->explain(test_env(), device, DGM_TASK_gemm, words) ||
         strstr(words, "forked") == NULL || !is_refused(null_open(test_env(), &other, "h100"))))
        return 1;
    dgm_device_release(test_env(), device, work->buffer);
    dgm_device_close(test_env(), device);
    return test_live_blocks() >= live;
}

/* With nothing asked for yet, with a task and a write that nobody has waited for, and freed at
 * once. */
TEST(opencl_device_is_refused_in_a_forked_child)
{
    struct work work = { NULL, NULL, 0 };
    const char *reason = null_begin();

    if (reason != NULL)
        TEST_SKIP(reason);
    for (work.more = 0; work.more < 3; work.more++) {
        CHECK_STATUS(null_open(test_env(), &work.device, "h100"), DGM_OK);
        CHECK_STATUS(dgm_device_alloc(test_env(), work.device, &work.buffer, 64), DGM_OK);
        for (int i = 0; i < work.more; i++) {
            CHECK_STATUS(write_ones(&work), DGM_OK);
            CHECK_STATUS(compute(&work), DGM_OK);
        }
        CHECK_INT(fork_and_run(use_and_close, &work), 0);
        CHECK_STATUS(compute(&work), DGM_OK);
        CHECK_STATUS(read_first(&work), DGM_OK);
        dgm_device_release(test_env(), work.device, work.buffer);
        dgm_device_close(test_env(), work.device);
    }
}

/* The parent has not asked for OpenCL. */
static int open_in_child(void *user)
{
    struct dgm_device *device = NULL;

    (void)user;
    if (null_open(test_env(), &device, "h100") != DGM_OK)
        return 1;
    dgm_device_close(test_env(), device);
    return 0;
}

TEST(opencl_device_opens_in_a_child_that_is_the_first_to_ask)
{
    const char *reason = null_begin();

    if (reason != NULL)
        TEST_SKIP(reason);
    CHECK_INT(fork_and_run(open_in_child, NULL), 0);
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_device_is_refused_in_a_forked_child)
NEEDS_OPENCL(opencl_device_opens_in_a_child_that_is_the_first_to_ask)
#endif
