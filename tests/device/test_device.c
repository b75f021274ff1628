/*
 * test_device.c: the device interface on the CPU: opening, memory, and every task the same to
 * the bit whatever the number of threads.
 */
#include "device/device.h"

#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "device/task.h"
#include "test.h"

enum { OPERANDS = 7, ROWS = 301, DIM = 67, VOCAB = 1009, K = 5 };

TEST(device_opens_with_a_title)
{
    struct dgm_device_options options = { 2, "c", NULL, NULL, NULL };
    struct dgm_device *device = NULL;

    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &options), DGM_OK);
    CHECK(strncmp(device->title, "CPU, c, ", 8) == 0);
    CHECK(strstr(device->title, "thread") != NULL);
    dgm_device_close(test_env(), device);
    dgm_device_close(test_env(), NULL);
    CHECK(dgm_device_count() >= 1);
    CHECK_STR(dgm_device_entry(0)->name, "cpu");
}

TEST(device_refuses_what_it_does_not_know)
{
    struct dgm_device_options options = { 1, "avx9", NULL, NULL, NULL };
    struct dgm_device *device = NULL;

    CHECK_STATUS(dgm_device_open(test_env(), &device, "abacus", &options), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "'abacus'") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &options), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "available: c") != NULL);
    dgm_env_clear_error(test_env());
    options.isa = NULL;
    options.threads = -1;
    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &options), DGM_USAGE);
    CHECK(device == NULL);
}

TEST(device_memory_is_zeroed_and_comes_back_as_written)
{
    struct dgm_device_options options = { 1, NULL, NULL, NULL, NULL };
    struct dgm_device *device = NULL;
    struct dgm_buffer *buffer = NULL, *empty = NULL;
    char text[200] = { 1 };
    struct dgm_ref at;

    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &options), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), device, &buffer, sizeof text), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), device, &empty, 0), DGM_OK);
    at.buffer = buffer;
    at.offset = 0;
    CHECK_STATUS(dgm_device_read(test_env(), device, text, at, sizeof text), DGM_OK);
    for (size_t i = 0; i < sizeof text; i++)
        CHECK_INT(text[i], 0);
    at = dgm_ref_at(at, 64);
    CHECK_STATUS(dgm_device_write(test_env(), device, at, "look", 5), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), device, text, at, 5), DGM_OK);
    CHECK_STR(text, "look");
    dgm_device_release(test_env(), device, empty);
    dgm_device_release(test_env(), device, buffer);
    dgm_device_release(test_env(), device, NULL);
    dgm_device_close(test_env(), device);
}

/* ---- the same bits on any number of threads -------------------------------------------------- */

union task_args {
    struct dgm_fill_args fill;
    struct dgm_axpby_args axpby;
    struct dgm_column_sums_args column_sums;
    struct dgm_relu_backward_args relu_backward;
    struct dgm_embed_forward_args embed_forward;
    struct dgm_embed_backward_args embed_backward;
    struct dgm_residual_forward_args residual_forward;
    struct dgm_residual_backward_args residual_backward;
    struct dgm_norm_forward_args norm_forward;
    struct dgm_norm_backward_args norm_backward;
    struct dgm_cross_entropy_args cross_entropy;
    struct dgm_log_softmax_args log_softmax;
    struct dgm_log_add_args log_add;
    struct dgm_top_k_args top_k;
    struct dgm_copy_rows_args copy_rows;
    struct dgm_activate_forward_args activate_forward;
    struct dgm_activate_backward_args activate_backward;
    struct dgm_copy_columns_args copy_columns;
    struct dgm_span_sigmoid_forward_args span_sigmoid_forward;
    struct dgm_span_sigmoid_backward_args span_sigmoid_backward;
    struct dgm_sum_squares_args sum_squares;
    struct dgm_adam_args adam;
};

/* Reals in each operand: the largest any task needs. Operand INDEX holds small indices. */
enum { REALS = ROWS * VOCAB, INDEX = OPERANDS - 1 };

struct bench {
    struct dgm_device *device;
    struct dgm_ref at[OPERANDS];
};

