/*
 * test_init.c: orthogonal initial values: their products, their blocks, the same bytes
 * from the same seed.
 */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "nn/param.h"
#include "open_device.h"
#include "test.h"

enum { MOST = 150 * 50 };

/* Rows of a wide block, columns of a tall one: their products are 1 and 0. */
static void check_block(const dgm_real *x, int64_t rows, int64_t cols, double scale)
{
    const int is_tall = rows > cols;
    const int64_t count = is_tall ? cols : rows, n = is_tall ? rows : cols;

    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b <= a; b++) {
            double sum = 0;

            for (int64_t i = 0; i < n; i++)
                sum += (double)(is_tall ? x[i * cols + a] : x[a * cols + i]) *
                       (double)(is_tall ? x[i * cols + b] : x[b * cols + i]);
            CHECK_NEAR(sum, a == b ? scale * scale : 0, 1e-6 * scale * scale);
        }
}

TEST(init_orthogonal_has_orthonormal_rows_or_columns_in_every_block)
{
    static const int64_t shapes[][3] = {
        /* rows, cols, blocks */
        { 150, 50, 3 }, { 40, 40, 1 }, { 60, 10, 1 }, { 7, 33, 1 }, { 36, 20, 3 },
        { 1, 1, 1 },    { 3, 1, 3 },   { 1, 9, 1 },   { 9, 1, 1 },
    };
    static dgm_real x[MOST];

    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const int64_t rows = shapes[k][0], cols = shapes[k][1], height = rows / shapes[k][2];

        for (int scale = 1; scale <= 2; scale++) {
            memset(x, 0xff, sizeof x);
            CHECK_STATUS(dgm_init_orthogonal(test_env(), x, rows, cols, shapes[k][2], scale, 5,
                                             (uint32_t)k),
                         DGM_OK);
            for (int64_t b = 0; b < shapes[k][2]; b++)
                check_block(x + b * height * cols, height, cols, scale);
        }
    }
}

TEST(init_orthogonal_blocks_differ_and_depend_on_seed_and_number)
{
    static dgm_real x[3 * 400], y[3 * 400];
    const size_t block = 400 * sizeof *x;

    CHECK_STATUS(dgm_init_orthogonal(test_env(), x, 60, 20, 3, 1, 5, 1), DGM_OK);
    CHECK_STATUS(dgm_init_orthogonal(test_env(), y, 60, 20, 3, 1, 5, 1), DGM_OK);
    CHECK_MEM(y, x, sizeof x);
    CHECK(memcmp(x, x + 400, block) != 0 && memcmp(x + 400, x + 800, block) != 0);
    CHECK_STATUS(dgm_init_orthogonal(test_env(), y, 60, 20, 3, 1, 5, 2), DGM_OK);
    CHECK(memcmp(x, y, block) != 0);
    CHECK_STATUS(dgm_init_orthogonal(test_env(), y, 60, 20, 3, 1, 6, 1), DGM_OK);
    CHECK(memcmp(x, y, block) != 0);
    CHECK_STATUS(dgm_init_orthogonal(test_env(), y, 20, 20, 1, 1, 5, 1), DGM_OK);
    CHECK_MEM(y, x, block);
}

/* Bits that every machine and compiler must make: only + - * / and sqrt on doubles. */
TEST(init_orthogonal_has_the_same_bits_everywhere)
{
    static dgm_real x[24 * 8];
    static unsigned char bytes[24 * 8 * 4]; /* as in a file, whatever the machine's order */

    if (sizeof(dgm_real) != sizeof(float))
        TEST_SKIP("the figure is of floats");
    CHECK_STATUS(dgm_init_orthogonal(test_env(), x, 24, 8, 3, 1, 1, 0), DGM_OK);
    for (int i = 0; i < 24 * 8; i++)
        dgm_le_f32_put(bytes + 4 * i, (float)x[i]);
    CHECK_INT(dgm_hash_bytes(bytes, sizeof bytes), 7578666765877537068);
}

TEST(init_orthogonal_parameters_are_drawn_by_block)
{
    struct dgm_device *device;
    struct dgm_params params;
    dgm_param_id id, below;
    static dgm_real x[48 * 16];

    memset(&params, 0, sizeof params);
    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    CHECK_STATUS(dgm_params_matrix(test_env(), &params, &id, "gates", 48, 16, DGM_INIT_ORTHOGONAL,
                                   1),
                 DGM_OK);
    dgm_params_blocks(&params, id, 3);
    CHECK_STATUS(dgm_params_matrix_below(test_env(), &params, &below, "other", 48, 16,
                                         DGM_INIT_ORTHOGONAL, 1),
                 DGM_OK);
    CHECK_STATUS(dgm_params_allocate(test_env(), &params, device, 0), DGM_OK);
    CHECK_STATUS(dgm_params_initialise(test_env(), &params, 9), DGM_OK);
    CHECK_STATUS(dgm_params_read(test_env(), &params, id, x), DGM_OK);
    for (int b = 0; b < 3; b++)
        check_block(x + b * 256, 16, 16, 1);
    CHECK_STATUS(dgm_params_read(test_env(), &params, below, x), DGM_OK);
    check_block(x, 48, 16, 1);
    dgm_params_clear(test_env(), &params);
    dgm_device_close(test_env(), device);
}
