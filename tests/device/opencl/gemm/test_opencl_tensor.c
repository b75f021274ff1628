/*
 * test_opencl_tensor.c: matrix products of operands rounded to bf16 and tf32, with the instruction
 * of tensor cores emulated, against the CPU on rounded operands; and the devices that have no such
 * products. Skipped without an OpenCL device.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/philox.h"
#include "device/precision.h"
#include "device/trial/trial.h"
#include "opencl_case.h"

/* Three tiles of each size on a side, ragged. Steps: more than three stages and than a block of a
 * gradient; and, K, more than a block of any product. */
enum { M = 140, N = 150, FEW = 530, K = 2060, INSTANCES = 18 };

/* Each precision with each matrix instruction that has it, emulated. */
enum { VARIANTS = 6 };
static const struct variant {
    const char *word, *tensor;
    double unit; /* of the last place, for a power of two */
} variants[VARIANTS] = {
    { "bf16", "emulated", 0.0078125 },       { "tf32", "emulated", 0.0009765625 },
    { "bf16", "emulated-mfma", 0.0078125 },  { "bf16", "emulated-wmma", 0.0078125 },
    { "bf16", "emulated-xmx16", 0.0078125 }, { "bf16", "emulated-xmx8", 0.0078125 },
};

static dgm_status open_one(struct dgm_device **device, const char *name, const char *gemm,
                           const char *precision)
{
    const struct dgm_device_options options = { 1, NULL, "all", gemm, precision };

    setenv("DGM_CL_TRUST", "0", 1);
    return dgm_device_open(test_env(), device, name, &options);
}

/* The device and its reference, both in that precision. */
#define OPEN_BOTH(device, cpu, variant)                                             \
    do {                                                                            \
        OPENCL_OPEN(&(device));                                                     \
        dgm_device_close(test_env(), device);                                       \
        setenv("DGM_CL_TENSOR", (variant)->tensor, 1);                              \
        CHECK_STATUS(open_one(&(device), "opencl", NULL, (variant)->word), DGM_OK); \
        CHECK_STATUS(open_one(&(cpu), "cpu", NULL, (variant)->word), DGM_OK);       \
    } while (0)

/* ---- random instances ------------------------------------------------------------------------ */

static void compare(struct dgm_device *cpu, struct dgm_device *device, enum dgm_task_kind task)
{
    for (uint64_t seed = 1; seed <= INSTANCES; seed++) {
        struct dgm_verdict verdict;

        CHECK_STATUS(dgm_trial_compare(test_env(), cpu, device, task, seed, &verdict), DGM_OK);
        if (!(verdict.worst <= DGM_TRIAL_TOLERANCE))
            printf("instance %d: NMSE %g: %s\n", (int)seed, verdict.worst, verdict.what);
        CHECK(verdict.worst <= DGM_TRIAL_TOLERANCE);
    }
}

static void try_instances(const struct variant *variant)
{
    struct dgm_device *device = NULL, *cpu = NULL;

    OPEN_BOTH(device, cpu, variant);
    CHECK(strstr(device->title, variant->word) != NULL);
    compare(cpu, device, DGM_TASK_gemm);
    dgm_device_close(test_env(), device);
    dgm_device_close(test_env(), cpu);
}

/* One test each, since a driver takes seconds to compile the programs. */
TEST(opencl_tensor_parity_bf16)
{
    try_instances(&variants[0]);
}

TEST(opencl_tensor_parity_tf32)
{
    FOR_CHECK_DEVICE();
    try_instances(&variants[1]);
}

TEST(opencl_tensor_parity_mfma)
{
    FOR_CHECK_DEVICE();
    try_instances(&variants[2]);
}

TEST(opencl_tensor_parity_wmma)
{
    FOR_CHECK_DEVICE();
    try_instances(&variants[3]);
}

TEST(opencl_tensor_parity_xmx16)
{
    FOR_CHECK_DEVICE();
    try_instances(&variants[4]);
}

