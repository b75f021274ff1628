/*
 * test_opencl_pair.c: products that share a launch, and those whose sums are split, have the bits
 * of products that are alone, whatever their shape and options; which are split follows from shapes
 * and from the device alone. Skipped without an OpenCL device.
 */
#include <string.h>

#include "base/philox.h"
#include "config.h"
#include "opencl_case.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/opencl.h"
#include "device/opencl/core/self_test.h"
#include "device/opencl/gemm/gemm_pair.h"

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
    for (int i = 0; i < DGM_KERNEL_COUNT; i++)
        opencl->group_limits[i] = 1024;
}

TEST(opencl_pair_splits_few_tiles_and_long_sums)
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
        CHECK_INT(dgm_cl_pair_serves(test_env(), &opencl, &args), cases[i].splits);
    }
    args = gradient(512, 512, 3850);
    args.batch = 2;
    CHECK_INT(dgm_cl_pair_serves(test_env(), &opencl, &args), 0);
    args.batch = 1;
    args.form = DGM_NT;
    CHECK_INT(dgm_cl_pair_serves(test_env(), &opencl, &args), 0);
    args.form = DGM_TN;
    args.relu = 1; /* the kernel does not know it */
    CHECK_INT(dgm_cl_pair_serves(test_env(), &opencl, &args), 0);
    args.relu = 0;
    opencl.traits.units = 16;
    CHECK_INT(dgm_cl_pair_serves(test_env(), &opencl, &args), 0);
    opencl.traits.units = 132;
    opencl.group_limits[DGM_KERNEL_gemm_gpu_pair_64] = 32;
    CHECK_INT(dgm_cl_pair_serves(test_env(), &opencl, &args), 0);
    opencl.group_limits[DGM_KERNEL_gemm_gpu_pair_64] = 1024;
    CHECK_INT(dgm_cl_pair_serves(test_env(), &opencl, &args), 1);
    opencl.tuning.value[DGM_TUNE_gpu_split_below] = 0;
    CHECK_INT(dgm_cl_pair_serves(test_env(), &opencl, &args), 0);
    CHECK_INT(dgm_cl_pair_begins(test_env(), &opencl, &args), 0);
}

/* ---- which share a launch -------------------------------------------------------------------- */

/* Buffers that nobody looks into. */
static struct dgm_ref place(int number, size_t offset)
{
    static char buffers[8];
    const struct dgm_ref ref = { (struct dgm_buffer *)(void *)&buffers[number], offset };

    return ref;
}

/* dw (512,512) = dy (3931,512) x; dx (3931,512) = dy w. */
static void make_pair(struct dgm_gemm_args *first, struct dgm_gemm_args *second)
{
    *first = gradient(512, 512, 3931);
    first->a = place(0, 0);
    first->b = place(1, 0);
    first->c = place(2, 0);
    first->sums = place(2, 512 * 512 * sizeof(dgm_real));
    *second = gradient(3931, 512, 512);
    second->form = DGM_NN;
    second->lda = 512;
    second->a = place(0, 0);
    second->b = place(3, 0);
    second->c = place(1, 3931 * 512 * sizeof(dgm_real));
}

TEST(opencl_pair_shares_no_memory_that_is_written)
{
    const size_t real = sizeof(dgm_real);
    static struct dgm_opencl opencl;
    struct dgm_gemm_args first, second;

    make_device(&opencl);
    make_pair(&first, &second);
    CHECK(dgm_cl_pair_begins(test_env(), &opencl, &first));
    CHECK(!dgm_cl_pair_begins(test_env(), &opencl, &second));
    CHECK(dgm_cl_pair_fits(&opencl, &first, &second));
    second.c.offset -= real; /* the last of x */
    CHECK(!dgm_cl_pair_fits(&opencl, &first, &second));
    second.c = place(0, 3930 * 512 * real); /* of dy */
    CHECK(!dgm_cl_pair_fits(&opencl, &first, &second));
    make_pair(&first, &second);
    second.b = place(2, (512 * 512 + 511) * real); /* the last of the sums */
    CHECK(!dgm_cl_pair_fits(&opencl, &first, &second));
    second.b = place(2, (512 * 512 + 512) * real);
    CHECK(dgm_cl_pair_fits(&opencl, &first, &second));
    second.mask = place(2, 0);
    CHECK(!dgm_cl_pair_fits(&opencl, &first, &second));
    make_pair(&first, &second);
    second.form = DGM_NT;
    CHECK(!dgm_cl_pair_fits(&opencl, &first, &second));
    make_pair(&first, &second);
    second.batch = 2;
    CHECK(!dgm_cl_pair_fits(&opencl, &first, &second));
    first.bias = place(4, 0);
    CHECK(!dgm_cl_pair_begins(test_env(), &opencl, &first));
    make_pair(&first, &second);
    first.k = 768; /* three blocks */
    CHECK(!dgm_cl_pair_begins(test_env(), &opencl, &first));
    opencl.precision = DGM_BF16; /* one packing for both is worth it */
    CHECK(dgm_cl_pair_begins(test_env(), &opencl, &first));
}

