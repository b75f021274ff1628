/*
 * Tests of weights in fewer bits, and in panels, on the CPU: products and look-ups through the
 * device, whatever the threads, the neighbours of a row and the place of a matrix; and tasks that
 * cannot read them.
 */
#include "device/cpu/cpu_weights.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "device/task.h"
#include "kernel_case.h"
#include "test.h"

enum { M = 45, N = 203, K = 70 };

struct fixture {
    struct dgm_device *device;
    struct dgm_ref w, a, c, bias;
    dgm_real weights[N * K], x[M * K], biases[N];
};

static struct dgm_ref send(struct fixture *f, const dgm_real *from, int64_t count)
{
    struct dgm_ref ref = { NULL, 0 };

    if (dgm_device_alloc(test_env(), f->device, &ref.buffer, (size_t)count * sizeof *from) ==
        DGM_OK)
        dgm_device_write(test_env(), f->device, ref, from, (size_t)count * sizeof *from);
    return ref;
}

static void fill(dgm_real *x, int64_t count, uint32_t seed)
{
    struct dgm_random random;

    dgm_random_init(&random, seed, 0, 0, 0);
    for (int64_t i = 0; i < count; i++)
        x[i] = (dgm_real)(2 * dgm_random_unit(&random) - 1);
}

static dgm_status open_fixture(struct fixture *f, const char *isa, int threads,
                               enum dgm_weights kind)
{
    struct dgm_device_options options = { 0, NULL, NULL, NULL, NULL };
    const struct dgm_ref room = { NULL, 0 };

    memset(f, 0, sizeof *f);
    options.threads = threads;
    options.isa = isa;
    DGM_TRY(dgm_device_open(test_env(), &f->device, "cpu", &options));
    fill(f->weights, N * K, 41);
    fill(f->x, M * K, 42);
    fill(f->biases, N, 43);
    f->a = send(f, f->x, M * K);
    f->bias = send(f, f->biases, N);
    DGM_TRY(dgm_device_alloc(test_env(), f->device, &f->c.buffer, M * N * sizeof(dgm_real)));
    DGM_TRY(f->device->ops->alloc_weights(test_env(), f->device, &f->w.buffer, room, kind, N, K));
    f->device->ops->write_weights(f->device, f->w.buffer, 0, 100, f->weights);
    f->device->ops->write_weights(f->device, f->w.buffer, 100, N - 100, f->weights + 100 * K);
    return DGM_OK;
}

static void close_fixture(struct fixture *f)
{
    dgm_device_release(test_env(), f->device, f->w.buffer);
    dgm_device_release(test_env(), f->device, f->a.buffer);
    dgm_device_release(test_env(), f->device, f->bias.buffer);
    dgm_device_release(test_env(), f->device, f->c.buffer);
    dgm_device_close(test_env(), f->device);
}

/* Rows i0.. of x times rows j0.. of the weights, to their places in C. */
static dgm_status multiply(struct fixture *f, int64_t i0, int64_t m, int64_t j0, int64_t n)
{
    const size_t real = sizeof(dgm_real);
    struct dgm_gemm_args args = { .form = DGM_NT,
                                  .m = m,
                                  .n = n,
                                  .k = K,
                                  .lda = K,
                                  .ldb = K,
                                  .ldc = N,
                                  .batch = 1,
                                  .alpha = 1,
                                  .relu = 1 };

    args.a = dgm_ref_at(f->a, (size_t)(i0 * K) * real);
    args.b = dgm_ref_at(f->w, (size_t)(j0 * K) * real);
    args.bias = dgm_ref_at(f->bias, (size_t)j0 * real);
    args.c = dgm_ref_at(f->c, (size_t)(i0 * N + j0) * real);
    return dgm_device_run(test_env(), f->device, DGM_TASK_gemm, &args);
}

static dgm_status read_c(struct fixture *f, dgm_real *c)
{
    return dgm_device_read(test_env(), f->device, c, f->c, M * N * sizeof *c);
}

/* Numbers are at most 1: half a step of int8, and of bf16 as a share of the number. */
static double half_step(enum dgm_weights kind, double x)
{
    return kind == DGM_WEIGHTS_INT8 ? 1 / 254.0 : fabs(x) / 256 + 1e-6;
}

/* Half a step of the weight and of the activation, in every product of the sum. */
static int is_near(const struct fixture *f, enum dgm_weights kind, const dgm_real *c)
{
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j < N; j++) {
            double sum = (double)f->biases[j], error = 0;

            for (int64_t t = 0; t < K; t++) {
                double x = (double)f->x[i * K + t], w = (double)f->weights[j * K + t];
                double of_x = half_step(kind, x), of_w = half_step(kind, w);

                sum += x * w;
                error += fabs(x) * of_w + fabs(w) * of_x + of_x * of_w;
            }
            if (fabs((double)c[i * N + j] - (sum > 0 ? sum : 0)) > error)
                return 0;
        }
    return 1;
}

