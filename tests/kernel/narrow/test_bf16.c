/*
 * Tests of bf16.h: how numbers are rounded, in which order sums are made and how far they are from
 * exact ones, sums next to denormals; test_narrow.c has the rest.
 */
#include "kernel/narrow/bf16.h"

#include "narrow_case.h"

static struct narrow_product p;
static struct narrow_outcome out;
static int by_tiles; /* sums have the order of AMX */

/* Calls check for every kernel, with its outcome of as many rows as it takes at a time. */
static void for_each_kernel(int64_t rows, void (*check)(void))
{
    for (size_t e = 0; e < narrow_entry_count(&dgm_bf16); e++) {
        const struct dgm_narrow_kernels *kernels = narrow_entry(&dgm_bf16, e);

        if (!kernels)
            continue;
        by_tiles = kernels->like != NULL;
        p.rows = rows < kernels->rows ? rows : kernels->rows;
        narrow_compute(kernels, &p, &out);
        check();
    }
}

/* ---- rounding ------------------------------------------------------------------------------ */

/* By hand. A number from 1 on below 2 has steps of 2^-7 = 0.0078125. */
static const struct {
    double x, want;
} roundings[] = {
    { 0, 0 },
    { 1, 1 },
    { 1.00390625, 1 },          /* half a step: the even one is below */
    { 1.01171875, 1.015625 },   /* and above */
    { 1.00390637, 1.0078125 },  /* a little more than half a step */
    { -1.01171875, -1.015625 }, /* the same on the other side */
    { 1.998046875, 2 },         /* carries into the exponent */
    { 0x1p-56, 0x1p-56 },
    { -0x1.fffffep-57, -0x1p-56 }, /* rounded to what counts */
    { -0x1.fefffep-57, 0 },        /* and not */
    { 1e-40, 0 },
    { 0x1.fefffep62, 0x1.fep62 }, /* the largest */
};

enum { ROUNDINGS = sizeof roundings / sizeof *roundings };

static void check_rounded(void)
{
    for (int64_t i = 0; i < p.rows; i++)
        for (int t = 0; t < ROUNDINGS; t++)
            CHECK(narrow_at(&p, &out, i, t) == (dgm_real)roundings[t].want);
}

/* As a weight; as an activation, of which one column of weights picks each. */
TEST(bf16_numbers_are_rounded_as_the_page_says)
{
    uint8_t panel[(ROUNDINGS + 1) / 2 * DGM_NARROW_GROUP];
    const struct dgm_narrow_matrix matrix = { panel, NULL };
    dgm_real x[ROUNDINGS], back[ROUNDINGS];

    for (int t = 0; t < ROUNDINGS; t++)
        x[t] = (dgm_real)roundings[t].x;
    memset(panel, 0, sizeof panel);
    dgm_narrow_pack(&dgm_bf16, dgm_bf16.kernels[0], &matrix, 3, 1, x, ROUNDINGS);
    dgm_bf16.unpack(back, &matrix, 3, ROUNDINGS);
    for (int t = 0; t < ROUNDINGS; t++)
        CHECK(back[t] == (dgm_real)roundings[t].want);
    for (int64_t i = 0; i < 2; i++)
        memcpy(p.a + i * ROUNDINGS, x, sizeof x);
    for (int64_t j = 0; j < ROUNDINGS; j++)
        for (int64_t t = 0; t < ROUNDINGS; t++)
            p.w_reals[j * ROUNDINGS + t] = j == t;
    narrow_plain(&p, &dgm_bf16, 2, ROUNDINGS, ROUNDINGS);
    for_each_kernel(2, check_rounded);
}

TEST(bf16_numbers_beyond_its_range_are_infinite_and_nan_stays)
{
    CHECK(dgm_bf16_widen(dgm_bf16_round(0x1.fffffep62f)) == INFINITY);
    CHECK(dgm_bf16_widen(dgm_bf16_round(0x1p63f)) == INFINITY);
    CHECK(dgm_bf16_widen(dgm_bf16_round(-1e30f)) == -INFINITY);
    CHECK(isnan(dgm_bf16_widen(dgm_bf16_round(NAN))));
}

/* ---- sums ---------------------------------------------------------------------------------- */

static float rounded(dgm_real x)
{
    return dgm_bf16_widen(dgm_bf16_round((float)x));
}

