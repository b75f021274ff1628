/*
 * Tests of the matrix product: kernels of every instruction set and their cutting into tiles,
 * against sums in double, and the promise of gemm.h: an element's bits depend on its row, its
 * column and the options alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "device/device.h"
#include "device/task.h"
#include "kernel/kernel.h"
#include "test.h"

/* One product with operands of its own; strides of a batch follow from the sizes. */
struct product {
    enum dgm_gemm_form form;
    int64_t m, n, k, gap; /* gap: reals between the end of a row and the next */
    int64_t batch;
    dgm_real alpha, beta;
    int bias, relu;
};

/* Operands of a product on the host. The gaps of a and b hold NaN, those of c a guard value. */
struct operands {
    dgm_real *a, *b, *bias, *c;
    int64_t a_rows, a_cols, b_rows, b_cols;
    int64_t a_count, b_count, c_count; /* reals, with gaps, of the whole batch */
};

#define GUARD ((dgm_real)-77.25)

static int64_t extent(int64_t rows, int64_t cols, int64_t gap, int64_t batch)
{
    return rows == 0 || cols == 0 ? 0 : batch * rows * (cols + gap) - gap;
}

static dgm_real *matrix(struct dgm_random *random, int64_t count, int64_t cols, int64_t gap,
                        dgm_real filler)
{
    dgm_real *x = dgm_alloc(test_env(), (size_t)count, sizeof *x);

    for (int64_t i = 0; x && i < count; i++)
        x[i] = i % (cols + gap) < cols ? (dgm_real)(2 * dgm_random_unit(random) - 1) : filler;
    return x;
}

static int operands_make(struct operands *o, const struct product *p)
{
    struct dgm_random random;

    dgm_random_init(&random, 5, 0, (uint32_t)p->m, (uint32_t)p->n);
    o->a_rows = p->form == DGM_TN ? p->k : p->m;
    o->a_cols = p->form == DGM_TN ? p->m : p->k;
    o->b_rows = p->form == DGM_NT ? p->n : p->k;
    o->b_cols = p->form == DGM_NT ? p->k : p->n;
    o->a_count = extent(o->a_rows, o->a_cols, p->gap, p->batch);
    o->b_count = extent(o->b_rows, o->b_cols, p->gap, p->batch);
    o->c_count = extent(p->m, p->n, p->gap, p->batch);
    o->a = matrix(&random, o->a_count, o->a_cols, p->gap, (dgm_real)NAN);
    o->b = matrix(&random, o->b_count, o->b_cols, p->gap, (dgm_real)NAN);
    o->bias = matrix(&random, p->n, p->n, 0, 0);
    o->c = matrix(&random, o->c_count, p->n, p->gap, GUARD);
    return o->a && o->b && o->bias && o->c;
}

static void operands_clear(struct operands *o)
{
    dgm_release(test_env(), o->a);
    dgm_release(test_env(), o->b);
    dgm_release(test_env(), o->bias);
    dgm_release(test_env(), o->c);
}

static dgm_status upload(struct dgm_device *device, struct dgm_ref *ref, const dgm_real *from,
                         int64_t count)
{
    const size_t bytes = (size_t)count * sizeof *from;

    ref->offset = 0;
    DGM_TRY(dgm_device_alloc(test_env(), device, &ref->buffer, bytes));
    return dgm_device_write(test_env(), device, *ref, from, bytes);
}

/* Columns j0.. of n and rows i0.. of m of the product alone; c receives all of C. */
struct part {
    int64_t i0, m, j0, n;
};

static void fill_args(struct dgm_gemm_args *args, const struct product *p, const struct operands *o,
                      const struct part *part)
{
    const size_t real = sizeof(dgm_real);

    args->form = p->form;
    args->m = part->m;
    args->n = part->n;
    args->k = p->k;
    args->lda = o->a_cols + p->gap;
    args->ldb = o->b_cols + p->gap;
    args->ldc = p->n + p->gap;
    args->batch = p->batch;
    args->stride_a = o->a_rows * args->lda;
    args->stride_b = o->b_rows * args->ldb;
    args->stride_c = p->m * args->ldc;
    args->alpha = p->alpha;
    args->beta = p->beta;
    args->relu = p->relu;
    args->a.offset = (size_t)(part->i0 * (p->form == DGM_TN ? 1 : args->lda)) * real;
    args->b.offset = (size_t)(part->j0 * (p->form == DGM_NT ? args->ldb : 1)) * real;
    args->c.offset = (size_t)(part->i0 * args->ldc + part->j0) * real;
    args->bias.offset = (size_t)part->j0 * real;
}

