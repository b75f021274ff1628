/*
 * test_opencl_gemm.c: an element of a product depends on its row and its column alone, bit for bit:
 * not on the shape around them, which chooses kernels, nor on the form. Skipped without an OpenCL
 * device.
 */
#include <math.h>
#include <string.h>

#include "base/philox.h"
#include "device/task.h"
#include "opencl_case.h"

/* More rows than count as few, more steps than a block of the sum. */
enum { M = 70, N = 45, K = 300 };

static struct dgm_device *device;
static struct dgm_ref a, a_transposed, b, b_transposed, c, weights, weights_transposed;
static int relu;

static dgm_status make(struct dgm_ref *ref, const dgm_real *data, int rows, int cols,
                       int transposed)
{
    static dgm_real turned[M * K + K * N];
    const size_t bytes = (size_t)(rows * cols) * sizeof *data;

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            turned[transposed ? j * rows + i : i * cols + j] = data[i * cols + j];
    ref->offset = 0;
    DGM_TRY(dgm_device_alloc(test_env(), device, &ref->buffer, bytes));
    return dgm_device_write(test_env(), device, *ref, turned, bytes);
}

static dgm_status make_all(void)
{
    static dgm_real x[M * K], y[K * N], z[M * N];
    struct dgm_random random;

    dgm_random_init(&random, 7, 0, 0, 0);
    for (int i = 0; i < M * K; i++)
        x[i] = (dgm_real)dgm_random_normal(&random);
    for (int i = 0; i < K * N; i++)
        y[i] = (dgm_real)dgm_random_normal(&random);
    DGM_TRY(make(&a, x, M, K, 0));
    DGM_TRY(make(&a_transposed, x, M, K, 1));
    DGM_TRY(make(&b, y, K, N, 0));
    DGM_TRY(make(&b_transposed, y, K, N, 1));
    return make(&c, z, M, N, 0);
}

static void close_all(void)
{
    dgm_device_release(test_env(), device, a.buffer);
    dgm_device_release(test_env(), device, a_transposed.buffer);
    dgm_device_release(test_env(), device, b.buffer);
    dgm_device_release(test_env(), device, b_transposed.buffer);
    dgm_device_release(test_env(), device, c.buffer);
    dgm_device_close(test_env(), device);
    device = NULL;
}

/* Rows i.. and columns j.. of the product, into their places in `out` (M,N). */
static dgm_status multiply(dgm_real *out, enum dgm_gemm_form form, int i, int rows, int j, int cols)
{
    const size_t size = sizeof(dgm_real);
    struct dgm_gemm_args args = { 0 };

    args.form = form;
    args.m = rows;
    args.n = cols;
    args.k = K;
    args.a = form == DGM_TN ? dgm_ref_at(a_transposed, (size_t)i * size)
                            : dgm_ref_at(a, (size_t)(i * K) * size);
    args.b = form == DGM_NT ? dgm_ref_at(b_transposed, (size_t)(j * K) * size)
                            : dgm_ref_at(b, (size_t)j * size);
    args.c = dgm_ref_at(c, (size_t)(i * N + j) * size);
    args.lda = form == DGM_TN ? M : K;
    args.ldb = form == DGM_NT ? K : N;
    args.ldc = N;
    args.batch = 1;
    args.alpha = (dgm_real)0.75;
    args.relu = relu;
    DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gemm, &args));
    return dgm_device_read(test_env(), device, out, c, (size_t)(M * N) * size);
}

TEST(opencl_gemm_bits)
{
    static const enum dgm_gemm_form forms[] = { DGM_NN, DGM_NT, DGM_TN };
    static const int rows[] = { M, 40, 12, 5, 1 };
    static dgm_real whole[M * N], found[M * N];

    OPENCL_OPEN(&device);
    CHECK_STATUS(make_all(), DGM_OK);
    CHECK_STATUS(multiply(whole, DGM_NN, 0, M, 0, N), DGM_OK);
    for (int f = 0; f < 3; f++)
        for (int r = 0; r < 5; r++) {
            memset(found, 0, sizeof found);
            CHECK_STATUS(dgm_device_write(test_env(), device, c, found, sizeof found), DGM_OK);
            for (int i = 0; i < M; i += rows[r])
                for (int j = 0; j < N; j += 19)
                    CHECK_STATUS(multiply(found, forms[f], i, M - i < rows[r] ? M - i : rows[r], j,
                                          N - j < 19 ? N - j : 19),
                                 DGM_OK);
            CHECK_MEM(found, whole, sizeof whole);
        }
    close_all();
}

