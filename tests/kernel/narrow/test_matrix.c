/*
 * Tests of matrix.h: what is packed and tiles of every instruction set against plain C, to the bit;
 * sums against exact ones.
 */
#include "kernel/narrow/matrix.h"

#include <stdlib.h>

#include "amx_again.h"
#include "device/precision.h"
#include "kernel_case.h"

enum { MOST_LINES = 70, MOST_STEPS = 150, MOST_PAIRS = 80, MOST_LANES = 2 * DGM_NARROW_LANES };

/* Entries, and what stands in for AMX. */
static size_t entry_count(void)
{
    return dgm_matrix_count() + 1;
}

static const struct dgm_matrix_kernels *entry(size_t i)
{
    return i < dgm_matrix_count() ? dgm_matrix_entry(i) : matrix_amx_again();
}

static dgm_real reals[MOST_LINES * MOST_STEPS];

static void fill(struct dgm_random *random, int hostile)
{
    const double infinite = (double)INFINITY; /* not static, for tcc: no constant there */
    const double special[] = { 0,    -0.0,     1e-40,     -1e-42,      1e30,
                               3e38, infinite, -infinite, (double)NAN, 1.00390625 };

    for (int i = 0; i < MOST_LINES * MOST_STEPS; i++)
        reals[i] = (dgm_real)(hostile && dgm_random_below(random, 20) == 0
                                  ? special[dgm_random_below(random, 10)]
                                  : 4 * dgm_random_unit(random) - 2);
}

/* Lines lie one after the other, or their steps do. */
static struct dgm_matrix_pack random_pack(struct dgm_random *random, int64_t most_lines)
{
    struct dgm_matrix_pack pack = { .from = reals };

    pack.lines = 1 + dgm_random_below(random, (uint32_t)most_lines);
    pack.steps = dgm_random_below(random, MOST_STEPS + 1);
    pack.line = dgm_random_below(random, 2) ? 1 : MOST_STEPS;
    pack.step = pack.line == 1 ? MOST_LINES : 1;
    return pack;
}

TEST(matrix_operands_of_every_instruction_set_are_packed_as_by_plain_c)
{
    static uint32_t want[(MOST_LINES + DGM_MATRIX_ROWS) * MOST_PAIRS], got[sizeof want / 4];
    struct dgm_random random;

    dgm_random_init(&random, 41, 0, 0, 0);
    for (int turn = 0; turn < 300; turn++) {
        const int by_rows = turn % 2;
        struct dgm_matrix_pack pack = random_pack(&random, by_rows ? MOST_LINES : DGM_NARROW_LANES);

        fill(&random, turn % 3 == 0);
        for (size_t e = 0; e < entry_count(); e++) {
            const struct dgm_matrix_kernels *kernels = entry(e);

            if (!kernels)
                continue;
            pack.to = e == 0 ? want : got;
            memset(pack.to, 0x55, sizeof want);
            (by_rows ? kernels->pack_rows : kernels->pack_lanes)(&pack);
            if (e > 0 && !test_true(TEST_HERE, kernels->name, memcmp(got, want, sizeof want) == 0))
                return;
        }
    }
}

TEST(matrix_operands_are_rounded_to_nearest)
{
    uint32_t packed[DGM_MATRIX_ROWS * DGM_MATRIX_PAIRS];
    const dgm_real x[] = { (dgm_real)1.00390625, (dgm_real)1.01171875, (dgm_real)-3.1415927,
                           (dgm_real)3.4e38, (dgm_real)1e-40 };
    const uint16_t want[] = { 0x3F80, 0x3F82, 0xC049, 0x7F80, 0 };
    const struct dgm_matrix_pack pack = { packed, x, 5, 1, 1, 5 };

    for (size_t e = 0; e < entry_count(); e++)
        if (entry(e)) {
            entry(e)->pack_rows(&pack);
            for (int t = 0; t < 6; t++)
                CHECK_INT(packed[t / 2] >> t % 2 * 16 & 0xFFFF, t < 5 ? want[t] : 0);
        }
}

/* ---- tiles ----------------------------------------------------------------------------------- */

struct product {
    int64_t rows, lanes, steps;
    dgm_real a[DGM_MATRIX_ROWS * MOST_STEPS], b[MOST_LANES * MOST_STEPS], bias[MOST_LANES];
    dgm_real alpha, beta;
    int with_bias, relu;
};

static struct product p;

enum { LDC = MOST_LANES + 3 };

static void make(struct dgm_random *random)
{
    p.rows = 1 + dgm_random_below(random, DGM_MATRIX_ROWS);
    p.lanes = 1 + dgm_random_below(random, MOST_LANES);
    p.steps = dgm_random_below(random, MOST_STEPS + 1);
    p.alpha = dgm_random_below(random, 2) ? 1 : (dgm_real)0.7;
    p.beta = (dgm_real)dgm_random_below(random, 3) / 2;
    p.with_bias = dgm_random_below(random, 2) == 0;
    p.relu = dgm_random_below(random, 2) == 0;
    for (size_t i = 0; i < sizeof p.a / sizeof *p.a; i++)
        p.a[i] = (dgm_real)(4 * dgm_random_unit(random) - 2);
    for (size_t i = 0; i < sizeof p.b / sizeof *p.b; i++)
        p.b[i] = (dgm_real)(4 * dgm_random_unit(random) - 2);
    for (int i = 0; i < MOST_LANES; i++)
        p.bias[i] = (dgm_real)(4 * dgm_random_unit(random) - 2);
}