static dgm_real first[M * N], other[M * N];

/* Those that sum in the order of AMX have bits of their own (bf16.h). */
static const void *order_of(size_t isa, enum dgm_weights kind)
{
    return dgm_narrow_choose(dgm_weights_narrow(kind), dgm_kernels_name(isa))->like;
}

static void check_everywhere(enum dgm_weights kind)
{
    const void *order = NULL;
    int started = 0;

    for (size_t isa = 0; isa < dgm_kernels_count(); isa++)
        for (int threads = 1; threads <= 3; threads++) {
            struct fixture f;

            if (!dgm_kernels_entry(isa))
                continue;
            started = started && order_of(isa, kind) == order;
            order = order_of(isa, kind);
            CHECK_STATUS(open_fixture(&f, dgm_kernels_name(isa), threads, kind), DGM_OK);
            CHECK_STATUS(multiply(&f, 0, M, 0, N), DGM_OK);
            CHECK_STATUS(read_c(&f, started ? other : first), DGM_OK);
            if (started)
                CHECK_MEM(other, first, sizeof first);
            else
                CHECK(is_near(&f, kind, first));
            started = 1;
            close_fixture(&f);
        }
}

TEST(cpu_weights_products_do_not_depend_on_threads_or_instructions)
{
    check_everywhere(DGM_WEIGHTS_INT8);
    check_everywhere(DGM_WEIGHTS_BF16);
}

/* A row alone, and rows of the matrix that begin anywhere: stacked projections are such. */
static void check_neighbours(enum dgm_weights kind)
{
    static const int64_t cuts[] = { 0, 5, 16, 70, 71, N };
    struct fixture f;

    CHECK_STATUS(open_fixture(&f, NULL, 2, kind), DGM_OK);
    CHECK_STATUS(multiply(&f, 0, M, 0, N), DGM_OK);
    CHECK_STATUS(read_c(&f, first), DGM_OK);
    memset(other, 0, sizeof other);
    CHECK_STATUS(dgm_device_write(test_env(), f.device, f.c, other, sizeof other), DGM_OK);
    for (int64_t i = 0; i < M; i++)
        for (int cut = 0; cut < 5; cut++)
            CHECK_STATUS(multiply(&f, i, 1, cuts[cut], cuts[cut + 1] - cuts[cut]), DGM_OK);
    CHECK_STATUS(read_c(&f, other), DGM_OK);
    CHECK_MEM(other, first, sizeof first);
    close_fixture(&f);
}

TEST(cpu_weights_products_do_not_depend_on_neighbours)
{
    check_neighbours(DGM_WEIGHTS_INT8);
    check_neighbours(DGM_WEIGHTS_BF16);
}

/* C as the task gemm has it with weights that lie as they are. */
static void multiply_reals(struct fixture *f, dgm_real *c)
{
    const struct dgm_ref weights = send(f, f->weights, N * K), panels = f->w;

    f->w = weights;
    CHECK_STATUS(multiply(f, 0, M, 0, N), DGM_OK);
    CHECK_STATUS(read_c(f, c), DGM_OK);
    dgm_device_release(test_env(), f->device, weights.buffer);
    f->w = panels;
}

static void check_panels(const char *isa, int threads)
{
    static const int64_t rows[] = { 0, 1, 3, 20, M };
    static const int64_t columns[] = { 0, 5, 32, 71, 96, N };
    struct fixture f;

    CHECK_STATUS(open_fixture(&f, isa, threads, DGM_WEIGHTS_PANELS), DGM_OK);
    multiply_reals(&f, first);
    CHECK_STATUS(multiply(&f, 0, M, 0, N), DGM_OK);
    CHECK_STATUS(read_c(&f, other), DGM_OK);
    CHECK_MEM(other, first, sizeof first);
    memset(other, 0, sizeof other);
    CHECK_STATUS(dgm_device_write(test_env(), f.device, f.c, other, sizeof other), DGM_OK);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            CHECK_STATUS(multiply(&f, rows[i], rows[i + 1] - rows[i], columns[j],
                                  columns[j + 1] - columns[j]),
                         DGM_OK);
    CHECK_STATUS(read_c(&f, other), DGM_OK);
    CHECK_MEM(other, first, sizeof first);
    close_fixture(&f);
}

TEST(cpu_weights_panels_have_the_bits_of_reals)
{
    for (size_t isa = 0; isa < dgm_kernels_count(); isa++)
        for (int threads = 1; threads <= 3; threads += 2)
            if (dgm_kernels_entry(isa))
                check_panels(dgm_kernels_name(isa), threads);
}