/* Two products are packed together while their operands find room: each alone may take more. */
TEST(opencl_pair_packs_what_finds_room)
{
    static struct dgm_opencl opencl;
    struct dgm_gemm_args first, second;

    make_device(&opencl);
    make_pair(&first, &second);
    first.m = first.lda = second.k = second.lda = 10000; /* logits */
    CHECK(dgm_cl_pair_fits(&opencl, &first, &second));
    CHECK(dgm_cl_pair_room(&opencl) == 192 << 20); /* no operand is packed */
    opencl.precision = DGM_BF16;
    CHECK(!dgm_cl_pair_fits(&opencl, &first, &second)); /* 75 MiB of a alone */
    CHECK(dgm_cl_pair_room(&opencl) == 336 << 20);
    first.k = second.m = 1000;
    CHECK(dgm_cl_pair_fits(&opencl, &first, &second));
    opencl.precision = DGM_TF32; /* as many numbers, in twice the bytes */
    CHECK(dgm_cl_pair_fits(&opencl, &first, &second));
    first.k = second.m = 10000;
    CHECK(!dgm_cl_pair_fits(&opencl, &first, &second));
    opencl.precision = DGM_F32;
    opencl.traits.type = CL_DEVICE_TYPE_CPU;
    opencl.traits.is_cpu = 1;
    CHECK(dgm_cl_pair_room(&opencl) == 0);
}

/* What waits is added up before somebody else may see it, and not for tasks that cannot. */
TEST(opencl_pair_knows_whom_blocks_concern)
{
    const size_t real = sizeof(dgm_real);
    static struct dgm_opencl opencl;
    struct dgm_gemm_args first, second;
    struct dgm_norm_backward_args norm;
    struct dgm_residual_norm_backward_args both;
    struct dgm_fill_args fill;

    make_pair(&first, &second);
    memset(&norm, 0, sizeof norm);
    memset(&both, 0, sizeof both);
    memset(&fill, 0, sizeof fill);
    norm.dim = both.dim = 512;
    norm.dbias = both.dgain = place(2, 512 * 512 * real); /* behind c */
    fill.y = place(2, 1 << 30);
    CHECK(!dgm_cl_pair_concerns(&opencl, DGM_TASK_gemm, &first));
    opencl.gemm_rest = (struct dgm_cl_gemm_rest){
        .is_there = 1, .c = place(2, 0), .m = 512, .n = 512, .ldc = 512
    };
    CHECK(dgm_cl_pair_concerns(&opencl, DGM_TASK_gemm, &first));
    CHECK(!dgm_cl_pair_concerns(&opencl, DGM_TASK_gemm, &second));
    CHECK(!dgm_cl_pair_concerns(&opencl, DGM_TASK_norm_backward, &norm));
    CHECK(!dgm_cl_pair_concerns(&opencl, DGM_TASK_residual_norm_backward, &both));
    CHECK(
        dgm_cl_pair_concerns(&opencl, DGM_TASK_fill, &fill)); /* how far it reaches is not known */
    fill.y = place(3, 0);
    CHECK(!dgm_cl_pair_concerns(&opencl, DGM_TASK_fill, &fill));
    opencl.gemm_rest.sums = place(2, (512 * 512 + 511) * real);
    opencl.gemm_rest.m = 511;
    CHECK(dgm_cl_pair_concerns(&opencl, DGM_TASK_norm_backward, &norm));
    CHECK(dgm_cl_pair_concerns(&opencl, DGM_TASK_residual_norm_backward, &both));
    second.batch = 2;
    second.a = place(2, 1 << 30);
    CHECK(dgm_cl_pair_concerns(&opencl, DGM_TASK_gemm, &second));
}

/* ---- bits ------------------------------------------------------------------------------------ */

enum { M = 134, N = 130, K = 16500 };

static struct dgm_opencl *opencl;
static struct dgm_ref a, b, c, bias, sums;

