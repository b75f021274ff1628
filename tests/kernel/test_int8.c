/*
 * Tests of int8.h: rows to bytes and back, and tiles of every instruction set against plain C, to
 * the bit, and against sums of whole numbers.
 */
#include "kernel/int8.h"

#include "int8_evex.h"
#include "kernel_case.h"

/* Entries of the list, and one more: what stands in for the AVX-VNNI of newer processors. */
static size_t entry_count(void)
{
    return dgm_int8_count() + 1;
}

static const struct dgm_int8_kernels *entry(size_t i)
{
    return i < dgm_int8_count() ? dgm_int8_entry(i) : int8_evex();
}

enum { MOST_ROWS = DGM_INT8_ROWS, MOST_K = 130, MOST_N = 7 * DGM_INT8_LANES };

/* Weights (n,k), activations (rows,k), and what a product of them needs besides. */
struct product {
    int64_t rows, n, k;
    dgm_real a[MOST_ROWS * MOST_K], bias[MOST_N];
    uint8_t w[MOST_N * (MOST_K + 3)];
    float w_scales[MOST_N];
    dgm_real w_reals[MOST_N * MOST_K]; /* as they were before */
    int64_t first, end;
    dgm_real alpha, beta;
    int with_bias, relu;
};

static void fill(dgm_real *x, int64_t count, struct dgm_random *random, int hostile)
{
    static const double special[] = { 0, -0.0, 1e-40, -1e-42, 1e30, -1e30, 1e-30, 3e4, -2e5 };

    for (int64_t i = 0; i < count; i++)
        x[i] = hostile && dgm_random_below(random, 40) == 0
                   ? (dgm_real)special[dgm_random_below(random, 9)]
                   : (dgm_real)(4 * dgm_random_unit(random) - 2);
}

static void make(struct product *p, struct dgm_random *random)
{
    p->rows = 1 + dgm_random_below(random, MOST_ROWS);
    p->n = 1 + dgm_random_below(random, MOST_N);
    p->k = 1 + dgm_random_below(random, MOST_K);
    fill(p->a, p->rows * p->k, random, 1);
    fill(p->bias, p->n, random, 0);
    fill(p->w_reals, p->n * p->k, random, 1);
    memset(p->w, 128, sizeof p->w);
    memset(p->w_scales, 0, sizeof p->w_scales);
    dgm_int8_pack(&dgm_int8_c, p->w, p->w_scales, 0, p->n, p->w_reals, p->k);
    p->first = dgm_random_below(random, 3) == 0
                   ? dgm_random_below(random, p->n < 16 ? (uint32_t)p->n : 16)
                   : 0;
    p->end = p->n;
    p->alpha = dgm_random_below(random, 2) ? 1 : (dgm_real)0.7;
    p->beta = (dgm_real)dgm_random_below(random, 3) / 2;
    p->with_bias = dgm_random_below(random, 2) == 0;
    p->relu = dgm_random_below(random, 2) == 0;
}

/* What a kernel makes of a product: its bytes, and C between guards. */
struct outcome {
    int8_t q[MOST_ROWS * (MOST_K + 3)];
    float scales[MOST_ROWS];
    int32_t sums[MOST_ROWS];
    dgm_real c[MOST_ROWS * (MOST_N + 5)];
};

static void compute(const struct dgm_int8_kernels *kernels, const struct product *p,
                    struct outcome *out)
{
    const struct dgm_int8_rows rows = { .rows = p->rows,
                                        .k = p->k,
                                        .lda = p->k,
                                        .a = p->a,
                                        .q = out->q,
                                        .step = 4 * p->rows,
                                        .scales = out->scales,
                                        .sums = out->sums };
    const struct dgm_int8_tile tile = { .rows = p->rows,
                                        .panels = dgm_int8_panels(p->n),
                                        .quads = dgm_int8_quads(p->k),
                                        .q = out->q,
                                        .scales = out->scales,
                                        .sums = out->sums,
                                        .w = p->w,
                                        .w_scales = p->w_scales,
                                        .first = p->first,
                                        .end = p->end,
                                        .c = out->c,
                                        .ldc = p->n + 5,
                                        .alpha = p->alpha,
                                        .beta = p->beta,
                                        .bias = p->with_bias ? p->bias : NULL,
                                        .relu = p->relu };

    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < sizeof out->c / sizeof *out->c; i++)
        out->c[i] = (dgm_real)(i % 17) - 8;
    kernels->quantise(&rows);
    kernels->tile(&tile);
}

