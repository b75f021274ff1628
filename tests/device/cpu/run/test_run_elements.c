/*
 * test_run_elements.c: the task that adds probabilities given by their logarithms.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "device/task.h"
#include "open_device.h"
#include "test.h"

enum { COUNT = 20011, SPECIALS = 5 };

struct operands {
    dgm_real y[COUNT], x[COUNT], sum[COUNT];
};

static void fill(struct operands *o)
{
    const double specials[SPECIALS][2] = {
        { 0, 0 },
        { -(double)INFINITY, -3 },
        { -3, -(double)INFINITY },
        { -(double)INFINITY, -(double)INFINITY },
        { -1e30, -2 },
    };
    struct dgm_random random;
    int i;

    dgm_random_init(&random, 9, 0, 0, 0);
    for (i = 0; i < COUNT; i++) {
        o->y[i] = (dgm_real)(-30 * dgm_random_unit(&random));
        o->x[i] = (dgm_real)(-30 * dgm_random_unit(&random));
    }
    for (i = 0; i < SPECIALS; i++) {
        o->y[i] = (dgm_real)specials[i][0];
        o->x[i] = (dgm_real)specials[i][1];
    }
}

static dgm_status add_on_device(struct operands *o)
{
    struct dgm_log_add_args args;
    struct dgm_device *device;
    struct dgm_buffer *buffer = NULL;
    dgm_status status;

    DGM_TRY(open_device(test_env(), &device, 2));
    DGM_TRY_OUT(dgm_device_alloc(test_env(), device, &buffer, 2 * sizeof o->y));
    memset(&args, 0, sizeof args);
    args.y.buffer = args.x.buffer = buffer;
    args.x.offset = sizeof o->y;
    args.count = COUNT;
    DGM_TRY_OUT(dgm_device_write(test_env(), device, args.y, o->y, sizeof o->y));
    DGM_TRY_OUT(dgm_device_write(test_env(), device, args.x, o->x, sizeof o->x));
    DGM_TRY_OUT(dgm_device_run(test_env(), device, DGM_TASK_log_add, &args));
    status = dgm_device_read(test_env(), device, o->sum, args.y, sizeof o->sum);
out:
    dgm_device_release(test_env(), device, buffer);
    dgm_device_close(test_env(), device);
    return status;
}

TEST(log_add_sums_probabilities)
{
    struct operands *o = dgm_alloc(test_env(), 1, sizeof *o);
    int i;

    CHECK(o != NULL);
    fill(o);
    CHECK_STATUS(add_on_device(o), DGM_OK);
    CHECK_NEAR(o->sum[0], log(2), 1e-6);
    CHECK(o->sum[1] == -3);
    CHECK(o->sum[2] == -3);
    CHECK(o->sum[3] < 0 && o->sum[3] - o->sum[3] != 0); /* minus infinity: still impossible */
    CHECK(o->sum[4] == -2);
    for (i = SPECIALS; i < COUNT; i++)
        CHECK_NEAR(o->sum[i], log(exp((double)o->y[i]) + exp((double)o->x[i])), 4e-6);
    dgm_release(test_env(), o);
}

TEST(log_add_keeps_not_a_number)
{
    struct operands *o = dgm_alloc(test_env(), 1, sizeof *o);

    CHECK(o != NULL);
    fill(o);
    o->y[7] = (dgm_real)NAN;
    o->x[300] = (dgm_real)NAN;
    CHECK_STATUS(add_on_device(o), DGM_OK);
    CHECK(o->sum[7] != o->sum[7]);
    CHECK(o->sum[300] != o->sum[300]);
    CHECK(o->sum[301] == o->sum[301]);
    dgm_release(test_env(), o);
}