/* More rows than a block has, sums of several blocks, and rows whose addresses collide. */
TEST(cpu_weights_large_panels_have_the_bits_of_reals)
{
    enum { ROWS = 230, COLUMNS = 300, STEPS = 1024 };
    static dgm_real x[(ROWS + COLUMNS) * STEPS], one[ROWS * COLUMNS], two[ROWS * COLUMNS];
    struct dgm_device_options options = { 2, NULL, NULL, NULL, NULL };
    struct dgm_gemm_args args = { .form = DGM_NT,
                                  .m = ROWS,
                                  .n = COLUMNS,
                                  .k = STEPS,
                                  .lda = STEPS,
                                  .ldb = STEPS,
                                  .ldc = COLUMNS,
                                  .batch = 1,
                                  .alpha = (dgm_real)0.5 };
    const struct dgm_ref room = { NULL, 0 };
    struct dgm_ref panels = { NULL, 0 };
    struct fixture f;

    memset(&f, 0, sizeof f);
    fill(x, (ROWS + COLUMNS) * STEPS, 5);
    CHECK_STATUS(dgm_device_open(test_env(), &f.device, "cpu", &options), DGM_OK);
    args.a = send(&f, x, ROWS * STEPS);
    args.b = send(&f, x + ROWS * STEPS, COLUMNS * STEPS);
    CHECK_STATUS(dgm_device_alloc(test_env(), f.device, &args.c.buffer, sizeof one), DGM_OK);
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_gemm, &args), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), f.device, one, args.c, sizeof one), DGM_OK);
    dgm_device_release(test_env(), f.device, args.b.buffer);
    CHECK_STATUS(f.device->ops->alloc_weights(test_env(), f.device, &panels.buffer, room,
                                              DGM_WEIGHTS_PANELS, COLUMNS, STEPS),
                 DGM_OK);
    f.device->ops->write_weights(f.device, panels.buffer, 0, COLUMNS, x + ROWS * STEPS);
    args.b = panels;
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_gemm, &args), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), f.device, two, args.c, sizeof two), DGM_OK);
    CHECK_MEM(two, one, sizeof one);
    dgm_device_release(test_env(), f.device, args.a.buffer);
    dgm_device_release(test_env(), f.device, args.b.buffer);
    dgm_device_release(test_env(), f.device, args.c.buffer);
    dgm_device_close(test_env(), f.device);
}

/* Scaled by 2; within `error` of the weights. */
static void check_look_up(enum dgm_weights kind, double error)
{
    static const int32_t ids[] = { 202, 0, 17, 17 };
    struct dgm_embed_forward_args args;
    struct fixture f;
    struct dgm_ref numbers = { NULL, 0 };

    CHECK_STATUS(open_fixture(&f, NULL, 1, kind), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), f.device, &numbers.buffer, sizeof ids), DGM_OK);
    CHECK_STATUS(dgm_device_write(test_env(), f.device, numbers, ids, sizeof ids), DGM_OK);
    memset(&args, 0, sizeof args);
    args.y = f.c;
    args.table = f.w;
    args.ids = numbers;
    args.rows = 4;
    args.dim = args.ldy = args.ld_table = K;
    args.scale = 2;
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_embed_forward, &args), DGM_OK);
    CHECK_STATUS(read_c(&f, first), DGM_OK);
    for (int i = 0; i < 4; i++)
        for (int64_t t = 0; t < K; t++)
            CHECK_NEAR(first[i * K + t], 2 * f.weights[ids[i] * K + t], error);
    dgm_device_release(test_env(), f.device, numbers.buffer);
    close_fixture(&f);
}

TEST(cpu_weights_can_be_looked_up)
{
    check_look_up(DGM_WEIGHTS_INT8, 2 / 254.0 + 1e-6);
    check_look_up(DGM_WEIGHTS_BF16, 2 / 256.0);
    check_look_up(DGM_WEIGHTS_PANELS, 0);
}

TEST(cpu_weights_begin_at_rows)
{
    struct fixture f;
    struct dgm_ref at;

    CHECK_STATUS(open_fixture(&f, NULL, 1, DGM_WEIGHTS_INT8), DGM_OK);
    at = f.w;
    CHECK_INT(dgm_cpu_weights_row(at), 0);
    at.offset += 3 * K * sizeof(dgm_real);
    CHECK_INT(dgm_cpu_weights_row(at), 3);
    at.offset += sizeof(dgm_real);
    CHECK_INT(dgm_cpu_weights_row(at), -1);
    close_fixture(&f);
}

/* Rows of another matrix: each multiplies as it did where it came from; a row of nothing is
 * zeros. */