/* Operands full of random numbers in 0..1, the same each time. */
static dgm_status bench_fill(struct bench *bench)
{
    dgm_real *x = dgm_alloc(test_env(), REALS, sizeof *x);
    int32_t *index = dgm_alloc(test_env(), REALS, sizeof *index);
    struct dgm_random random;

    dgm_random_init(&random, 8, 0, 0, 0);
    for (int operand = 0; x && index && operand < OPERANDS; operand++) {
        for (int64_t i = 0; i < REALS; i++) {
            x[i] = (dgm_real)((double)dgm_random_word(&random) / 4294967296.0);
            index[i] = (int32_t)(i * 7919 % 61);
        }
        if (operand == INDEX)
            DGM_TRY(dgm_device_write(test_env(), bench->device, bench->at[operand], index,
                                     REALS * sizeof *index));
        else
            DGM_TRY(dgm_device_write(test_env(), bench->device, bench->at[operand], x,
                                     REALS * sizeof *x));
    }
    dgm_release(test_env(), x);
    dgm_release(test_env(), index);
    return DGM_OK;
}

static dgm_status bench_open(struct bench *bench, int threads)
{
    struct dgm_device_options options = { 0, NULL, NULL, NULL, NULL };

    options.threads = threads;
    DGM_TRY(dgm_device_open(test_env(), &bench->device, "cpu", &options));
    for (int i = 0; i < OPERANDS; i++) {
        bench->at[i].offset = 0;
        DGM_TRY(dgm_device_alloc(test_env(), bench->device, &bench->at[i].buffer,
                                 REALS * sizeof(dgm_real)));
    }
    return DGM_OK;
}

static void bench_close(struct bench *bench)
{
    for (int i = 0; i < OPERANDS; i++)
        dgm_device_release(test_env(), bench->device, bench->at[i].buffer);
    dgm_device_close(test_env(), bench->device);
}

static struct dgm_drop drop(void)
{
    const struct dgm_drop third = { (dgm_real)0.3, 3, { 4, 5 } };

    return third;
}