/* Runs a part on a device and reads all of C back into `c`. */
static dgm_status run_part(struct dgm_device *device, const struct product *p,
                           const struct operands *o, const struct part *part, dgm_real *c)
{
    struct dgm_gemm_args args = { 0 };
    struct dgm_ref all = { NULL, 0 };
    dgm_status status;

    DGM_TRY_OUT(upload(device, &args.a, o->a, o->a_count));
    DGM_TRY_OUT(upload(device, &args.b, o->b, o->b_count));
    DGM_TRY_OUT(upload(device, &args.c, o->c, o->c_count));
    if (p->bias)
        DGM_TRY_OUT(upload(device, &args.bias, o->bias, p->n));
    fill_args(&args, p, o, part);
    DGM_TRY_OUT(dgm_device_run(test_env(), device, DGM_TASK_gemm, &args));
    all.buffer = args.c.buffer;
    status = dgm_device_read(test_env(), device, c, all, (size_t)o->c_count * sizeof *c);
out:
    dgm_device_release(test_env(), device, args.a.buffer);
    dgm_device_release(test_env(), device, args.b.buffer);
    dgm_device_release(test_env(), device, args.c.buffer);
    dgm_device_release(test_env(), device, args.bias.buffer);
    return status;
}

static dgm_status run_all(struct dgm_device *device, const struct product *p,
                          const struct operands *o, dgm_real *c)
{
    const struct part all = { 0, p->m, 0, p->n };

    return run_part(device, p, o, &all, c);
}

static dgm_real *copy_of_c(const struct operands *o)
{
    dgm_real *c = dgm_alloc(test_env(), (size_t)o->c_count, sizeof *c);

    if (c && o->c_count > 0)
        memcpy(c, o->c, (size_t)o->c_count * sizeof *c);
    return c;
}

/* ---- against sums in double -------------------------------------------------------------- */

/* Whether element (i,j) of one product of the batch lies within the bound on rounding. */
static int element_is_right(const struct product *p, const struct operands *o, int64_t item,
                            int64_t i, int64_t j, const dgm_real *got)
{
    const int64_t lda = o->a_cols + p->gap, ldb = o->b_cols + p->gap, ldc = p->n + p->gap;
    const dgm_real *a = o->a + item * o->a_rows * lda, *b = o->b + item * o->b_rows * ldb;
    const int64_t at = (item * p->m + i) * ldc + j;
    const double unit = sizeof(dgm_real) == 4 ? 5.97e-8 : 1.12e-16;
    double sum = 0, size = 0, want;

    for (int64_t t = 0; t < p->k; t++) {
        double x = (double)a[p->form == DGM_TN ? t * lda + i : i * lda + t] *
                   (double)b[p->form == DGM_NT ? j * ldb + t : t * ldb + j];
        sum += x;
        size += fabs(x);
    }
    want = (double)p->alpha * sum;
    size *= fabs((double)p->alpha);
    if (p->beta != 0) {
        want += (double)p->beta * (double)o->c[at];
        size += fabs((double)p->beta * (double)o->c[at]);
    }
    if (p->bias) {
        want += (double)o->bias[j];
        size += fabs((double)o->bias[j]);
    }
    if (p->relu && want < 0)
        want = 0;
    return fabs((double)got[at] - want) <= (double)(p->k + 8) * 1.01 * unit * size;
}

static int product_is_right(const struct product *p, const struct operands *o, const dgm_real *got)
{
    const int64_t ldc = p->n + p->gap;
    const int64_t every = o->c_count * p->k < 2000000 ? 1 : 23; /* large ones are sampled */

    for (int64_t i = 0; i < o->c_count; i += every) {
        int64_t item = i / (p->m * ldc), row = i / ldc % p->m, j = i % ldc;

        if (j < p->n ? !element_is_right(p, o, item, row, j, got) : got[i] != GUARD)
            return 0;
    }
    return 1;
}