/* As a GPU gets it, whose units are so many that everything is split, or nothing. */
static dgm_status open_device(const char *precision)
{
    const struct dgm_device_options options = { 1, NULL, "all", "own", precision };
    struct dgm_device *device = NULL;

    setenv("DGM_CL_SHAPE", "1x64", 1);
    setenv("DGM_CL_TENSOR", "emulated", 1);
    setenv("DGM_CL_TRUST", "0", 1); /* else a task that disagrees would run on the CPU */
    DGM_TRY(dgm_device_open(test_env(), &device, "opencl", &options));
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
    DGM_TRY(dgm_device_read(test_env(), device, found->c, c, sizeof found->c));
    found->launches = (int)(opencl->launches - before);
    return dgm_device_read(test_env(), device, found->sums, sums, sizeof found->sums);
}

/* A launch for its chunks and one that adds up their blocks, and the bits of a single one. */
static void check_product(struct dgm_gemm_args args)
{
    static struct found whole, split;

    args.a = a;
    args.b = b;
    args.c = c;
    CHECK_STATUS(multiply(args, 0, &whole), DGM_OK);
    CHECK_STATUS(multiply(args, 400, &split), DGM_OK);
    CHECK_INT(whole.launches, 1);
    CHECK_INT(split.launches, 2);
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

#define OPEN() OPEN_IN("f32")
#define OPEN_IN(precision)                                  \
    do {                                                    \
        const dgm_status open_ = open_device(precision);    \
                                                            \
        if (open_ == DGM_UNSUPPORTED || open_ == DGM_USAGE) \
            TEST_SKIP(test_env()->error.message);           \
        CHECK_STATUS(open_, DGM_OK);                        \
        CHECK_STATUS(make_all(), DGM_OK);                   \
    } while (0)

TEST(opencl_pair_splits_to_the_bits_of_the_whole)
{
    struct dgm_gemm_args args;

    OPEN();
    args = gradient(70, 45, 1034); /* sides and steps that nothing divides */
    args.beta = (dgm_real)0.5;
    args.alpha = (dgm_real)-1.75;
    args.sums = sums;
    check_product(args);
    args = gradient(64, 128, 1024); /* whole tiles, whole blocks */
    args.sums = sums;
    check_product(args);
    args = gradient(33, 66, 1300); /* wider rows; c is not read */
    args.lda = 40;
    args.ldb = 68;
    args.ldc = 67;
    args.beta = 0;
    check_product(args);
    opencl->traits.units = 4; /* a first chunk of several blocks */
    args = gradient(70, 45, 3000);
    args.sums = sums;
    check_product(args);
    opencl->traits.units = 1000;
    opencl->tuning.value[DGM_TUNE_gpu_split_mega] = 4; /* 60 blocks of 65 */
    args = gradient(M, N, K);
    args.sums = sums;
    args.beta = (dgm_real)0.5;
    check_product(args);
    close_device();
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static struct dgm_ref dx, more;

/* Gradients of two layers, sums of k steps, of the second one twice into the same place, as of
 * shared weights. */
static dgm_status run_pairs(int64_t k, int split_below, struct found *found, dgm_real *below,
                            int *launches)
{
    struct dgm_device *device = &opencl->device;
    struct dgm_gemm_args first = gradient(70, 45, k), second = gradient(300, 70, 130);
    const uint64_t before = opencl->launches;

    opencl->tuning.value[DGM_TUNE_gpu_split_below] = split_below;
    DGM_TRY(make(&c, M * N, 4));
    DGM_TRY(make(&more, M * N, 6));
    DGM_TRY(make(&sums, M, 5));
    DGM_TRY(make(&dx, M * N * 2, 7));
    first.a = a;
    first.b = b;
    first.c = c;
    first.sums = sums;
    second.form = DGM_NN;
    second.lda = 133;
    second.a = a;
    second.b = b;
    second.c = dx;
    second.mask = a;
    DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gemm, &first));
    DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gemm, &second));
    for (int i = 0; i < 2; i++) {
        first.c = more;
        first.sums.buffer = NULL;
        second.beta = (dgm_real)0.5;
        second.mask.buffer = NULL;
        second.k = 600; /* longer than a chunk */
        second.lda = 601;
        DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gemm, &first));
        DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gemm, &second));
    }
    DGM_TRY(dgm_device_read(test_env(), device, below, dx, M * N * 2 * sizeof *below));
    *launches = (int)(opencl->launches - before);
    DGM_TRY(dgm_device_read(test_env(), device, found[0].c, c, sizeof found->c));
    DGM_TRY(dgm_device_read(test_env(), device, found[1].c, more, sizeof found->c));
    return dgm_device_read(test_env(), device, found->sums, sums, sizeof found->sums);
}