TEST(opencl_tensor_parity_xmx8)
{
    FOR_CHECK_DEVICE();
    try_instances(&variants[5]);
}

/* The products of an LSTM's steps stay f32, as on the CPU; its weights' gradient does not. */
TEST(opencl_tensor_parity_lstm)
{
    struct dgm_device *device = NULL, *cpu = NULL;

    OPEN_BOTH(device, cpu, &variants[0]);
    compare(cpu, device, DGM_TASK_lstm_forward);
    compare(cpu, device, DGM_TASK_lstm_backward);
    dgm_device_close(test_env(), device);
    dgm_device_close(test_env(), cpu);
}

/* ---- one product, all forms ------------------------------------------------------------------ */

/* A product M x N of K steps, a and b as they lie in each form. */
static dgm_real a[M * K], b[K * N], turned[M * K + K * N];

struct side {
    struct dgm_device *device;
    struct dgm_ref a[2], b[2], c; /* as a and b lie above, and transposed */
    int k;                        /* steps, at most K */
};

static dgm_status make(struct side *side, struct dgm_ref *refs, const dgm_real *data, int rows,
                       int cols)
{
    const size_t bytes = (size_t)(rows * cols) * sizeof *data;

    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++)
                turned[t ? j * rows + i : i * cols + j] = data[i * cols + j];
        refs[t].offset = 0;
        DGM_TRY(dgm_device_alloc(test_env(), side->device, &refs[t].buffer, bytes));
        DGM_TRY(dgm_device_write(test_env(), side->device, refs[t], turned, bytes));
    }
    return DGM_OK;
}

static dgm_status make_side(struct side *side)
{
    side->c.offset = 0;
    side->k = FEW;
    DGM_TRY(make(side, side->a, a, M, K));
    DGM_TRY(make(side, side->b, b, K, N));
    return dgm_device_alloc(test_env(), side->device, &side->c.buffer, M * N * sizeof(dgm_real));
}

static void clear_side(struct side *side)
{
    for (int t = 0; t < 2; t++) {
        dgm_device_release(test_env(), side->device, side->a[t].buffer);
        dgm_device_release(test_env(), side->device, side->b[t].buffer);
    }
    dgm_device_release(test_env(), side->device, side->c.buffer);
    dgm_device_close(test_env(), side->device);
}

/* Rows i.. and columns j.. of the product into their places in c. */
static dgm_status multiply(struct side *side, enum dgm_gemm_form form, int i, int rows, int j,
                           int cols)
{
    const size_t size = sizeof(dgm_real);
    struct dgm_gemm_args args;

    memset(&args, 0, sizeof args);
    args.form = form;
    args.m = rows;
    args.n = cols;
    args.k = side->k;
    args.a = form == DGM_TN ? dgm_ref_at(side->a[1], (size_t)i * size)
                            : dgm_ref_at(side->a[0], (size_t)(i * K) * size);
    args.b = form == DGM_NT ? dgm_ref_at(side->b[1], (size_t)(j * K) * size)
                            : dgm_ref_at(side->b[0], (size_t)j * size);
    args.c = dgm_ref_at(side->c, (size_t)(i * N + j) * size);
    args.lda = form == DGM_TN ? M : K;
    args.ldb = form == DGM_NT ? K : N;
    args.ldc = N;
    args.batch = 1;
    args.alpha = (dgm_real)0.75;
    return dgm_device_run(test_env(), side->device, DGM_TASK_gemm, &args);
}

static dgm_status read_result(struct side *side, dgm_real *out)
{
    return dgm_device_read(test_env(), side->device, out, side->c, M * N * sizeof *out);
}

static void draw(void)
{
    struct dgm_random random;

    dgm_random_init(&random, 11, 0, 0, 0);
    for (int i = 0; i < M * K; i++)
        a[i] = (dgm_real)dgm_random_normal(&random);
    for (int i = 0; i < K * N; i++)
        b[i] = (dgm_real)dgm_random_normal(&random);
}

