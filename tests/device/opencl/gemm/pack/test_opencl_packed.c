/*
 * test_opencl_packed.c: rows that are packed by the kernels that make them, for products in bf16
 * and tf32: a product of them has the bits of one whose operands a launch packs, with every layout
 * of fragments; and they are forgotten when the rows change. The instruction is emulated. Skipped
 * without an OpenCL device.
 */
#include <string.h>

#include "base/philox.h"
#include "config.h"
#include "opencl_case.h"

#ifdef DGM_HAVE_OPENCL
#include <stddef.h>

#include "device/opencl/core/opencl.h"
#include "device/opencl/gemm/pack/pack.h"
#include "device/opencl/gemm/pack/packed_rows.h"

/* Rows fill three fragments, the last in part; columns two stages of bf16. */
enum { ROWS = 40, DIM = 64, OUT = 48, HEADS = 2, WORDS = 11 };

static struct on {
    struct dgm_device *device;
    struct dgm_opencl *opencl;
    struct dgm_ref x, y, h, table, weights, c, stats, ones, ids, starts;
} on;

static void place(struct dgm_ref *ref, const void *words, size_t count)
{
    CHECK_STATUS(dgm_device_alloc(test_env(), on.device, &ref->buffer, count * 4), DGM_OK);
    CHECK_STATUS(dgm_device_write(test_env(), on.device, *ref, words, count * 4), DGM_OK);
}

static void place_reals(struct dgm_ref *ref, size_t count)
{
    static dgm_real host[DIM * DIM];
    struct dgm_random random;

    dgm_random_init(&random, 7, (uint32_t)count, 0, 0);
    for (size_t i = 0; i < count; i++)
        host[i] = (dgm_real)(dgm_random_unit(&random) - 0.5);
    place(ref, host, count);
}

static void open_rows(void)
{
    static const int32_t starts[] = { 0, 17, ROWS, 17, ROWS - 17 };
    int32_t ids[ROWS];

    memset(&on.x, 0, sizeof on - offsetof(struct on, x));
    for (int i = 0; i < ROWS; i++)
        ids[i] = i * 7 % WORDS;
    place_reals(&on.x, ROWS * DIM);
    place_reals(&on.y, ROWS * DIM);
    place_reals(&on.h, ROWS * DIM);
    place_reals(&on.c, ROWS * OUT);
    place_reals(&on.table, WORDS * DIM);
    place_reals(&on.weights, DIM * DIM);
    place_reals(&on.stats, 2 * ROWS);
    place_reals(&on.ones, DIM);
    place(&on.ids, ids, ROWS);
    place(&on.starts, starts, 5);
}

static void close_rows(void)
{
    static const struct dgm_ref *const all[] = { &on.x,     &on.y,       &on.h,     &on.c,
                                                 &on.table, &on.weights, &on.stats, &on.ones,
                                                 &on.ids,   &on.starts };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dgm_device_release(test_env(), on.device, all[i]->buffer);
    dgm_device_close(test_env(), on.device);
}

static void run(enum dgm_task_kind kind, const void *args)
{
    CHECK_STATUS(dgm_device_run(test_env(), on.device, kind, args), DGM_OK);
}

/* ---- who makes rows -------------------------------------------------------------------------- */

static void embed(void)
{
    const struct dgm_embed_forward_args args = { .y = on.y,
                                                 .table = on.table,
                                                 .ids = on.ids,
                                                 .places = on.ids,
                                                 .rows = ROWS,
                                                 .dim = DIM,
                                                 .ldy = DIM,
                                                 .ld_table = DIM,
                                                 .scale = 3 };

    run(DGM_TASK_embed_forward, &args);
}

static void residual_norm(void)
{
    const struct dgm_residual_forward_args residual = {
        .y = on.h, .x = on.x, .r = on.y, .places = on.ids, .rows = ROWS, .dim = DIM
    };
    const struct dgm_norm_forward_args norm = { .y = on.y,
                                                .stats = on.stats,
                                                .x = on.h,
                                                .gain = on.ones,
                                                .bias = on.ones,
                                                .rows = ROWS,
                                                .dim = DIM,
                                                .eps = (dgm_real)1e-5 };

    run(DGM_TASK_residual_forward, &residual);
    run(DGM_TASK_norm_forward, &norm);
}

/* Two sentences. */
static void attend(void)
{
    struct dgm_attention_forward_args args;

    memset(&args, 0, sizeof args);
    args.z = on.y;
    args.in.q = args.in.k = args.in.v = on.x;
    args.in.q_offsets = args.in.k_starts = args.in.k_counts = on.starts;
    args.in.k_counts.offset = 3 * sizeof(int32_t);
    args.core.sentences = 2;
    args.core.heads = HEADS;
    args.core.head_dim = DIM / HEADS;
    args.core.ldq = args.core.ldk = args.core.ldv = args.core.ldz = DIM;
    args.core.rows = args.core.key_rows_total = ROWS;
    args.core.scale = 1;
    run(DGM_TASK_attention_forward, &args);
}