/* Fills in the arguments of a task; returns 0 for kinds that other tests cover. */
static int make_args(enum dgm_task_kind kind, union task_args *a, const struct bench *bench)
{
    const struct dgm_ref *at = bench->at, places = bench->at[INDEX];
    const struct dgm_ref ids = dgm_ref_at(places, 64);
    const int64_t count = 50003;

    memset(a, 0, sizeof *a);
    switch (kind) {
    case DGM_TASK_fill:
        a->fill.y = at[0], a->fill.count = count, a->fill.value = (dgm_real)0.1;
        return 1;
    case DGM_TASK_axpby:
        a->axpby.y = at[0], a->axpby.x = at[1], a->axpby.count = count;
        a->axpby.a = (dgm_real)0.3, a->axpby.b = (dgm_real)0.7;
        return 1;
    case DGM_TASK_column_sums:
        a->column_sums.y = at[0], a->column_sums.x = at[1];
        a->column_sums.m = ROWS, a->column_sums.n = VOCAB - 3, a->column_sums.ldx = VOCAB;
        return 1;
    case DGM_TASK_relu_backward:
        a->relu_backward.dx = at[0], a->relu_backward.dy = at[1], a->relu_backward.y = at[2];
        a->relu_backward.count = count, a->relu_backward.accumulate = 1;
        return 1;
    case DGM_TASK_embed_forward:
        a->embed_forward.y = at[0], a->embed_forward.table = at[1];
        a->embed_forward.ids = ids, a->embed_forward.positions = at[2];
        a->embed_forward.places = places, a->embed_forward.rows = ROWS;
        a->embed_forward.dim = DIM, a->embed_forward.scale = 2, a->embed_forward.drop = drop();
        a->embed_forward.ldy = a->embed_forward.ld_table = DIM;
        return 1;
    case DGM_TASK_embed_backward:
        a->embed_backward.dtable = at[0], a->embed_backward.dy = at[1];
        a->embed_backward.ids = ids, a->embed_backward.places = places;
        a->embed_backward.rows = ROWS, a->embed_backward.dim = DIM + 64;
        a->embed_backward.ldy = a->embed_backward.ld_table = DIM + 64;
        a->embed_backward.scale = 2, a->embed_backward.drop = drop();
        return 1;
    case DGM_TASK_residual_forward:
        a->residual_forward.y = at[0], a->residual_forward.x = at[1];
        a->residual_forward.r = at[2], a->residual_forward.places = places;
        a->residual_forward.rows = ROWS, a->residual_forward.dim = DIM;
        a->residual_forward.drop = drop();
        return 1;
    case DGM_TASK_residual_backward:
        a->residual_backward.dr = at[0], a->residual_backward.dy = at[1];
        a->residual_backward.places = places, a->residual_backward.rows = ROWS;
        a->residual_backward.dim = DIM, a->residual_backward.drop = drop();
        a->residual_backward.accumulate = 1;
        return 1;
    case DGM_TASK_norm_forward:
        a->norm_forward.y = at[0], a->norm_forward.stats = at[1], a->norm_forward.x = at[2];
        a->norm_forward.gain = at[3], a->norm_forward.bias = at[4];
        a->norm_forward.rows = ROWS, a->norm_forward.dim = DIM;
        a->norm_forward.eps = (dgm_real)1e-5;
        return 1;
    case DGM_TASK_norm_backward:
        a->norm_backward.dx = at[0], a->norm_backward.dgain = at[1];
        a->norm_backward.dbias = at[2], a->norm_backward.dy = at[3];
        a->norm_backward.x = at[4], a->norm_backward.stats = at[5];
        a->norm_backward.gain = dgm_ref_at(at[5], 64 * 1000);
        a->norm_backward.rows = ROWS, a->norm_backward.dim = DIM * 8;
        return 1;
    case DGM_TASK_cross_entropy:
        a->cross_entropy.logits = at[0], a->cross_entropy.losses = at[1];
        a->cross_entropy.targets = ids, a->cross_entropy.rows = ROWS;
        a->cross_entropy.vocab = VOCAB, a->cross_entropy.smoothing = (dgm_real)0.1;
        a->cross_entropy.grad_scale = (dgm_real)0.01;
        a->cross_entropy.form = DGM_SMOOTHING_T2T, a->cross_entropy.want_gradient = 1;
        return 1;
    case DGM_TASK_log_softmax:
        a->log_softmax.y = at[0], a->log_softmax.x = at[1];
        a->log_softmax.rows = ROWS, a->log_softmax.vocab = VOCAB;
        return 1;
    case DGM_TASK_log_add:
        a->log_add.y = at[0], a->log_add.x = at[1], a->log_add.count = count;
        return 1;
    case DGM_TASK_top_k:
        a->top_k.values = at[0], a->top_k.ids = at[1], a->top_k.x = at[2];
        a->top_k.rows = ROWS, a->top_k.vocab = VOCAB, a->top_k.k = K;
        a->top_k.forbidden[0] = 0, a->top_k.forbidden[1] = -1, a->top_k.normalize = 1;
        return 1;
    case DGM_TASK_copy_rows:
        a->copy_rows.y = at[0], a->copy_rows.x = at[1], a->copy_rows.index = ids;
        a->copy_rows.rows = ROWS, a->copy_rows.dim = DIM;
        a->copy_rows.ldy = DIM + 3, a->copy_rows.ldx = DIM + 1;
        return 1;
    case DGM_TASK_activate_forward:
        a->activate_forward.y = at[0], a->activate_forward.x = at[1];
        a->activate_forward.count = count, a->activate_forward.kind = DGM_SWISH;
        return 1;
    case DGM_TASK_activate_backward:
        a->activate_backward.dx = at[0], a->activate_backward.dy = at[1];
        a->activate_backward.v = at[2], a->activate_backward.count = count;
        a->activate_backward.kind = DGM_TANH, a->activate_backward.accumulate = 1;
        return 1;
    case DGM_TASK_copy_columns:
        a->copy_columns.y = at[0], a->copy_columns.x = at[1], a->copy_columns.rows = ROWS;
        a->copy_columns.groups = 3, a->copy_columns.width = DIM;
        a->copy_columns.ldy = DIM * 4, a->copy_columns.step_y = DIM + 3;
        a->copy_columns.ldx = DIM * 5, a->copy_columns.step_x = DIM;
        a->copy_columns.accumulate = 1;
        return 1;
    case DGM_TASK_span_sigmoid_forward:
        a->span_sigmoid_forward.y = at[0], a->span_sigmoid_forward.x = at[1];
        a->span_sigmoid_forward.owners = ids, a->span_sigmoid_forward.counts = places;
        a->span_sigmoid_forward.rows = ROWS, a->span_sigmoid_forward.cols = DIM;
        a->span_sigmoid_forward.floor = 1;
        return 1;
    case DGM_TASK_span_sigmoid_backward:
        a->span_sigmoid_backward.dx = at[0], a->span_sigmoid_backward.dy = at[1];
        a->span_sigmoid_backward.y = at[2], a->span_sigmoid_backward.owners = ids;
        a->span_sigmoid_backward.counts = places, a->span_sigmoid_backward.rows = ROWS;
        a->span_sigmoid_backward.cols = DIM, a->span_sigmoid_backward.floor = (dgm_real)0.1;
        return 1;
    case DGM_TASK_sum_squares:
        a->sum_squares.y = at[0], a->sum_squares.x = at[1], a->sum_squares.count = count;
        return 1;
    case DGM_TASK_adam:
        a->adam.param = at[0], a->adam.m = at[1], a->adam.v = at[2], a->adam.grad = at[3];
        a->adam.count = count, a->adam.rate = (dgm_real)1e-3;
        a->adam.step_size = (dgm_real)1e-3, a->adam.beta1 = (dgm_real)0.9;
        a->adam.beta2 = (dgm_real)0.98, a->adam.eps = (dgm_real)1e-9;
        a->adam.grad_scale = (dgm_real)0.5;
        return 1;
    default: return 0;
    }
}

