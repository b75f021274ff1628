/*
 * Tests of int8.h: rows to bytes and back, and sums of whole numbers; test_narrow.c has the rest.
 */
#include "kernel/narrow/int8.h"

#include "narrow_case.h"

static struct narrow_product p;
static struct narrow_outcome out;

static void check_sums(void)
{
    for (int64_t i = 0; i < p.rows; i++)
        for (int64_t j = 0; j < p.n; j++) {
            const float scale = 5 / 127.0f * (2 / 127.0f);
            int32_t sum = 0;

            for (int64_t t = 0; t < p.k; t++)
                sum +=
                    (p.a[i * p.k + t] > 0 ? 127 : -127) * (p.w_reals[j * p.k + t] > 0 ? 127 : -127);
            CHECK(narrow_at(&p, &out, i, j) == (dgm_real)((float)sum * scale));
        }
}

/* The sums are those of whole numbers: the extremes of both operands, where 16 bits would
 * saturate. */
TEST(int8_sums_are_exact)
{
    enum { ROWS = 3, N = 18, K = 130 };

    for (int64_t i = 0; i < N * K; i++)
        p.w_reals[i] = i % 7 < 4 ? 2 : -2;
    for (int64_t i = 0; i < ROWS * K; i++)
        p.a[i] = i / K == 0 ? 5 : i % 7 < 4 ? 5 : -5;
    narrow_plain(&p, &dgm_int8, ROWS, N, K);
    for (size_t e = 0; e < narrow_entry_count(&dgm_int8); e++) {
        const struct dgm_narrow_kernels *kernels = narrow_entry(&dgm_int8, e);

        if (!kernels)
            continue;
        p.rows = ROWS < kernels->rows ? ROWS : kernels->rows;
        narrow_compute(kernels, &p, &out);
        check_sums();
    }
}

/* By hand: max 2, so that q = x 63.5: 31.75 -> 32; 63.5 -> 64, the even one; -0.50165 -> -1. */
TEST(int8_rows_are_quantised_as_the_page_says)
{
    static const dgm_real x[] = { 0.5, 1, -2, 0, (dgm_real)-0.0079 };
    static const int want[] = { 32, 64, -127, 0, -1 };
    uint8_t panel[2 * DGM_NARROW_GROUP];
    float scales[DGM_NARROW_LANES] = { 0 };
    const struct dgm_narrow_matrix matrix = { panel, scales };
    dgm_real back[5];

    memset(panel, 128, sizeof panel);
    dgm_narrow_pack(&dgm_int8, dgm_int8.kernels[0], &matrix, 3, 1, x, 5);
    CHECK_NEAR(scales[3], 2 / 127.0, 1e-9);
    for (int t = 0; t < 5; t++)
        CHECK_INT(panel[t / 4 * DGM_NARROW_GROUP + 3 * 4 + t % 4] - 128, want[t]);
    dgm_int8.unpack(back, &matrix, 3, 5);
    for (int t = 0; t < 5; t++) {
        CHECK_NEAR(back[t], want[t] * 2 / 127.0, 1e-7);
        CHECK_NEAR(back[t], x[t], 1 / 127.0 + 1e-7); /* half a step */
    }
}