/* Both ways, by so many launches. */
static void check_pairs(int64_t k, int alone, int in_pairs)
{
    static struct found apart[2], together[2];
    static dgm_real below[2][M * N * 2];
    int launches[2];

    CHECK_STATUS(run_pairs(k, 0, apart, below[0], &launches[0]), DGM_OK);
    CHECK_STATUS(run_pairs(k, 400, together, below[1], &launches[1]), DGM_OK);
    CHECK_INT(launches[0], alone);
    CHECK_INT(launches[1], in_pairs);
    CHECK_MEM(together, apart, sizeof apart);
    CHECK_MEM(below[1], below[0], sizeof below[0]);
}

static void release_pairs(void)
{
    dgm_device_release(test_env(), &opencl->device, dx.buffer);
    dgm_device_release(test_env(), &opencl->device, more.buffer);
    dx.buffer = more.buffer = NULL;
}

/* Three pairs; blocks are added up before the third of them, and at the end. */
TEST(opencl_pair_has_the_bits_of_single_products)
{
    OPEN();
    check_pairs(1034, 6, 5);
    release_pairs();
    close_device();
}

/* Narrow products are packed first, all operands of a launch together; two launches add up sums of
 * columns. */
TEST(opencl_pair_of_narrow_numbers_has_the_bits_of_single_products)
{
    static const char *const words[] = { "bf16", "tf32" };

    FOR_CHECK_DEVICE();
    for (int w = 0; w < 2; w++) {
        OPEN_IN(words[w]);
        check_pairs(1034, 6 + 6 + 2, 3 + 5 + 2);
        opencl->traits.units = 2; /* a first chunk of several blocks, large tiles */
        opencl->tuning.value[DGM_TUNE_gpu_large_from] = 25;
        check_pairs(2600, 6 + 6 + 2, 3 + 5 + 2);
        release_pairs();
        close_device();
    }
}

/* Large tiles take another kernel. */
TEST(opencl_pair_of_large_tiles_has_the_bits_of_single_products)
{
    struct dgm_gemm_args args;

    FOR_CHECK_DEVICE();
    OPEN();
    opencl->tuning.value[DGM_TUNE_gpu_large_from] = 25;
    opencl->tuning.value[DGM_TUNE_gpu_small_rows] = 8; /* what a unit needs is counted in them */
    opencl->traits.units = 8;
    args = gradient(M, N, 1034);
    args.sums = sums;
    check_product(args);
    opencl->traits.units = 2;
    check_pairs(1034, 6, 5);
    CHECK(opencl->kernels[DGM_KERNEL_gemm_gpu_pair_128] != NULL);
    release_pairs();
    close_device();
}

/* Products are trusted after their trials: these launch each kernel, and pairs of both sizes. */
TEST(opencl_pair_is_tried)
{
    static const enum dgm_cl_kernel_id kernels[] = {
        DGM_KERNEL_gemm_gpu_pair_64, DGM_KERNEL_gemm_gpu_pair_128, DGM_KERNEL_gemm_gpu_nn_64,
        DGM_KERNEL_gemm_gpu_nn_128,  DGM_KERNEL_gemm_gpu_nt_64,    DGM_KERNEL_gemm_gpu_nt_128,
        DGM_KERNEL_gemm_gpu_tn_64,   DGM_KERNEL_gemm_gpu_tn_128,   DGM_KERNEL_gemm_gpu_thin,
    };
    char words[DGM_EXPLAIN_SIZE];

    FOR_CHECK_DEVICE();
    setenv("XDG_CACHE_HOME", test_dir(), 1); /* verdicts of such a device are for no other */
    OPEN();
    dgm_cl_tuning_default(&opencl->traits, &opencl->tuning); /* large tiles, too */
    memset(opencl->trust, DGM_CL_UNTRIED, sizeof opencl->trust);
    CHECK(dgm_cl_self_test_explain(test_env(), opencl, DGM_TASK_gemm, words));
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        CHECK(opencl->has_run[kernels[i]]);
    CHECK(opencl->pairs[0] > 0);
    CHECK(opencl->pairs[1] > 0);
    close_device();
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_pair_splits_few_tiles_and_long_sums)
NEEDS_OPENCL(opencl_pair_shares_no_memory_that_is_written)
NEEDS_OPENCL(opencl_pair_packs_what_finds_room)
NEEDS_OPENCL(opencl_pair_knows_whom_blocks_concern)
NEEDS_OPENCL(opencl_pair_splits_to_the_bits_of_the_whole)
NEEDS_OPENCL(opencl_pair_has_the_bits_of_single_products)
NEEDS_OPENCL(opencl_pair_of_narrow_numbers_has_the_bits_of_single_products)
NEEDS_OPENCL(opencl_pair_of_large_tiles_has_the_bits_of_single_products)
NEEDS_OPENCL(opencl_pair_is_tried)
#endif