static struct dgm_gemm_args product(struct dgm_ref c, struct dgm_ref a, int64_t n)
{
    const struct dgm_gemm_args args = { .c = c,
                                        .a = a,
                                        .b = on.weights,
                                        .form = DGM_NT,
                                        .m = ROWS,
                                        .n = n,
                                        .k = DIM,
                                        .lda = DIM,
                                        .ldb = DIM,
                                        .ldc = n,
                                        .batch = 1,
                                        .alpha = 1 };

    return args;
}

static void relu(void)
{
    struct dgm_gemm_args args = product(on.y, on.x, DIM);

    args.relu = 1;
    run(DGM_TASK_gemm, &args);
}

/* ---- products of them ------------------------------------------------------------------------ */

static void multiply(dgm_real c[ROWS * OUT])
{
    const struct dgm_gemm_args args = product(on.c, on.y, OUT);

    run(DGM_TASK_gemm, &args);
    CHECK_STATUS(dgm_device_read(test_env(), on.device, c, on.c, ROWS * OUT * 4), DGM_OK);
}

/* The same rows, written by the host: nothing is packed of them any more. */
static void rewrite(void)
{
    static dgm_real y[ROWS * DIM];

    CHECK_STATUS(dgm_device_read(test_env(), on.device, y, on.y, sizeof y), DGM_OK);
    CHECK_STATUS(dgm_device_write(test_env(), on.device, on.y, y, sizeof y), DGM_OK);
}

/* Which rows a product read shows in the table. */
static void check_maker(void (*make)(void), enum dgm_cl_kernel_id id)
{
    static dgm_real packed[ROWS * OUT], again[ROWS * OUT];
    uint64_t made;

    make();
    made = on.opencl->packed_count;
    CHECK(made > 0 && on.opencl->packs[id] && !on.opencl->packs_not[id]);
    multiply(packed);
    CHECK(on.opencl->packed[on.opencl->packed_reading].made == made);
    CHECK(on.opencl->packed[on.opencl->packed_reading].is_read_at_once);
    rewrite();
    CHECK(!on.opencl->packed[on.opencl->packed_reading].is_there);
    multiply(again);
    CHECK(memcmp(packed, again, sizeof packed) == 0);
}

/* ---- what changes them ----------------------------------------------------------------------- */

static int is_known(void)
{
    return dgm_cl_packed_rows_find(on.opencl, on.y, ROWS, DIM).buffer != NULL;
}

/* One operand of y, of a task whose reach is known, and of one whose is not. */
static void check_changes(void)
{
    const struct dgm_axpby_args twice = { .y = on.y, .x = on.x, .count = 1, .a = 1, .b = 2 };
    const struct dgm_axpby_args apart = { .y = on.h, .x = on.y, .count = 1, .a = 1, .b = 2 };
    struct dgm_ref later = on.y;

    embed();
    CHECK(is_known());
    later.offset = DGM_LINES * DIM * sizeof(dgm_real);
    CHECK(dgm_cl_packed_rows_find(on.opencl, later, ROWS - DGM_LINES, DIM).offset ==
          DGM_LINES * DIM * 2);
    CHECK(dgm_cl_packed_rows_find(on.opencl, later, ROWS - DGM_LINES + 1, DIM).buffer == NULL);
    CHECK(dgm_cl_packed_rows_find(on.opencl, on.y, ROWS, DIM / 2).buffer == NULL);
    later.offset += DIM * sizeof(dgm_real); /* no whole fragment before it */
    CHECK(dgm_cl_packed_rows_find(on.opencl, later, 1, DIM).buffer == NULL);
    run(DGM_TASK_axpby, &apart);
    CHECK(is_known());
    run(DGM_TASK_axpby, &twice);
    CHECK(!is_known());
}

/* Its reach is not known: all of the buffer counts. */
static void check_unknown(void)
{
    struct dgm_copy_rows_args args = {
        .y = on.y, .x = on.x, .index = on.ids, .rows = 1, .dim = 1, .ldy = DIM, .ldx = DIM
    };

    embed();
    CHECK(is_known());
    args.y.offset = (ROWS * DIM - 1) * sizeof(dgm_real);
    run(DGM_TASK_copy_rows, &args);
    CHECK(!is_known());
}

