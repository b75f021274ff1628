/*
 * Tests of run_matrix.c: products with operands in bf16 against exact sums, by the kernels of every
 * instruction set; an element's bits, whatever threads and product it is part of.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/narrow/amx_again.h"
#include "base/philox.h"
#include "device/cpu/cpu.h"
#include "test.h"

/* More steps than a block has, more columns than are shared at a time. */
enum { REALS = 1 << 20 };

static dgm_real a[REALS], b[REALS], c[REALS], other[REALS], nans[REALS], zeros[REALS];

static const struct dgm_matrix_kernels *entry(size_t i)
{
    return i < dgm_matrix_count() ? dgm_matrix_entry(i) : matrix_amx_again();
}

static void open_cpu(struct dgm_device **device, const struct dgm_matrix_kernels *kernels,
                     int threads)
{
    const struct dgm_device_options options = { .threads = threads, .precision = "bf16" };

    CHECK_STATUS(dgm_device_open(test_env(), device, "cpu", &options), DGM_OK);
    dgm_cpu_use_matrix(*device, kernels);
}

static void fill(dgm_real *x, struct dgm_random *random)
{
    for (int i = 0; i < REALS; i++)
        x[i] = (dgm_real)(2 * dgm_random_unit(random) - 1);
}

/* A product of contiguous operands, a batch of which lies one after the other. */
static struct dgm_gemm_args shape(enum dgm_gemm_form form, int64_t m, int64_t n, int64_t k)
{
    struct dgm_gemm_args args = { .form = form, .batch = 1, .alpha = 1 };

    args.m = m;
    args.n = n;
    args.k = k;
    args.lda = form == DGM_TN ? m : k;
    args.ldb = form == DGM_NT ? k : n;
    args.ldc = n;
    args.stride_a = m * k;
    args.stride_b = n * k;
    args.stride_c = m * n;
    return args;
}

/* `out` becomes C, which was `before`. */
static void multiply(struct dgm_device *device, struct dgm_gemm_args args, dgm_real *out,
                     const dgm_real *before, const dgm_real *bias)
{
    const size_t bytes = REALS * sizeof(dgm_real);
    struct dgm_ref *refs[] = { &args.a, &args.b, &args.c, &args.bias };
    const dgm_real *from[] = { a, b, before, bias };

    for (int i = 0; i < (bias ? 4 : 3); i++) {
        CHECK_STATUS(dgm_device_alloc(test_env(), device, &refs[i]->buffer, bytes), DGM_OK);
        CHECK_STATUS(dgm_device_write(test_env(), device, *refs[i], from[i], bytes), DGM_OK);
    }
    CHECK_STATUS(dgm_device_run(test_env(), device, DGM_TASK_gemm, &args), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), device, out, args.c, bytes), DGM_OK);
    for (int i = 0; i < (bias ? 4 : 3); i++)
        dgm_device_release(test_env(), device, refs[i]->buffer);
}

static double term(const struct dgm_gemm_args *args, int64_t item, int64_t i, int64_t j, int64_t t)
{
    const int64_t at_a = args->form == DGM_TN ? t * args->lda + i : i * args->lda + t;
    const int64_t at_b = args->form == DGM_NT ? j * args->ldb + t : t * args->ldb + j;

    return (double)dgm_precision_round(DGM_BF16, a[item * args->stride_a + at_a]) *
           (double)dgm_precision_round(DGM_BF16, b[item * args->stride_b + at_b]);
}

/* Some elements of C: each rounding is off by 2^-24 of what the magnitudes add up to. */
static void check(const struct dgm_gemm_args *args, const dgm_real *out, const dgm_real *before,
                  const dgm_real *bias, struct dgm_random *random)
{
    for (int turn = 0; turn < 40; turn++) {
        const int64_t item = dgm_random_below(random, (uint32_t)args->batch);
        const int64_t i = dgm_random_below(random, (uint32_t)args->m);
        const int64_t j = dgm_random_below(random, (uint32_t)args->n);
        const int64_t at = item * args->stride_c + i * args->ldc + j;
        double sum = 0, size = 4;

        for (int64_t t = 0; t < args->k; t++) {
            sum += term(args, item, i, j, t);
            size += fabs(term(args, item, i, j, t));
        }
        sum = (double)args->alpha * sum + (double)args->beta * (double)before[at] +
              (bias ? (double)bias[j] : 0);
        CHECK_NEAR(out[at], args->relu && sum < 0 ? 0 : sum,
                   (double)(args->k + 8) * 0x1p-24 * size);
    }
}

TEST(matrix_products_of_every_form_on_the_cpu)
{
    static const int64_t shapes[][3] = { { 1, 1, 1 },     { 5, 40, 33 },    { 70, 20, 64 },
                                         { 3, 32790, 1 }, { 40, 50, 2100 }, { 300, 17, 5 },
                                         { 4, 3, 0 } };
    struct dgm_random random;

    dgm_random_init(&random, 51, 0, 0, 0);
    fill(a, &random);
    fill(b, &random);
    fill(other, &random);
    for (int i = 0; i < REALS; i++)
        nans[i] = (dgm_real)NAN;
    for (size_t e = 0; e <= dgm_matrix_count(); e++) {
        struct dgm_device *device = NULL;

        if (!entry(e))
            continue;
        open_cpu(&device, entry(e), 2);
        for (int s = 0; s < 21; s++) {
            const int64_t *of = shapes[s % 7];
            struct dgm_gemm_args args = shape((enum dgm_gemm_form)(s / 7), of[0], of[1], of[2]);
            const dgm_real *bias = s % 2 ? other : NULL;

            args.batch = s % 4 == 0 ? 3 : 1; /* small ones are shared out one by one */
            args.alpha = s % 3 ? 1 : (dgm_real)0.5;
            args.beta = s % 5 == 1 ? 1 : 0;
            args.relu = s % 3 == 2; /* of several blocks, too: at their end */
            /* C is not read where beta is 0. */
            multiply(device, args, c, args.beta != 0 ? other : nans, bias);
            check(&args, c, args.beta != 0 ? other : zeros, bias, &random);
        }
        dgm_device_close(test_env(), device);
    }
}

/* Of 150 x 90 elements, the upper left ones, on one thread and on three, alone and among others. */
TEST(matrix_product_elements_on_the_cpu_do_not_depend_on_their_neighbours)
{
    enum { M = 150, N = 90, K = 2200, FEW_M = 7, FEW_N = 50 };
    struct dgm_device *one = NULL, *three = NULL;
    struct dgm_gemm_args args = shape(DGM_NT, M, N, K);
    struct dgm_random random;

    dgm_random_init(&random, 52, 0, 0, 0);
    fill(a, &random);
    fill(b, &random);
    open_cpu(&one, dgm_matrix_choose(NULL), 1);
    open_cpu(&three, dgm_matrix_choose(NULL), 3);
    multiply(one, args, c, other, NULL);
    multiply(three, args, other, c, NULL);
    CHECK_MEM(other, c, M * N * sizeof *c);
    args.m = FEW_M;
    args.n = FEW_N;
    multiply(three, args, other, c, NULL);
    for (int i = 0; i < FEW_M; i++)
        CHECK_MEM(other + i * N, c + i * N, FEW_N * sizeof *c);
    dgm_device_close(test_env(), one);
    dgm_device_close(test_env(), three);
    if (!dgm_matrix_choose(NULL))
        TEST_SKIP("this processor has no matrix instructions: operands were rounded instead");
}
