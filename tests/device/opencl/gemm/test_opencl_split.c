/*
 * test_opencl_split.c: products whose sums are split into blocks have the bits of those that are
 * not, whatever their shape and options; which products are split follows from shapes and from the
 * device alone. Skipped without an OpenCL device.
 */
#include <string.h>

#include "base/philox.h"
#include "config.h"
#include "opencl_case.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/opencl.h"
#include "device/opencl/core/self_test.h"
#include "device/opencl/gemm/gemm_split.h"
#include "device/trial/trial.h"

/* ---- which are split ------------------------------------------------------------------------- */

static struct dgm_gemm_args gradient(int64_t m, int64_t n, int64_t k)
{
    struct dgm_gemm_args args;

    memset(&args, 0, sizeof args);
    args.form = DGM_TN;
    args.m = args.lda = m;
    args.n = args.ldb = args.ldc = n;
    args.k = k;
    args.batch = 1;
    args.alpha = args.beta = 1;
    return args;
}

/* An H100, as far as its products go. */
static void make_device(struct dgm_opencl *opencl)
{
    memset(opencl, 0, sizeof *opencl);
    strcpy(opencl->traits.vendor, "NVIDIA Corporation");
    opencl->traits.type = CL_DEVICE_TYPE_GPU;
    opencl->traits.units = 132;
    opencl->traits.local_bytes = 48 << 10;
    opencl->traits.group_limit = 1024;
    dgm_cl_tuning_default(&opencl->traits, &opencl->tuning);
    opencl->trust[DGM_TASK_gemm] = DGM_CL_TRUSTED;
    for (int i = 0; i < DGM_KERNEL_COUNT; i++)
        opencl->group_limits[i] = 1024;
}

TEST(opencl_split_is_for_few_tiles_and_long_sums)
{
    static const struct {
        int64_t m, n, k;
        int splits;
    } cases[] = {
        { 512, 512, 3850, 1 },   { 2048, 512, 3850, 1 }, { 128, 128, 3870, 1 },
        { 1536, 512, 769, 1 },   { 1536, 512, 768, 0 }, /* too few blocks */
        { 2048, 2048, 3850, 0 },                        /* tiles enough */
        { 512, 512, 0, 0 },
    };
    static struct dgm_opencl opencl;
    struct dgm_gemm_args args;

    make_device(&opencl);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        args = gradient(cases[i].m, cases[i].n, cases[i].k);
        CHECK_INT(dgm_cl_gemm_splits(test_env(), &opencl, &args), cases[i].splits);
    }
    args = gradient(512, 512, 3850);
    args.batch = 2;
    CHECK_INT(dgm_cl_gemm_splits(test_env(), &opencl, &args), 0);
    args.batch = 1;
    args.form = DGM_NT;
    CHECK_INT(dgm_cl_gemm_splits(test_env(), &opencl, &args), 0);
    args.form = DGM_NN;
    CHECK_INT(dgm_cl_gemm_splits(test_env(), &opencl, &args), 1);
    args.form = DGM_TN;
    opencl.traits.units = 16;
    CHECK_INT(dgm_cl_gemm_splits(test_env(), &opencl, &args), 0);
    opencl.traits.units = 132;
    opencl.group_limits[DGM_KERNEL_gemm_add] = 32;
    CHECK_INT(dgm_cl_gemm_splits(test_env(), &opencl, &args), 0);
    opencl.group_limits[DGM_KERNEL_gemm_add] = 1024;
    CHECK_INT(dgm_cl_gemm_splits(test_env(), &opencl, &args), 1);
    opencl.tuning.value[DGM_TUNE_gpu_split_below] = 0;
    CHECK_INT(dgm_cl_gemm_splits(test_env(), &opencl, &args), 0);
}

/* ---- bits ------------------------------------------------------------------------------------ */

enum { M = 134, N = 130, K = 16500 };

static struct dgm_opencl *opencl;
static struct dgm_ref a, b, c, bias, sums;

/* As a GPU gets it, whose units are so many that everything is split, or nothing. */
static dgm_status open_device(void)
{
    struct dgm_device *device = NULL;

    setenv("DGM_CL_SHAPE", "1x64", 1);
    DGM_TRY(opencl_open(&device, "own"));
    opencl = (struct dgm_opencl *)device;
    dgm_cl_tuning_default(&opencl->traits, &opencl->tuning);
    opencl->traits.units = 1000;
    opencl->tuning.value[DGM_TUNE_gpu_large_from] = 1000000; /* small tiles: one kernel to build */
    return DGM_OK;
}

static dgm_status make(struct dgm_ref *ref, int count, uint32_t seed)
{
    static dgm_real x[M * K];
    struct dgm_random random;

    dgm_random_init(&random, seed, 0, 0, 0);
    for (int i = 0; i < count; i++)
        x[i] = (dgm_real)dgm_random_word(&random) / (dgm_real)4294967296.0 - (dgm_real)0.5;
    ref->offset = 0;
    if (ref->buffer == NULL)
        DGM_TRY(
            dgm_device_alloc(test_env(), &opencl->device, &ref->buffer, (size_t)count * sizeof *x));
    return dgm_device_write(test_env(), &opencl->device, *ref, x, (size_t)count * sizeof *x);
}

static dgm_status make_all(void)
{
    DGM_TRY(make(&a, M * K, 1));
    DGM_TRY(make(&b, N * K, 2));
    DGM_TRY(make(&bias, N, 3));
    DGM_TRY(make(&c, M * N, 4));
    return make(&sums, M, 5);
}

/* What lies in c and sums after the product, and how many kernels it launched. */
struct found {
    dgm_real c[M * N], sums[M];
    int launches;
};