/* Every step is stored, and thereby rounded: pairs in order, the later number of each first. */
static float sum_of(const dgm_real *x, const dgm_real *w, int64_t k)
{
    volatile float sum = 0;

    for (int64_t t = 0; t < k; t += 2) {
        if (t + 1 < k)
            sum = sum + rounded(x[t + 1]) * rounded(w[t + 1]);
        sum = sum + rounded(x[t]) * rounded(w[t]);
    }
    return sum;
}

/* The same by tiles of 32 steps: the earlier numbers of pairs and the later ones by themselves. */
static float sum_by_tiles(const dgm_real *x, const dgm_real *w, int64_t k)
{
    volatile float sum = 0, part[2], both;

    for (int64_t t = 0; t < k; t++) {
        if (t % 32 == 0)
            part[0] = part[1] = 0;
        part[t % 2] = part[t % 2] + rounded(x[t]) * rounded(w[t]);
        if (t % 32 == 31 || t == k - 1) {
            both = part[0] + part[1];
            sum = sum + both;
        }
    }
    return sum;
}

/* Each of k steps rounds a sum of at most `size` by 2^-24 of it, and each number by 2^-8 before. */
static int is_near(double sum, const dgm_real *x, const dgm_real *w, int64_t k)
{
    double exact = 0, size = 0;

    for (int64_t t = 0; t < k; t++) {
        exact += (double)x[t] * (double)w[t];
        size += fabs((double)x[t] * (double)w[t]);
    }
    return fabs(sum - exact) <= 1.01 * size * ((double)k * 0x1p-24 + 0x1p-7);
}

static void check_tame_sums(void)
{
    for (int64_t i = 0; i < p.rows; i++)
        for (int64_t j = 0; j < p.n; j++) {
            const dgm_real *x = p.a + i * p.k, *w = p.w_reals + j * p.k;
            const dgm_real sum = narrow_at(&p, &out, i, j);

            CHECK(sum == (dgm_real)(by_tiles ? sum_by_tiles : sum_of)(x, w, p.k));
            CHECK(is_near((double)sum, x, w, p.k));
        }
}

TEST(bf16_sums_have_the_order_of_the_page_and_are_near_exact_ones)
{
    struct dgm_random random;

    dgm_random_init(&random, 35, 0, 0, 0);
    for (int64_t k = 1; k <= NARROW_MOST_K; k += 1 + k / 3) {
        narrow_fill(p.a, 14 * k, NARROW_TAME, &random);
        narrow_fill(p.w_reals, 50 * k, NARROW_TAME, &random);
        narrow_plain(&p, &dgm_bf16, 14, 50, k);
        for_each_kernel(14, check_tame_sums);
    }
}

/* By hand: beside 1, 2^-24 is lost; beside 0 it counts. */
static void check_order(void)
{
    CHECK(narrow_at(&p, &out, 0, 0) == 0);
    CHECK(narrow_at(&p, &out, 0, 1) == (dgm_real)0x1p-24);
    CHECK(narrow_at(&p, &out, 0, 2) == (dgm_real)(by_tiles ? 0x1p-24 : 0));
}

TEST(bf16_later_steps_of_a_pair_are_added_first_but_for_tiles)
{
    static const double w[3][4] = { { 0, 1, -1, 0x1p-24 },
                                    { 0, 1, 0x1p-24, -1 },
                                    { 0x1p-24, 1, 0, -1 } };

    for (int t = 0; t < 12; t++) {
        p.a[t % 4] = 1;
        p.w_reals[t] = (dgm_real)w[t / 4][t % 4];
    }
    narrow_plain(&p, &dgm_bf16, 1, 3, 4);
    for_each_kernel(1, check_order);
}

/* (1 + 2^-7)^2 - (1 + 2^-6) = 2^-14, times 2^-112: the least number that is not denormal. */
static void check_least(void)
{
    CHECK(narrow_at(&p, &out, 0, 0) == (dgm_real)0x1p-126);
}

TEST(bf16_sums_are_never_denormal)
{
    p.a[0] = p.w_reals[0] = (dgm_real)0x1.02p-56;
    p.a[1] = (dgm_real)0x1.04p-56;
    p.w_reals[1] = (dgm_real)-0x1p-56;
    narrow_plain(&p, &dgm_bf16, 1, 1, 2);
    for_each_kernel(1, check_least);
}