/* Every form of a product, on one device. */
static void check_forms(struct dgm_device *device, struct product p)
{
    static const enum dgm_gemm_form forms[] = { DGM_NN, DGM_NT, DGM_TN };

    for (int f = 0; f < 3; f++) {
        struct operands o;
        dgm_real *c;

        p.form = forms[f];
        CHECK(operands_make(&o, &p));
        c = copy_of_c(&o);
        CHECK(c != NULL);
        CHECK_STATUS(run_all(device, &p, &o, c), DGM_OK);
        CHECK(product_is_right(&p, &o, c));
        dgm_release(test_env(), c);
        operands_clear(&o);
    }
}

static dgm_status open_isa(struct dgm_device **device, size_t isa, int threads)
{
    struct dgm_device_options options = { 0, NULL, NULL, NULL, NULL };

    options.threads = threads;
    options.isa = dgm_kernels_name(isa);
    return dgm_device_open(test_env(), device, "cpu", &options);
}

/* Calls `check` on a device of each instruction set that runs here. */
static void on_every_isa(int threads, void (*check)(struct dgm_device *device))
{
    for (size_t isa = 0; isa < dgm_kernels_count(); isa++) {
        struct dgm_device *device;

        if (!dgm_kernels_entry(isa))
            continue;
        CHECK_STATUS(open_isa(&device, isa, threads), DGM_OK);
        check(device);
        dgm_device_close(test_env(), device);
    }
}

static struct product product_of(int64_t m, int64_t n, int64_t k)
{
    struct product p = { DGM_NN, 0, 0, 0, 0, 1, 1, 0, 0, 0 };

    p.m = m;
    p.n = n;
    p.k = k;
    return p;
}

/* Options that change from case to case, so that all of them meet all sizes. */
static struct product with_options(struct product p, int64_t turn)
{
    static const dgm_real alphas[] = { 1, (dgm_real)-0.75, 1 }, betas[] = { 0, 1, (dgm_real)0.5 };

    p.gap = turn % 4 == 3 ? 5 : 0;
    p.alpha = alphas[turn % 3];
    p.beta = betas[turn / 2 % 3];
    p.bias = turn % 5 < 2;
    p.relu = turn % 7 < 2;
    return p;
}

static void check_small_sizes(struct dgm_device *device)
{
    int64_t turn = 0;

    for (int64_t m = 1; m <= 40; m++)
        for (int64_t n = 1 + m % 3; n <= 40; n += 3, turn++)
            check_forms(device, with_options(product_of(m, n, 1 + (turn * 7 + m) % 40), turn));
    for (int64_t k = 1; k <= 40; k++)
        check_forms(device, with_options(product_of(1 + k % 17, 1 + k * 5 % 37, k), k));
}

TEST(gemm_agrees_with_double_sums_on_small_sizes)
{
    on_every_isa(1, check_small_sizes);
}

static void check_block_edges(struct dgm_device *device)
{
    static const int64_t sizes[][3] = {
        { 1, 67, 257 },   { 13, 131, 521 },  { 15, 64, 512 },  { 47, 97, 769 },
        { 49, 33, 256 },  { 53, 67, 263 },   { 113, 31, 257 }, { 127, 131, 61 },
        { 227, 61, 131 }, { 50, 521, 1024 }, { 61, 1, 300 },   { 250, 17, 9 },
    };

    for (int i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++)
        check_forms(device, with_options(product_of(sizes[i][0], sizes[i][1], sizes[i][2]), i));
}

TEST(gemm_agrees_with_double_sums_past_the_edges_of_blocks)
{
    on_every_isa(2, check_block_edges);
}

static void check_large_edges(struct dgm_device *device)
{
    check_forms(device, with_options(product_of(51, 4111, 37), 3));
    check_forms(device, with_options(product_of(53, 1031, 1283), 1));
}

TEST(gemm_agrees_with_double_sums_where_panels_are_made_in_turns)
{
    on_every_isa(2, check_large_edges);
}