static double nmse(const dgm_real *expected, const dgm_real *found)
{
    double apart = 0, whole = 0;

    for (int i = 0; i < M * N; i++) {
        const double d = (double)expected[i] - (double)found[i];

        apart += d * d;
        whole += (double)expected[i] * (double)expected[i];
    }
    return apart / whole;
}

/* The product in pieces of so many rows and 67 columns: the bytes of the whole. */
static void check_pieces(struct side *side, enum dgm_gemm_form form, int rows,
                         const dgm_real *whole)
{
    static dgm_real found[M * N];

    memset(found, 0, sizeof found);
    CHECK_STATUS(dgm_device_write(test_env(), side->device, side->c, found, sizeof found), DGM_OK);
    for (int i = 0; i < M; i += rows)
        for (int j = 0; j < N; j += 67)
            CHECK_STATUS(multiply(side, form, i, M - i < rows ? M - i : rows, j,
                                  N - j < 67 ? N - j : 67),
                         DGM_OK);
    CHECK_STATUS(read_result(side, found), DGM_OK);
    CHECK_MEM(found, whole, sizeof found);
}

/* An element depends on its row and its column alone, bit for bit, whatever kernel computes it; and
 * not on the form, but that blocks of a gradient, of form TN, are shorter. */
TEST(opencl_tensor_bits)
{
    static const enum dgm_gemm_form forms[] = { DGM_NN, DGM_NT, DGM_TN };
    static const int rows[] = { M, 65, 17, 16, 5 };
    static dgm_real whole[M * N];

    FOR_CHECK_DEVICE();
    draw();
    for (int w = 0; w < VARIANTS; w++) {
        struct side side, reference;

        OPEN_BOTH(side.device, reference.device, &variants[w]);
        CHECK_STATUS(make_side(&side), DGM_OK);
        for (int f = 0; f < 3; f++) {
            side.k = forms[f] == DGM_TN ? FEW : K;
            if (forms[f] != DGM_NT) { /* which has the bytes of NN */
                CHECK_STATUS(multiply(&side, forms[f], 0, M, 0, N), DGM_OK);
                CHECK_STATUS(read_result(&side, whole), DGM_OK);
            }
            for (int r = 0; r < 5; r++)
                check_pieces(&side, forms[f], rows[r], whole);
        }
        clear_side(&side);
        dgm_device_close(test_env(), reference.device);
    }
}

/*
 * How far rounded operands take a product of normal numbers from that in f32. An operand's error is
 * uniform in half a unit of its last place u (2^-7 of its power of two in bf16, 2^-10 in tf32): u^2
 * / 12 over a mean square of 2.2 powers of two, from each of two operands: u^2 / 13.
 */
TEST(opencl_tensor_rounds_as_much_as_it_should)
{
    static dgm_real exact[M * N], found[M * N];

    FOR_CHECK_DEVICE();
    draw();
    for (int w = 0; w < VARIANTS; w++) {
        const double expected = variants[w].unit * variants[w].unit / 13;
        struct side side, reference;

        OPEN_BOTH(side.device, reference.device, &variants[w]);
        dgm_device_close(test_env(), reference.device);
        CHECK_STATUS(open_one(&reference.device, "cpu", NULL, "f32"), DGM_OK);
        CHECK_STATUS(make_side(&side), DGM_OK);
        CHECK_STATUS(make_side(&reference), DGM_OK);
        CHECK_STATUS(multiply(&side, DGM_NT, 0, M, 0, N), DGM_OK);
        CHECK_STATUS(multiply(&reference, DGM_NT, 0, M, 0, N), DGM_OK);
        CHECK_STATUS(read_result(&side, found), DGM_OK);
        CHECK_STATUS(read_result(&reference, exact), DGM_OK);
        CHECK(nmse(exact, found) < expected * 1.2);
        CHECK(nmse(exact, found) > expected / 1.2);
        clear_side(&side);
        clear_side(&reference);
    }
}

/* ---- values out of the ordinary -------------------------------------------------------------- */