/* Runs every task once; hashes[kind] sums up all operands afterwards. */
static void run_all(struct bench *bench, uint32_t *hashes)
{
    unsigned char *bytes = dgm_alloc(test_env(), REALS, sizeof(dgm_real));
    union task_args args;

    CHECK(bytes != NULL);
    for (int kind = 0; kind < DGM_TASK_COUNT; kind++) {
        hashes[kind] = 2166136261u;
        if (!make_args((enum dgm_task_kind)kind, &args, bench))
            continue;
        CHECK_STATUS(bench_fill(bench), DGM_OK);
        CHECK_STATUS(dgm_device_run(test_env(), bench->device, (enum dgm_task_kind)kind, &args),
                     DGM_OK);
        for (int operand = 0; operand < 3; operand++) {
            CHECK_STATUS(dgm_device_read(test_env(), bench->device, bytes, bench->at[operand],
                                         REALS * sizeof(dgm_real)),
                         DGM_OK);
            for (size_t i = 0; i < REALS * sizeof(dgm_real); i++)
                hashes[kind] = (hashes[kind] ^ bytes[i]) * 16777619u;
        }
    }
    dgm_release(test_env(), bytes);
}

TEST(device_tasks_give_the_same_bits_on_any_number_of_threads)
{
    static uint32_t hashes[4][DGM_TASK_COUNT];

    for (int threads = 1; threads <= 3; threads++) {
        struct bench bench;
        CHECK_STATUS(bench_open(&bench, threads), DGM_OK);
        run_all(&bench, hashes[threads]);
        bench_close(&bench);
    }
    for (int kind = 0; kind < DGM_TASK_COUNT; kind++) {
        CHECK(hashes[1][kind] == hashes[2][kind]);
        CHECK(hashes[1][kind] == hashes[3][kind]);
    }
}

TEST(device_tasks_do_not_allocate_when_warm)
{
    union task_args args;
    struct bench bench;
    long before = 0;

    CHECK_STATUS(bench_open(&bench, 2), DGM_OK);
    CHECK_STATUS(bench_fill(&bench), DGM_OK);
    for (int round = 0; round < 2; round++) {
        before = test_allocations();
        for (int kind = 0; kind < DGM_TASK_COUNT; kind++)
            if (make_args((enum dgm_task_kind)kind, &args, &bench))
                CHECK_STATUS(dgm_device_run(test_env(), bench.device, (enum dgm_task_kind)kind,
                                            &args),
                             DGM_OK);
    }
    CHECK_INT(test_allocations(), before);
    bench_close(&bench);
}

