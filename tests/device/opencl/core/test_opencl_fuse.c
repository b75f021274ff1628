/*
 * test_opencl_fuse.c: a residual connection and its norm run as one task on an OpenCL device where
 * their memory allows it, and give what they give one after the other on the CPU.
 */
#include "config.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include <stdio.h>
#include <string.h>

#include "base/philox.h"
#include "device/opencl/core/opencl.h"
#include "opencl_case.h"

enum { ROWS = 37, DIM = 70, COUNT = ROWS * DIM, ROOM = 9 * COUNT };

/* Where operands lie, in reals from the beginning of one buffer. */
struct places {
    const char *name;
    int64_t first_in, second_in, between, out; /* backward: dy, x, dx, dr; forward: x, r, h, y */
    int launches;                              /* of a fused forward pass; one more backward */
};

enum { STATS = 5 * COUNT, GAIN = 6 * COUNT, BIAS = 6 * COUNT + DIM, SUMS = 7 * COUNT };

static const struct places all_places[] = {
    { "apart", 0, COUNT, 2 * COUNT, 3 * COUNT, 1 },
    { "the sum on its second term", 0, COUNT, COUNT, 3 * COUNT, 1 },
    { "the result on the first operand", 0, COUNT, 2 * COUNT, 0, 1 },
    { "the result on a part of the first operand", 0, COUNT + DIM, 3 * COUNT, DIM, 2 },
    { "the result on a part of the second operand", 0, COUNT, 3 * COUNT, COUNT + 3 * DIM, 2 },
};

/* A device with a buffer of noise, and places of dropout. */
struct rig {
    struct dgm_device *device;
    struct dgm_buffer *reals, *places;
};

static dgm_status open_rig(struct rig *rig, struct dgm_device *device)
{
    static dgm_real noise[ROOM];
    static int32_t places[2 * ROWS];
    struct dgm_random random;
    struct dgm_ref at = { NULL, 0 };

    dgm_random_init(&random, 3, 5, 0, 0);
    for (int i = 0; i < ROOM; i++)
        noise[i] = (dgm_real)(0.5 + 0.1 * dgm_random_normal(&random));
    for (int i = 0; i < 2 * ROWS; i++)
        places[i] = i / 2;
    memset(rig, 0, sizeof *rig);
    rig->device = device;
    DGM_TRY(dgm_device_alloc(test_env(), device, &rig->reals, sizeof noise));
    DGM_TRY(dgm_device_alloc(test_env(), device, &rig->places, sizeof places));
    at.buffer = rig->reals;
    DGM_TRY(dgm_device_write(test_env(), device, at, noise, sizeof noise));
    at.buffer = rig->places;
    return dgm_device_write(test_env(), device, at, places, sizeof places);
}

static void close_rig(struct rig *rig)
{
    dgm_device_release(test_env(), rig->device, rig->reals);
    dgm_device_release(test_env(), rig->device, rig->places);
}

static struct dgm_ref at(const struct rig *rig, int64_t reals)
{
    const struct dgm_ref ref = { rig->reals, (size_t)reals * sizeof(dgm_real) };

    return ref;
}

static struct dgm_drop some_drop(void)
{
    const struct dgm_drop drop = { .rate = (dgm_real)0.3, .stream = 4, .key = { 1, 2 } };

    return drop;
}

static dgm_status run_forward(const struct rig *rig, const struct places *p)
{
    const struct dgm_residual_forward_args residual = { .y = at(rig, p->between),
                                                        .x = at(rig, p->first_in),
                                                        .r = at(rig, p->second_in),
                                                        .places = { rig->places, 0 },
                                                        .rows = ROWS,
                                                        .dim = DIM,
                                                        .drop = some_drop() };
    const struct dgm_norm_forward_args norm = { .y = at(rig, p->out),
                                                .stats = at(rig, STATS),
                                                .x = at(rig, p->between),
                                                .gain = at(rig, GAIN),
                                                .bias = at(rig, BIAS),
                                                .rows = ROWS,
                                                .dim = DIM,
                                                .eps = (dgm_real)1e-5 };

    DGM_TRY(dgm_device_run(test_env(), rig->device, DGM_TASK_residual_forward, &residual));
    return dgm_device_run(test_env(), rig->device, DGM_TASK_norm_forward, &norm);
}

static dgm_status run_backward(const struct rig *rig, const struct places *p)
{
    const struct dgm_norm_backward_args norm = { .dx = at(rig, p->between),
                                                 .dgain = at(rig, SUMS),
                                                 .dbias = at(rig, SUMS + DIM),
                                                 .dy = at(rig, p->first_in),
                                                 .x = at(rig, p->second_in),
                                                 .stats = at(rig, STATS),
                                                 .gain = at(rig, GAIN),
                                                 .rows = ROWS,
                                                 .dim = DIM };
    const struct dgm_residual_backward_args residual = { .dr = at(rig, p->out),
                                                         .dy = at(rig, p->between),
                                                         .places = { rig->places, 0 },
                                                         .rows = ROWS,
                                                         .dim = DIM,
                                                         .drop = some_drop() };

    DGM_TRY(dgm_device_run(test_env(), rig->device, DGM_TASK_norm_backward, &norm));
    return dgm_device_run(test_env(), rig->device, DGM_TASK_residual_backward, &residual);
}