static dgm_status multiply(struct dgm_gemm_args args, int split_below, struct found *found)
{
    struct dgm_device *device = &opencl->device;
    const uint64_t before = opencl->launches;

    opencl->tuning.value[DGM_TUNE_gpu_split_below] = split_below;
    DGM_TRY(make(&c, M * N, 4));
    DGM_TRY(make(&sums, M, 5));
    DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gemm, &args));
    found->launches = (int)(opencl->launches - before);
    DGM_TRY(dgm_device_read(test_env(), device, found->c, c, sizeof found->c));
    return dgm_device_read(test_env(), device, found->sums, sums, sizeof found->sums);
}

/* Two launches for each round instead of one, and the same bits. */
static void check_product(struct dgm_gemm_args args, int rounds)
{
    static struct found whole, split;

    args.a = a;
    args.b = b;
    args.c = c;
    CHECK_STATUS(multiply(args, 0, &whole), DGM_OK);
    CHECK_STATUS(multiply(args, 400, &split), DGM_OK);
    CHECK_INT(whole.launches, 1);
    CHECK_INT(split.launches, 2 * rounds);
    CHECK_MEM(split.c, whole.c, sizeof whole.c);
    CHECK_MEM(split.sums, whole.sums, sizeof whole.sums);
}

static void close_device(void)
{
    struct dgm_ref *const refs[] = { &a, &b, &c, &bias, &sums };

    for (size_t i = 0; i < sizeof refs / sizeof *refs; i++) {
        dgm_device_release(test_env(), &opencl->device, refs[i]->buffer);
        refs[i]->buffer = NULL;
    }
    dgm_device_close(test_env(), &opencl->device);
    opencl = NULL;
}

#define OPEN()                                              \
    do {                                                    \
        const dgm_status open_ = open_device();             \
                                                            \
        if (open_ == DGM_UNSUPPORTED || open_ == DGM_USAGE) \
            TEST_SKIP(test_env()->error.message);           \
        CHECK_STATUS(open_, DGM_OK);                        \
        CHECK_STATUS(make_all(), DGM_OK);                   \
    } while (0)

TEST(opencl_split_has_the_bits_of_the_whole)
{
    struct dgm_gemm_args args;

    OPEN();
    args = gradient(70, 45, 1034); /* sides and steps that nothing divides */
    args.beta = (dgm_real)0.5;
    args.alpha = (dgm_real)-1.75;
    args.bias = bias;
    args.relu = 1;
    args.sums = sums;
    check_product(args, 1);
    args = gradient(64, 128, 1024); /* whole tiles, whole blocks */
    args.sums = sums;
    check_product(args, 1);
    args = gradient(33, 66, 1300); /* wider rows; c is not read */
    args.lda = 40;
    args.ldb = 68;
    args.ldc = 67;
    args.beta = 0;
    check_product(args, 1);
    args = gradient(70, 45, 1034);
    args.form = DGM_NN;
    args.lda = 1034;
    args.beta = (dgm_real)0.5;
    args.mask = b;
    check_product(args, 1);
    close_device();
}

/* 4 MiB hold 60 blocks of the 65. */
TEST(opencl_split_goes_in_rounds)
{
    struct dgm_gemm_args args;

    OPEN();
    opencl->tuning.value[DGM_TUNE_gpu_split_mega] = 4;
    args = gradient(M, N, K);
    args.sums = sums;
    args.bias = bias;
    args.relu = 1;
    args.beta = (dgm_real)0.5;
    check_product(args, 2);
    args.form = DGM_NN;
    args.lda = K;
    args.sums.buffer = NULL;
    args.mask = b;
    check_product(args, 2);
    close_device();
}

/* Large tiles take another kernel. */
TEST(opencl_split_of_large_tiles_has_the_bits_of_the_whole)
{
    struct dgm_gemm_args args;

    FOR_CHECK_DEVICE();
    OPEN();
    opencl->tuning.value[DGM_TUNE_gpu_large_from] = 25;
    opencl->traits.units = 8;
    args = gradient(M, N, 1034);
    args.sums = sums;
    check_product(args, 1);
    close_device();
}
/* A task is trusted after these trials: they reach each kernel. */
TEST(opencl_split_is_tried)
{
    static const enum dgm_cl_kernel_id kernels[] = {
        DGM_KERNEL_gemm_add,
        DGM_KERNEL_gemm_gpu_blocks_nn_64,
        DGM_KERNEL_gemm_gpu_blocks_nn_128,
        DGM_KERNEL_gemm_gpu_blocks_tn_64,
        DGM_KERNEL_gemm_gpu_blocks_tn_128,
        DGM_KERNEL_gemm_gpu_nn_64,
        DGM_KERNEL_gemm_gpu_nn_128,
        DGM_KERNEL_gemm_gpu_tn_64,
        DGM_KERNEL_gemm_gpu_tn_128,
    };
    struct dgm_verdict verdict;

    FOR_CHECK_DEVICE();
    OPEN();
    opencl->trust[DGM_TASK_gemm] = DGM_CL_ON_TRIAL;
    for (uint64_t seed = 1; seed <= 18; seed++) {
        CHECK_STATUS(dgm_trial_compare(test_env(), opencl->device.host, &opencl->device,
                                       DGM_TASK_gemm, seed, &verdict),
                     DGM_OK);
        CHECK(verdict.worst <= DGM_TRIAL_TOLERANCE);
    }
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        CHECK(opencl->kernels[kernels[i]] != NULL);
    close_device();
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_split_is_for_few_tiles_and_long_sums)
NEEDS_OPENCL(opencl_split_has_the_bits_of_the_whole)
NEEDS_OPENCL(opencl_split_goes_in_rounds)
NEEDS_OPENCL(opencl_split_of_large_tiles_has_the_bits_of_the_whole)
NEEDS_OPENCL(opencl_split_is_tried)
#endif