static void check_copies(enum dgm_weights kind)
{
    static const int32_t numbers[] = { 202, 0, -1, 17, 17 };
    enum { COUNT = sizeof numbers / sizeof *numbers, AT = 14 };
    const struct dgm_ref room = { NULL, 0 };
    struct dgm_copy_rows_args args;
    struct dgm_ref copy = { NULL, 0 }, index = { NULL, 0 }, whole;
    struct fixture f;

    CHECK_STATUS(open_fixture(&f, NULL, 2, kind), DGM_OK);
    whole = f.w;
    CHECK_STATUS(multiply(&f, 0, M, 0, N), DGM_OK);
    CHECK_STATUS(read_c(&f, first), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), f.device, &index.buffer, sizeof numbers), DGM_OK);
    CHECK_STATUS(dgm_device_write(test_env(), f.device, index, numbers, sizeof numbers), DGM_OK);
    CHECK_STATUS(f.device->ops->alloc_weights(test_env(), f.device, &copy.buffer, room, kind,
                                              AT + COUNT, K),
                 DGM_OK);
    memset(&args, 0, sizeof args);
    args.y = dgm_ref_at(copy, AT * K * sizeof(dgm_real));
    args.x = f.w;
    args.index = index;
    args.rows = COUNT;
    args.dim = args.ldy = args.ldx = K;
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_copy_rows, &args), DGM_OK);
    f.w = copy;
    for (int64_t j = 0; j < COUNT; j++) {
        const int64_t from = numbers[j];
        struct dgm_gemm_args product = { .form = DGM_NT,
                                         .m = M,
                                         .n = 1,
                                         .k = K,
                                         .lda = K,
                                         .ldb = K,
                                         .ldc = N,
                                         .batch = 1,
                                         .alpha = 1,
                                         .relu = 1 };

        product.a = f.a;
        product.b = dgm_ref_at(copy, (size_t)((AT + j) * K) * sizeof(dgm_real));
        product.c = f.c;
        if (from >= 0)
            product.bias = dgm_ref_at(f.bias, (size_t)from * sizeof(dgm_real));
        CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_gemm, &product), DGM_OK);
        CHECK_STATUS(read_c(&f, other), DGM_OK);
        for (int64_t i = 0; i < M; i++)
            CHECK(other[i * N] == (from < 0 ? 0 : first[i * N + from]));
    }
    args.dim = K - 1;
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_copy_rows, &args), DGM_UNSUPPORTED);
    dgm_env_clear_error(test_env());
    args.dim = K;
    args.y = f.c; /* reals */
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_copy_rows, &args), DGM_UNSUPPORTED);
    dgm_env_clear_error(test_env());
    f.w = whole;
    dgm_device_release(test_env(), f.device, copy.buffer);
    dgm_device_release(test_env(), f.device, index.buffer);
    close_fixture(&f);
}

TEST(cpu_weights_can_be_copied_by_rows)
{
    check_copies(DGM_WEIGHTS_INT8);
    check_copies(DGM_WEIGHTS_BF16);
    check_copies(DGM_WEIGHTS_PANELS);
}

/* A task that would read bytes as reals fails instead. */
TEST(cpu_weights_are_refused_by_other_tasks)
{
    struct dgm_axpby_args copy;
    struct dgm_gemm_args product = {
        .form = DGM_NN, .m = 2, .n = K, .k = N, .lda = N, .ldb = K, .ldc = K, .batch = 1, .alpha = 1
    };
    static const int32_t active = 1;
    struct dgm_lstm_forward_args lstm = { 0 };
    struct fixture f;

    CHECK_STATUS(open_fixture(&f, NULL, 1, DGM_WEIGHTS_INT8), DGM_OK);
    memset(&copy, 0, sizeof copy);
    copy.y = f.c;
    copy.x = f.w;
    copy.count = K;
    copy.a = 1;
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_axpby, &copy), DGM_UNSUPPORTED);
    CHECK(strstr(test_env()->error.message, "task axpby cannot read") != NULL);
    dgm_env_clear_error(test_env());
    product.c = f.c;
    product.a = f.a;
    product.b = f.w;
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_gemm, &product), DGM_UNSUPPORTED);
    dgm_env_clear_error(test_env());
    lstm.y = lstm.saved = f.c;
    lstm.gates = f.a;
    lstm.weight = f.w; /* (N,K): no (8H,H) */
    lstm.core.dim = K - 2;
    lstm.core.active = &active;
    lstm.core.steps = lstm.core.rows = lstm.core.sequences = 1;
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_lstm_forward, &lstm),
                 DGM_UNSUPPORTED);
    dgm_env_clear_error(test_env());
    product.b = f.a;
    product.a = f.w;
    CHECK_STATUS(dgm_device_run(test_env(), f.device, DGM_TASK_gemm, &product), DGM_UNSUPPORTED);
    dgm_env_clear_error(test_env());
    close_fixture(&f);
}