static int same_outcome(const struct outcome *a, const struct outcome *b)
{
    for (int i = 0; i < MOST_ROWS; i++)
        if (memcmp(&a->scales[i], &b->scales[i], sizeof(float)) != 0 &&
            !(isnan(a->scales[i]) && isnan(b->scales[i])))
            return 0;
    return memcmp(a->q, b->q, sizeof a->q) == 0 && memcmp(a->sums, b->sums, sizeof a->sums) == 0 &&
           case_same(a->c, b->c, MOST_ROWS * (MOST_N + 5));
}

/* Tiles of at most as many rows as the kernel has. */
TEST(int8_of_every_instruction_set_has_the_bits_of_plain_c)
{
    static struct product p;
    static struct outcome want, got;
    struct dgm_random random;
    int compared = 0;

    dgm_random_init(&random, 31, 0, 0, 0);
    for (int turn = 0; turn < 400; turn++) {
        make(&p, &random);
        if (turn % 5 == 0)
            p.a[dgm_random_below(&random, (uint32_t)(p.rows * p.k))] =
                turn % 2 ? (dgm_real)NAN : -(dgm_real)INFINITY;
        for (size_t i = 1; i < entry_count(); i++) {
            const struct dgm_int8_kernels *kernels = entry(i);

            if (!kernels)
                continue;
            p.rows = p.rows <= kernels->rows ? p.rows : 1 + turn % kernels->rows;
            compute(&dgm_int8_c, &p, &want);
            compute(kernels, &p, &got);
            CHECK(same_outcome(&got, &want));
            compared++;
        }
    }
    if (compared == 0)
        TEST_SKIP("plain C is all there is");
}

/* The sums are those of whole numbers: the extremes of both operands, where 16 bits would saturate. */
TEST(int8_sums_are_exact)
{
    static struct product p;
    static struct outcome out;

    memset(&p, 0, sizeof p);
    p.rows = 3;
    p.n = 18;
    p.k = 130;
    for (int64_t i = 0; i < p.n * p.k; i++)
        p.w_reals[i] = i % 7 < 4 ? 2 : -2;
    memset(p.w, 128, sizeof p.w);
    dgm_int8_pack(&dgm_int8_c, p.w, p.w_scales, 0, p.n, p.w_reals, p.k);
    for (int64_t i = 0; i < p.rows * p.k; i++)
        p.a[i] = i / p.k == 0 ? 5 : i % 7 < 4 ? 5 : -5;
    p.end = p.n;
    p.alpha = 1;
    for (size_t e = 0; e < entry_count(); e++) {
        if (!entry(e))
            continue;
        compute(entry(e), &p, &out);
        for (int64_t i = 0; i < p.rows; i++)
            for (int64_t j = 0; j < p.n; j++) {
                const float scale = 5 / 127.0f * (2 / 127.0f);
                int32_t sum = 0;

                for (int64_t t = 0; t < p.k; t++)
                    sum += (p.a[i * p.k + t] > 0 ? 127 : -127) *
                           (p.w_reals[j * p.k + t] > 0 ? 127 : -127);
                CHECK(out.c[i * (p.n + 5) + j] == (dgm_real)((float)sum * scale));
            }
    }
}