/* Three norms with the same parameters, then a copy of the gradients, which must be all there. */
static dgm_status run_norms(const struct rig *rig, const struct places *p)
{
    struct dgm_norm_backward_args norm = { .dx = at(rig, p->between),
                                           .dgain = at(rig, SUMS),
                                           .dbias = at(rig, SUMS + DIM),
                                           .dy = at(rig, p->first_in),
                                           .x = at(rig, p->second_in),
                                           .stats = at(rig, STATS),
                                           .gain = at(rig, GAIN),
                                           .rows = ROWS,
                                           .dim = DIM };
    const struct dgm_axpby_args copy = {
        .y = at(rig, p->out), .x = at(rig, SUMS), .count = 2 * DIM, .a = 1, .b = 1
    };

    for (int i = 0; i < 3; i++) {
        DGM_TRY(dgm_device_run(test_env(), rig->device, DGM_TASK_norm_backward, &norm));
        norm.dy = at(rig, p->first_in + DIM);
    }
    return dgm_device_run(test_env(), rig->device, DGM_TASK_axpby, &copy);
}

typedef dgm_status pass_fn(const struct rig *rig, const struct places *places);

/* The whole buffer after a pass; *launches of kernels on an OpenCL device. */
static dgm_status run_pass(struct dgm_device *device, pass_fn *pass, const struct places *places,
                           dgm_real *after, uint64_t *launches)
{
    const struct dgm_opencl *opencl = (const struct dgm_opencl *)device;
    const struct dgm_ref start = { NULL, 0 };
    struct dgm_ref all = start;
    struct rig rig;
    dgm_status status;

    DGM_TRY_OUT(open_rig(&rig, device));
    if (launches != NULL)
        *launches = opencl->launches;
    DGM_TRY_OUT(pass(&rig, places));
    all.buffer = rig.reals;
    status = dgm_device_read(test_env(), device, after, all, ROOM * sizeof *after);
    if (launches != NULL)
        *launches = opencl->launches - *launches;
out:
    close_rig(&rig);
    return status;
}

static void check_pass(struct dgm_device *cpu, struct dgm_device *device, pass_fn *pass,
                       const struct places *places, int extra)
{
    static dgm_real want[ROOM], got[ROOM];
    uint64_t launches;

    CHECK_STATUS(run_pass(cpu, pass, places, want, NULL), DGM_OK);
    CHECK_STATUS(run_pass(device, pass, places, got, &launches), DGM_OK);
    for (int i = 0; i < ROOM && !test_has_failed(); i++)
        CHECK_NEAR(got[i], want[i], 1e-4);
    if (test_has_failed())
        printf("%s\n", places->name);
    CHECK_INT(launches, places->launches + extra);
}

static void check_shape(const char *shape)
{
    const struct dgm_device_options options = { 1, NULL, NULL, NULL, NULL };
    struct dgm_device *cpu, *device;

    setenv("DGM_CL_SHAPE", shape, 1);
    OPENCL_OPEN(&device);
    CHECK_STATUS(dgm_device_open(test_env(), &cpu, "cpu", &options), DGM_OK);
    for (size_t i = 0; i < sizeof all_places / sizeof *all_places; i++) {
        check_pass(cpu, device, run_forward, &all_places[i], 0);
        if (all_places[i].between != all_places[i].second_in) /* dx is not x */
            check_pass(cpu, device, run_backward, &all_places[i], 1);
    }
    check_pass(cpu, device, run_norms, &all_places[0], 4); /* a launch each, sums, and the copy */
    dgm_device_close(test_env(), cpu);
    dgm_device_close(test_env(), device);
}

TEST(opencl_fuse_of_a_residual_and_its_norm)
{
    check_shape("16x1");
}

TEST(opencl_fuse_of_a_residual_and_its_norm_in_groups)
{
    check_shape("1x64");
}

/* What was asked for before memory is read, written or released has happened by then. */
TEST(opencl_fuse_leaves_nothing_waiting)
{
    dgm_real before[COUNT], after[COUNT];
    struct dgm_device *device;
    struct rig rig;

    OPENCL_OPEN(&device);
    CHECK_STATUS(open_rig(&rig, device), DGM_OK);
    const struct dgm_residual_forward_args residual = { .y = at(&rig, 0),
                                                        .r = at(&rig, COUNT),
                                                        .places = { rig.places, 0 },
                                                        .rows = ROWS,
                                                        .dim = DIM };
    CHECK_STATUS(dgm_device_run(test_env(), device, DGM_TASK_residual_forward, &residual), DGM_OK);
    memset(before, 0, sizeof before);
    CHECK_STATUS(dgm_device_read(test_env(), device, before, at(&rig, COUNT), sizeof before),
                 DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), device, after, at(&rig, 0), sizeof after), DGM_OK);
    CHECK_MEM(after, before, sizeof before);
    memset(before, 0, sizeof before);
    CHECK_STATUS(dgm_device_run(test_env(), device, DGM_TASK_residual_forward, &residual), DGM_OK);
    CHECK_STATUS(dgm_device_write(test_env(), device, at(&rig, COUNT), before, sizeof before),
                 DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), device, before, at(&rig, 0), sizeof before), DGM_OK);
    CHECK_MEM(before, after, sizeof before);
    CHECK_STATUS(dgm_device_run(test_env(), device, DGM_TASK_residual_forward, &residual), DGM_OK);
    close_rig(&rig);
    dgm_device_close(test_env(), device);
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_fuse_of_a_residual_and_its_norm)
NEEDS_OPENCL(opencl_fuse_of_a_residual_and_its_norm_in_groups)
NEEDS_OPENCL(opencl_fuse_leaves_nothing_waiting)
#endif