/* Rows that the product behind them does not read outlast those that it does. */
static void check_places(void)
{
    embed();
    for (int i = 0; i < 4; i++) {
        struct dgm_gemm_args args = product(on.h, on.x, DIM), next = product(on.c, on.h, OUT);

        args.relu = 1;
        run(DGM_TASK_gemm, &args);
        run(DGM_TASK_gemm, &next);
        CHECK(dgm_cl_packed_rows_find(on.opencl, on.h, ROWS, DIM).buffer != NULL);
    }
    CHECK(is_known());
}

/* ---- weights --------------------------------------------------------------------------------- */

static void update(void)
{
    const struct dgm_adam_args args = { .param = on.weights,
                                        .m = on.x,
                                        .v = on.h,
                                        .grad = on.y,
                                        .count = DIM,
                                        .rate = (dgm_real)0.1,
                                        .step_size = (dgm_real)0.1,
                                        .eps = 1,
                                        .grad_scale = 1 };

    run(DGM_TASK_adam, &args);
}

/* c of a product forwards, then of one backwards. */
static void both_ways(dgm_real c[2 * ROWS * OUT])
{
    struct dgm_gemm_args args = product(on.c, on.y, OUT);

    multiply(c);
    args.form = DGM_NN;
    run(DGM_TASK_gemm, &args);
    CHECK_STATUS(dgm_device_read(test_env(), on.device, c + ROWS * OUT, on.c, ROWS * OUT * 4),
                 DGM_OK);
}

/* The first update tells which buffer it is; the second finds matrices to pack again, and other
 * numbers in them. A copy of the weights, in a buffer of its own, is packed at each product. */
static void check_weights(void)
{
    static dgm_real kept[2 * ROWS * OUT], before[2 * ROWS * OUT], again[2 * ROWS * OUT];
    static dgm_real w[DIM * DIM];
    const struct dgm_ref weights = on.weights;
    struct dgm_ref copy = { NULL, 0 };

    update();
    CHECK(on.opencl->weights.from == on.weights.buffer);
    both_ways(before);
    CHECK_INT(on.opencl->weights.count, 2);
    CHECK(on.opencl->weights.is_valid);
    update();
    CHECK(!on.opencl->weights.is_valid);
    both_ways(kept);
    CHECK_INT(on.opencl->weights.count, 2);
    CHECK(memcmp(kept, before, sizeof kept) != 0);
    CHECK_STATUS(dgm_device_read(test_env(), on.device, w, weights, sizeof w), DGM_OK);
    place(&copy, w, DIM * DIM);
    on.weights = copy;
    both_ways(again);
    on.weights = weights;
    CHECK(memcmp(kept, again, sizeof kept) == 0);
    dgm_device_release(test_env(), on.device, copy.buffer);
    CHECK_STATUS(dgm_device_write(test_env(), on.device, on.weights, w, 4), DGM_OK);
    CHECK(!on.opencl->weights.is_valid);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void check_makers(const char *tensor, const char *precision)
{
    const struct dgm_device_options options = { 1, NULL, "all", NULL, precision };
    const int is_bf16 = strcmp(precision, "bf16") == 0;

    setenv("DGM_CL_TENSOR", tensor, 1);
    CHECK_STATUS(dgm_device_open(test_env(), &on.device, "opencl", &options), DGM_OK);
    on.opencl = (struct dgm_opencl *)on.device;
    open_rows();
    check_maker(embed, DGM_KERNEL_embed_forward);
    check_maker(residual_norm, DGM_KERNEL_residual_norm_forward);
    check_maker(attend, DGM_KERNEL_attention_forward_plain);
    if (is_bf16) {
        check_changes();
        check_unknown();
        check_places();
    }
    check_maker(relu, is_bf16 ? DGM_KERNEL_gemm_bf16_64 : DGM_KERNEL_gemm_tf32_64);
    check_weights();
    close_rows();
}

#define HAS_DEVICE()                        \
    do {                                    \
        struct dgm_device *any_ = NULL;     \
                                            \
        OPENCL_OPEN(&any_);                 \
        dgm_device_close(test_env(), any_); \
    } while (0)

TEST(opencl_packed_rows_give_the_same_bits)
{
    HAS_DEVICE();
    check_makers("emulated", "bf16");
}

TEST(opencl_packed_rows_give_the_same_bits_in_each_layout)
{
    static const char *const ways[] = { "emulated-mfma", "emulated-wmma", "emulated-xmx16",
                                        "emulated-xmx8" };

    FOR_CHECK_DEVICE();
    HAS_DEVICE();
    check_makers("emulated", "tf32");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        check_makers(ways[i], "bf16");
}
#else
TEST(opencl_packed_rows_give_the_same_bits)
{
    TEST_SKIP("this build has no OpenCL");
}

TEST(opencl_packed_rows_give_the_same_bits_in_each_layout)
{
    TEST_SKIP("this build has no OpenCL");
}
#endif