/* Infinities, NaNs whose payload rounding would drop, what becomes infinite, subnormal numbers. */
static void put_hostile(void)
{
    static const uint32_t bits[] = {
        0x7f800000, 0xff800000, 0x7f800001, 0xffc00000, 0x7fffffff, 0x7f7fffff, 0xff7fffff,
        0x7f7f8000, 0x7f7f7fff, 0x00000001, 0x807fffff, 0x00008000, 0x00018000, 0x80000000,
        0x3f808000, 0x3f818000, 0x3f808001, 0x3f801000, 0x3f803000,
    };

    draw();
    for (int i = 0; i < (int)(sizeof bits / sizeof bits[0]); i++) {
        float value;

        memcpy(&value, &bits[i], sizeof value);
        a[i * K + i * 3] = (dgm_real)value;                 /* row i */
        b[(60 - i * 3) * N + 20 + i * 5] = (dgm_real)value; /* column 20 + 5 i */
    }
}

static int is_alike(dgm_real expected, dgm_real found)
{
    if (isnan(expected) || isinf(expected))
        return isnan(expected) ? isnan(found) : found == expected;
    return fabs((double)found - (double)expected) <= 1e-4 * (1 + fabs((double)expected));
}

TEST(opencl_tensor_hostile_values)
{
    static const enum dgm_gemm_form forms[] = { DGM_NN, DGM_NT, DGM_TN };
    static dgm_real expected[M * N], found[M * N];

    FOR_CHECK_DEVICE();
    put_hostile();
    for (int w = 0; w < VARIANTS; w++) {
        struct side side, reference;

        OPEN_BOTH(side.device, reference.device, &variants[w]);
        CHECK_STATUS(make_side(&side), DGM_OK);
        CHECK_STATUS(make_side(&reference), DGM_OK);
        for (int f = 0; f < 3; f++) {
            const int step = f == 1 ? 16 : M; /* the kernel for few rows too */
            int bad = 0, special = 0;

            CHECK_STATUS(multiply(&reference, forms[f], 0, M, 0, N), DGM_OK);
            for (int i = 0; i < M; i += step)
                CHECK_STATUS(multiply(&side, forms[f], i, M - i < step ? M - i : step, 0, N),
                             DGM_OK);
            CHECK_STATUS(read_result(&reference, expected), DGM_OK);
            CHECK_STATUS(read_result(&side, found), DGM_OK);
            for (int i = 0; i < M * N; i++) {
                bad += !is_alike(expected[i], found[i]);
                special += !isfinite(expected[i]);
            }
            CHECK_INT(bad, 0);
            CHECK(special > 1000 && special < M * N / 2);
        }
        clear_side(&side);
        clear_side(&reference);
    }
}

/* ---- who has none ---------------------------------------------------------------------------- */

TEST(opencl_tensor_refusals)
{
    struct dgm_device *device = NULL;
    dgm_status status;

    OPENCL_OPEN(&device);
    dgm_device_close(test_env(), device);
    unsetenv("DGM_CL_TENSOR");
    CHECK_STATUS(open_one(&device, "opencl", NULL, "f32"), DGM_OK);
    dgm_device_close(test_env(), device);
    CHECK_STATUS(open_one(&device, "opencl", NULL, "bf17"), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "f32, tf32, bf16, got \"bf17\"") != NULL);
    dgm_env_clear_error(test_env());
    status = open_one(&device, "opencl", NULL, "tf32");
    if (status == DGM_OK) /* it has tensor cores */
        dgm_device_close(test_env(), device);
    else
        CHECK_STATUS(status, DGM_UNSUPPORTED);
    if (status != DGM_OK)
        CHECK(strstr(test_env()->error.message, "has no matrix products in tf32: ") != NULL);
    dgm_env_clear_error(test_env());
    status = open_one(&device, "opencl", "clblast", "bf16");
    CHECK_STATUS(status, DGM_USAGE); /* not installed, or not both at once */
}