static dgm_real before(int64_t i, int64_t j)
{
    return (dgm_real)((i * LDC + j) % 17) - 8;
}

static void compute(const struct dgm_matrix_kernels *kernels, dgm_real c[DGM_MATRIX_ROWS * LDC])
{
    static uint32_t a[DGM_MATRIX_ROWS * MOST_PAIRS], b[MOST_LANES * MOST_PAIRS];
    const int64_t pairs = dgm_matrix_pairs(p.steps), panels = dgm_narrow_panels(p.lanes);
    const struct dgm_matrix_pack rows = { a, p.a, MOST_STEPS, 1, p.rows, p.steps };
    struct dgm_narrow_tile tile = { .rows = p.rows, .panels = panels, .groups = pairs, .q = a };

    for (int64_t i = 0; i < DGM_MATRIX_ROWS; i++)
        for (int64_t j = 0; j < LDC; j++)
            c[i * LDC + j] = before(i, j);
    kernels->pack_rows(&rows);
    for (int64_t panel = 0; panel < panels; panel++) {
        const int64_t l = panel * DGM_NARROW_LANES;
        const struct dgm_matrix_pack lanes = { b + l * pairs,
                                               p.b + l * MOST_STEPS,
                                               MOST_STEPS,
                                               1,
                                               p.lanes - l < DGM_NARROW_LANES ? p.lanes - l
                                                                              : DGM_NARROW_LANES,
                                               p.steps };

        kernels->pack_lanes(&lanes);
    }
    tile.w = (const uint8_t *)b;
    tile.end = p.lanes;
    tile.c = c;
    tile.ldc = LDC;
    tile.alpha = p.alpha;
    tile.beta = p.beta;
    tile.bias = p.with_bias ? p.bias : NULL;
    tile.relu = p.relu;
    kernels->begin();
    kernels->tile(&tile);
    kernels->end();
}

TEST(matrix_tiles_of_every_instruction_set_have_the_bits_of_plain_c)
{
    static dgm_real want[DGM_MATRIX_ROWS * LDC], got[DGM_MATRIX_ROWS * LDC];
    struct dgm_random random;
    int compared = 0;

    dgm_random_init(&random, 42, 0, 0, 0);
    for (int turn = 0; turn < 300; turn++) {
        make(&random);
        compute(dgm_matrix_entry(0), want);
        for (size_t e = 1; e < entry_count(); e++)
            if (entry(e)) {
                compute(entry(e), got);
                compared +=
                    test_true(TEST_HERE, entry(e)->name, memcmp(got, want, sizeof want) == 0);
            }
    }
    if (compared == 0)
        TEST_SKIP("plain C is all there is");
}

/* Element (i,j) as it should be, and what the magnitudes of its terms add up to. */
static double exact(int64_t i, int64_t j, double *size)
{
    double sum = 0, x;

    *size = 0;
    for (int64_t t = 0; t < p.steps; t++) {
        x = (double)dgm_precision_round(DGM_BF16, p.a[i * MOST_STEPS + t]) *
            (double)dgm_precision_round(DGM_BF16, p.b[j * MOST_STEPS + t]);
        sum += x;
        *size += fabs(x);
    }
    x = (double)p.alpha * sum + (double)p.beta * (double)before(i, j) +
        (p.with_bias ? (double)p.bias[j] : 0);
    *size += 20; /* beta c and the bias */
    return p.relu && x < 0 ? 0 : x;
}

/* Each of at most steps + 8 roundings is off by 2^-24 of what the magnitudes add up to. */
TEST(matrix_sums_are_those_of_rounded_operands)
{
    static dgm_real c[DGM_MATRIX_ROWS * LDC];
    struct dgm_random random;

    dgm_random_init(&random, 43, 0, 0, 0);
    for (int turn = 0; turn < 20; turn++) {
        make(&random);
        compute(dgm_matrix_entry(0), c);
        for (int64_t i = 0; i < p.rows; i++)
            for (int64_t j = 0; j < p.lanes; j++) {
                double size, want = exact(i, j, &size);

                CHECK_NEAR(c[i * LDC + j], want, (double)(p.steps + 8) * 0x1p-24 * size);
            }
    }
}

/* Those of an instruction set that has some go with it, and plain C with none. */
TEST(matrix_kernels_are_chosen_for_their_instruction_set)
{
    const size_t count = dgm_matrix_count();

    for (size_t i = 1; i < count; i++)
        if (dgm_matrix_entry(i) != NULL)
            CHECK(dgm_matrix_choose(dgm_matrix_entry(i)->base) != NULL);
    CHECK(dgm_matrix_choose("c") == NULL);
    CHECK(count < 2 || dgm_matrix_entry(count - 1) == NULL || dgm_matrix_choose(NULL) != NULL);
}