static void check_batches(struct dgm_device *device)
{
    for (int64_t turn = 0; turn < 12; turn++) {
        struct product p = with_options(product_of(1 + turn * 11, 70 - turn * 5, 9 + turn), turn);

        p.batch = 1 + turn % 4;
        check_forms(device, p);
    }
}

TEST(gemm_runs_batches)
{
    on_every_isa(2, check_batches);
}

/* ---- what is read and written -------------------------------------------------------------- */

static void check_beta_zero(struct dgm_device *device)
{
    static const int64_t rows[] = { 1, 9, 40, 70 };

    for (int i = 0; i < 4; i++) {
        struct product p = with_options(product_of(rows[i], 43, 300), 0);
        struct operands o;
        dgm_real *c;

        CHECK(operands_make(&o, &p));
        for (int64_t j = 0; j < o.c_count; j++)
            o.c[j] = (dgm_real)NAN;
        c = copy_of_c(&o);
        CHECK(c != NULL);
        CHECK_STATUS(run_all(device, &p, &o, c), DGM_OK);
        CHECK(product_is_right(&p, &o, c));
        dgm_release(test_env(), c);
        operands_clear(&o);
    }
}

TEST(gemm_does_not_read_c_when_beta_is_zero)
{
    on_every_isa(1, check_beta_zero);
}

static void check_empty(struct dgm_device *device)
{
    check_forms(device, with_options(product_of(3, 37, 0), 4));
    check_forms(device, with_options(product_of(60, 5, 0), 2));
    check_forms(device, product_of(0, 5, 3));
    check_forms(device, product_of(5, 0, 3));
}

TEST(gemm_of_no_steps_scales_c_and_of_no_elements_does_nothing)
{
    on_every_isa(1, check_empty);
}

static void check_nan(struct dgm_device *device)
{
    struct product p = product_of(60, 33, 20);
    struct operands o;
    dgm_real *c;

    p.relu = 1;
    CHECK(operands_make(&o, &p));
    o.a[7 * p.k + 3] = (dgm_real)NAN;
    c = copy_of_c(&o);
    CHECK(c != NULL);
    CHECK_STATUS(run_all(device, &p, &o, c), DGM_OK);
    for (int64_t i = 0; i < p.m * p.n; i++)
        CHECK((i / p.n == 7) == (isnan(c[i]) != 0));
    dgm_release(test_env(), c);
    operands_clear(&o);
}

TEST(gemm_carries_nan_through_relu_and_into_no_other_row)
{
    on_every_isa(1, check_nan);
}

/* ---- bits ---------------------------------------------------------------------------------- */

/* Computes a part alone and compares it with the same elements of the whole, bit for bit. */
static void check_part(struct dgm_device *device, const struct product *p, const struct operands *o,
                       const struct part *part, const dgm_real *whole, dgm_real *c)
{
    CHECK_STATUS(run_part(device, p, o, part, c), DGM_OK);
    for (int64_t i = 0; i < part->m; i++) {
        const int64_t at = (part->i0 + i) * (p->n + p->gap) + part->j0;

        CHECK_MEM(c + at, whole + at, (size_t)part->n * sizeof *c);
    }
}

static void check_parts(struct dgm_device *device, const struct product *p)
{
    static const int64_t counts[] = { 1, 2, 5, 7, 12, 13, 14, 15, 29, 40, 48, 49, 57 };
    struct operands o;
    dgm_real *whole, *c;

    CHECK(operands_make(&o, p));
    whole = copy_of_c(&o);
    c = copy_of_c(&o);
    CHECK(whole && c);
    CHECK_STATUS(run_all(device, p, &o, whole), DGM_OK);
    for (int i = 0; i < (int)(sizeof counts / sizeof counts[0]); i++) {
        const int64_t count = counts[i], from = (i * 31 + 3) % 60;
        const struct part rows = { from, count, 0, p->n };
        const struct part cols = { 0, p->m, from, count };
        const struct part both = { from, count, 61 - from, count };

        check_part(device, p, &o, &rows, whole, c);
        check_part(device, p, &o, &cols, whole, c);
        check_part(device, p, &o, &both, whole, c);
    }
    dgm_release(test_env(), whole);
    dgm_release(test_env(), c);
    operands_clear(&o);
}

