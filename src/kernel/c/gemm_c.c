/*
 * gemm_c.c: the kernels of gemm.h in plain C: the reference, and what double precision runs on.
 */
#include "kernel/gemm.h"

#define MR 4
#define NR 8

/* Row i of the tile from its sums. */
static void finish_row(const struct dgm_gemm_tile *tile, int64_t i, const dgm_real *sums)
{
    dgm_real *c = tile->c + i * tile->ldc;

    for (int64_t j = 0; j < tile->cols; j++) {
        dgm_real x = tile->alpha * sums[j];

        if (tile->beta != 0)
            x += tile->beta * c[j];
        if (tile->bias)
            x += tile->bias[j];
        c[j] = tile->relu && x < 0 ? 0 : x;
    }
}

static void gemm_tile(const struct dgm_gemm_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        const dgm_real *a = tile->a + i * tile->a_row;
        dgm_real sums[NR] = { 0 };

        /* All NR columns of b can be read (gemm.h), unlike in gemm_thin. */
        for (int64_t t = 0; t < tile->steps; t++)
            for (int64_t j = 0; j < NR; j++)
                sums[j] += a[t * tile->a_step] * tile->b[t * tile->ldb + j];
        finish_row(tile, i, sums);
    }
}

static void gemm_thin(const struct dgm_gemm_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        const dgm_real *a = tile->a + i * tile->a_row;
        dgm_real sums[NR] = { 0 };

        for (int64_t j = 0; j < tile->cols; j++)
            for (int64_t t = 0; t < tile->steps; t++)
                sums[j] += a[t * tile->a_step] * tile->b[j * tile->ldb + t];
        finish_row(tile, i, sums);
    }
}

static void gemm_pack_rows(dgm_real *to, int width, const dgm_real *from, int64_t ld, int64_t steps,
                           int64_t cols)
{
    for (int64_t t = 0; t < steps; t++)
        for (int j = 0; j < width; j++)
            to[t * width + j] = j < cols ? from[t * ld + j] : 0;
}

static void gemm_pack_columns(dgm_real *to, int width, const dgm_real *from, int64_t ld,
                              int64_t steps, int64_t cols)
{
    for (int64_t t = 0; t < steps; t++)
        for (int j = 0; j < width; j++)
            to[t * width + j] = j < cols ? from[j * ld + t] : 0;
}

const struct dgm_gemm_kernels dgm_gemm_c = {
    .mr = MR,
    .nr = NR,
    .mr_panel = MR,
    .tile = gemm_tile,
    .thin_rows = MR,
    .thin_cols = NR,
    .thin = gemm_thin,
    .pack_rows = gemm_pack_rows,
    .pack_columns = gemm_pack_columns,
};