/* max(NaN, 0) would be 0, and broken weights would not show. */
TEST(opencl_gemm_carries_nan_through_relu_and_into_no_other_row)
{
    static const int rows[] = { M, 12, 5, 3 };
    static dgm_real found[M * N];
    const dgm_real nan = (dgm_real)NAN;

    OPENCL_OPEN(&device);
    CHECK_STATUS(make_all(), DGM_OK);
    CHECK_STATUS(dgm_device_write(test_env(), device, dgm_ref_at(a, (2 * K + 7) * sizeof(dgm_real)),
                                  &nan, sizeof nan),
                 DGM_OK);
    relu = 1;
    for (int r = 0; r < 4; r++) {
        CHECK_STATUS(multiply(found, DGM_NN, 0, rows[r], 0, N), DGM_OK);
        for (int i = 0; i < rows[r] * N; i++)
            CHECK((i / N == 2) == (isnan(found[i]) != 0) && !(found[i] < 0));
    }
    relu = 0;
    close_all();
}

/* Weights that are announced: products read copies of them, of which nothing may be seen. */

static dgm_real fresh[M * N], kept[M * N];

/* The same product from b and from what was announced, twice: the copies are made, then read. */
static dgm_status compare(enum dgm_gemm_form form, int rows, int *differ)
{
    DGM_TRY(multiply(fresh, form, 0, rows, 19, N - 19));
    for (int turn = 0; turn < 2; turn++) {
        const struct dgm_ref plain = b, plain_transposed = b_transposed;

        b = weights;
        b_transposed = weights_transposed;
        DGM_TRY(multiply(kept, form, 0, rows, 19, N - 19));
        b = plain;
        b_transposed = plain_transposed;
        *differ += memcmp(kept, fresh, sizeof fresh) != 0;
    }
    return DGM_OK;
}

static dgm_status compare_all(int *differ)
{
    *differ = 0;
    for (int rows = 1; rows <= M; rows += 23) {
        DGM_TRY(compare(DGM_NN, rows, differ));
        DGM_TRY(compare(DGM_NT, rows, differ));
        DGM_TRY(compare(DGM_TN, rows, differ));
    }
    return DGM_OK;
}

static dgm_status announce(struct dgm_ref *ref)
{
    static const dgm_real nothing[K * N];

    DGM_TRY(make(ref, nothing, K, N, 0));
    if (device->ops->keep != NULL)
        device->ops->keep(test_env(), device, ref->buffer);
    return DGM_OK;
}

/* By a task, or from the host. */
static dgm_status copy(struct dgm_ref to, struct dgm_ref from, int by_task)
{
    static dgm_real values[K * N];
    const struct dgm_copy_columns_args args = {
        .y = to, .x = from, .rows = K, .groups = 1, .width = N, .ldy = N, .ldx = N
    };

    if (by_task)
        return dgm_device_run(test_env(), device, DGM_TASK_copy_columns, &args);
    DGM_TRY(dgm_device_read(test_env(), device, values, from, sizeof values));
    return dgm_device_write(test_env(), device, to, values, sizeof values);
}

TEST(opencl_gemm_kept_weights)
{
    int differ;

    OPENCL_OPEN(&device);
    CHECK_STATUS(make_all(), DGM_OK);
    CHECK_STATUS(announce(&weights), DGM_OK);
    CHECK_STATUS(announce(&weights_transposed), DGM_OK);
    for (int by_task = 0; by_task < 2; by_task++) {
        CHECK_STATUS(copy(weights, b, by_task), DGM_OK);
        CHECK_STATUS(copy(weights_transposed, b_transposed, by_task), DGM_OK);
        CHECK_STATUS(compare_all(&differ), DGM_OK);
        CHECK_INT(differ, 0);
        CHECK_STATUS(copy(weights, a, by_task), DGM_OK);
        CHECK_STATUS(compare(DGM_NN, M, &differ), DGM_OK);
        CHECK_INT(differ, 2);
    }
    dgm_device_release(test_env(), device, weights.buffer);
    CHECK_STATUS(announce(&weights), DGM_OK); /* maybe where the old one was */
    CHECK_STATUS(copy(weights, b, 0), DGM_OK);
    CHECK_STATUS(compare_all(&differ), DGM_OK);
    CHECK_INT(differ, 0);
    dgm_device_release(test_env(), device, weights.buffer);
    dgm_device_release(test_env(), device, weights_transposed.buffer);
    close_all();
}