/* By hand: max 2, so that q = x 63.5: 31.75 -> 32; 63.5 -> 64, the even one; -0.50165 -> -1. */
TEST(int8_rows_are_quantised_as_the_page_says)
{
    static const dgm_real x[] = { 0.5, 1, -2, 0, (dgm_real)-0.0079 };
    static const int want[] = { 32, 64, -127, 0, -1 };
    uint8_t panel[2 * 4 * DGM_INT8_LANES];
    float scales[DGM_INT8_LANES] = { 0 };
    dgm_real back[5];

    memset(panel, 128, sizeof panel);
    dgm_int8_pack(&dgm_int8_c, panel, scales, 3, 1, x, 5);
    CHECK_NEAR(scales[3], 2 / 127.0, 1e-9);
    for (int t = 0; t < 5; t++)
        CHECK_INT(panel[t / 4 * 4 * DGM_INT8_LANES + 3 * 4 + t % 4] - 128, want[t]);
    dgm_int8_unpack(back, panel, scales, 3, 5);
    for (int t = 0; t < 5; t++) {
        CHECK_NEAR(back[t], want[t] * 2 / 127.0, 1e-7);
        CHECK_NEAR(back[t], x[t], 1 / 127.0 + 1e-7); /* half a step */
    }
}

/* Column t of row j of weights of k columns. */
static const uint8_t *byte_of(const uint8_t *panels, int64_t j, int64_t t, int64_t k)
{
    const int64_t panel = j / DGM_INT8_LANES, lane = j % DGM_INT8_LANES;

    return panels + ((panel * dgm_int8_quads(k) + t / 4) * DGM_INT8_LANES + lane) * 4 + t % 4;
}

/* Whole panels and parts of them: as plain C has it, and nothing beside the rows. */
TEST(int8_weights_of_every_instruction_set_are_those_of_plain_c)
{
    static struct product p;
    static uint8_t want[sizeof p.w], got[sizeof p.w];
    struct dgm_random random;

    dgm_random_init(&random, 33, 0, 0, 0);
    for (int turn = 0; turn < 100; turn++) {
        float scales[MOST_N] = { 0 }, want_scales[MOST_N] = { 0 };
        int64_t row, count;

        make(&p, &random);
        row = dgm_random_below(&random, (uint32_t)p.n);
        count = 1 + dgm_random_below(&random, (uint32_t)(p.n - row));
        memset(want, 7, sizeof want);
        dgm_int8_pack(&dgm_int8_c, want, want_scales, row, count, p.w_reals, p.k);
        for (size_t i = 0; i < entry_count(); i++) {
            if (!entry(i))
                continue;
            memset(got, 7, sizeof got);
            memset(scales, 0, sizeof scales);
            dgm_int8_pack(entry(i), got, scales, row, count, p.w_reals, p.k);
            CHECK(memcmp(got, want, sizeof got) == 0);
            CHECK(memcmp(scales, want_scales, sizeof scales) == 0);
        }
        for (int64_t j = 0; j < p.n; j++)
            for (int64_t t = 0; t < p.k && (j < row || j >= row + count); t++)
                CHECK_INT(*byte_of(want, j, t, p.k), 7);
    }
}

TEST(int8_rows_without_finite_numbers_poison_their_row_alone)
{
    static struct product p;
    static struct outcome out;
    struct dgm_random random;

    dgm_random_init(&random, 32, 0, 0, 0);
    for (size_t e = 0; e < entry_count(); e++) {
        if (!entry(e))
            continue;
        make(&p, &random);
        p.rows = 2;
        fill(p.a, p.rows * p.k, &random, 0);
        p.first = 0;
        p.beta = 0;
        p.relu = 0;
        p.a[p.k / 2] = (dgm_real)INFINITY;
        compute(entry(e), &p, &out);
        for (int64_t j = 0; j < p.n; j++) {
            CHECK(isnan(out.c[j]));
            CHECK(!isnan(out.c[p.n + 5 + j]));
        }
    }
}

/* Whatever the kernels are, some products of bytes go with them. */
TEST(int8_kernels_are_chosen_for_every_instruction_set)
{
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        CHECK(dgm_int8_choose(dgm_kernels_name(i)) != NULL);
    CHECK_STR(dgm_int8_choose("c")->name, "c");
}