static void check_all_parts(struct dgm_device *device)
{
    static const enum dgm_gemm_form forms[] = { DGM_NN, DGM_NT, DGM_TN };

    for (int f = 0; f < 3; f++) {
        struct product p = product_of(121, 119, 523);

        p.form = forms[f];
        check_parts(device, &p);
        p.alpha = (dgm_real)0.3;
        p.beta = (dgm_real)-1.7;
        p.bias = 1;
        p.relu = 1;
        p.gap = 3;
        p.k = 140;
        check_parts(device, &p);
    }
}

TEST(gemm_rows_and_columns_have_the_same_bits_alone_and_in_company)
{
    on_every_isa(1, check_all_parts);
}

static void check_threads(size_t isa, const struct product *p)
{
    struct operands o;
    dgm_real *want, *got;

    CHECK(operands_make(&o, p));
    want = copy_of_c(&o);
    got = copy_of_c(&o);
    CHECK(want && got);
    for (int threads = 1; threads <= 3; threads++) {
        struct dgm_device *device;

        CHECK_STATUS(open_isa(&device, isa, threads), DGM_OK);
        CHECK_STATUS(run_all(device, p, &o, threads == 1 ? want : got), DGM_OK);
        if (threads > 1)
            CHECK_MEM(got, want, (size_t)o.c_count * sizeof *got);
        dgm_device_close(test_env(), device);
    }
    dgm_release(test_env(), want);
    dgm_release(test_env(), got);
    operands_clear(&o);
}

TEST(gemm_has_the_same_bits_on_any_number_of_threads)
{
    static const int64_t sizes[][3] = { { 5, 700, 300 }, { 40, 333, 270 }, { 301, 130, 600 } };

    for (size_t isa = 0; isa < dgm_kernels_count(); isa++)
        for (int i = 0; i < 9; i++) {
            struct product p =
                with_options(product_of(sizes[i / 3][0], sizes[i / 3][1], sizes[i / 3][2]), i);

            p.form = i % 3 == 0 ? DGM_NN : i % 3 == 1 ? DGM_NT : DGM_TN;
            if (dgm_kernels_entry(isa))
                check_threads(isa, &p);
        }
}

/* to (cols,rows) = the transpose of from (rows,cols). */
static void transpose(dgm_real *to, const dgm_real *from, int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            to[j * rows + i] = from[i * cols + j];
}

static void check_same_forms(struct dgm_device *device)
{
    static const int64_t rows[] = { 3, 20, 130 };

    for (int i = 0; i < 3; i++) {
        struct product nn = product_of(rows[i], 77, 400), nt = nn, tn = nn;
        struct operands o, ot, to;
        dgm_real *want, *got;

        nt.form = DGM_NT;
        tn.form = DGM_TN;
        CHECK(operands_make(&o, &nn) && operands_make(&ot, &nt) && operands_make(&to, &tn));
        memcpy(ot.a, o.a, (size_t)o.a_count * sizeof *o.a);
        transpose(ot.b, o.b, nn.k, nn.n);
        transpose(to.a, o.a, nn.m, nn.k);
        memcpy(to.b, o.b, (size_t)o.b_count * sizeof *o.b);
        want = copy_of_c(&o);
        got = copy_of_c(&o);
        CHECK(want && got);
        CHECK_STATUS(run_all(device, &nn, &o, want), DGM_OK);
        CHECK_STATUS(run_all(device, &nt, &ot, got), DGM_OK);
        CHECK_MEM(got, want, (size_t)o.c_count * sizeof *got);
        CHECK_STATUS(run_all(device, &tn, &to, got), DGM_OK);
        CHECK_MEM(got, want, (size_t)o.c_count * sizeof *got);
        dgm_release(test_env(), want);
        dgm_release(test_env(), got);
        operands_clear(&o);
        operands_clear(&ot);
        operands_clear(&to);
    }
}

TEST(gemm_has_the_same_bits_in_all_three_forms)
{
    on_every_isa(2, check_same_forms);
}