/* Column 2 of the initial content: y[2], and every row of x. */
static double column_sum(struct bench *bench, struct dgm_ref y, struct dgm_ref x, int64_t ldx)
{
    double sum = 0;
    dgm_real three[3] = { 0, 0, 0 };

    for (int64_t row = -1; row < ROWS; row++) {
        struct dgm_ref at = row < 0 ? y : dgm_ref_at(x, (size_t)(row * ldx) * sizeof three[0]);
        if (dgm_device_read(test_env(), bench->device, three, at, sizeof three) == DGM_OK)
            sum += (double)three[2];
    }
    return sum;
}

static void check_sum(struct bench *bench, enum dgm_task_kind kind, int y, int x, int64_t ldx)
{
    union task_args args;
    dgm_real got[3];
    double want;

    CHECK_STATUS(bench_fill(bench), DGM_OK);
    want = column_sum(bench, bench->at[y], bench->at[x], ldx);
    CHECK(make_args(kind, &args, bench));
    CHECK_STATUS(dgm_device_run(test_env(), bench->device, kind, &args), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), bench->device, got, bench->at[y], sizeof got), DGM_OK);
    CHECK_NEAR(got[2], want, want * ROWS * 6e-8);
}

TEST(device_sums_add_all_their_blocks)
{
    union task_args args;
    struct bench bench;
    double squares;

    CHECK_STATUS(bench_open(&bench, 2), DGM_OK);
    memset(&args, 0, sizeof args);
    args.fill.y = bench.at[1], args.fill.count = 50003, args.fill.value = 3;
    CHECK_STATUS(dgm_device_run(test_env(), bench.device, DGM_TASK_fill, &args), DGM_OK);
    make_args(DGM_TASK_sum_squares, &args, &bench);
    CHECK_STATUS(dgm_device_run(test_env(), bench.device, DGM_TASK_sum_squares, &args), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), bench.device, &squares, bench.at[0], sizeof squares),
                 DGM_OK);
    CHECK_NEAR(squares, 9 * 50003.0, 0);
    check_sum(&bench, DGM_TASK_column_sums, 0, 1, VOCAB);
    check_sum(&bench, DGM_TASK_norm_backward, 2, 3, DIM * 8); /* dbias: the sum of dy */
    bench_close(&bench);
}

/* The worked example of specification 1.8, in both readings of label smoothing. */
TEST(device_smooths_labels_both_ways)
{
    static const double losses[2] = { 0.724438, 0.761938 };
    static const double gradient[2][5] = {
        { 0.187124, 0.105627, -0.356979, 0.008031, 0.056197 },
        { 0.182124, 0.100627, -0.336979, 0.003031, 0.051197 },
    };
    const dgm_real logits[5] = { 1, (dgm_real)0.5, 2, -1, 0 };
    const int32_t target = 2;
    struct dgm_cross_entropy_args args;
    struct bench bench;
    dgm_real got[5];

    CHECK_STATUS(bench_open(&bench, 1), DGM_OK);
    memset(&args, 0, sizeof args);
    args.logits = bench.at[0], args.losses = bench.at[1], args.targets = bench.at[2];
    args.rows = 1, args.vocab = 5, args.smoothing = (dgm_real)0.1, args.grad_scale = 1;
    args.want_gradient = 1;
    CHECK_STATUS(dgm_device_write(test_env(), bench.device, args.targets, &target, sizeof target),
                 DGM_OK);
    for (int form = 0; form < 2; form++) {
        args.form = form ? DGM_SMOOTHING_T2T : DGM_SMOOTHING_OLD;
        CHECK_STATUS(dgm_device_write(test_env(), bench.device, args.logits, logits, sizeof logits),
                     DGM_OK);
        CHECK_STATUS(dgm_device_run(test_env(), bench.device, DGM_TASK_cross_entropy, &args),
                     DGM_OK);
        CHECK_STATUS(dgm_device_read(test_env(), bench.device, got, args.logits, sizeof got),
                     DGM_OK);
        for (int j = 0; j < 5; j++)
            CHECK_NEAR(got[j], gradient[form][j], 1e-6);
        CHECK_STATUS(dgm_device_read(test_env(), bench.device, got, args.losses, 2 * sizeof got[0]),
                     DGM_OK);
        CHECK_NEAR(got[0], losses[form], 1e-6);
        CHECK_NEAR(got[1], 0.574438, 1e-6);
    }
    bench_close(&bench);
}
