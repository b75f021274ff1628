/*
 * bench_int8.c: products of bytes of every instruction set, in the first caches: many rows of
 * activations and one; and weights to bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "kernel/int8.h"

enum { K = 512, N = 64, MOST_ROWS = 84 }; /* rows: a multiple of every tile's */

struct rig {
    dgm_real a[MOST_ROWS * K], weights[N * K], c[MOST_ROWS * N];
    uint8_t panels[N * K];
    float w_scales[N], scales[MOST_ROWS];
    int32_t sums[MOST_ROWS];
    int8_t q[MOST_ROWS * K];
};

static struct rig *new_rig(void)
{
    struct rig *rig = calloc(1, sizeof *rig);

    if (!rig)
        abort();
    for (int i = 0; i < MOST_ROWS * K; i++)
        rig->a[i] = (dgm_real)(i * 7919 % 251) / 251 - (dgm_real)0.5;
    for (int i = 0; i < N * K; i++)
        rig->weights[i] = (dgm_real)(i * 7907 % 509) / 509 - (dgm_real)0.5;
    dgm_int8_pack(&dgm_int8_c, rig->panels, rig->w_scales, 0, N, rig->weights, K);
    return rig;
}

static void multiply(struct rig *rig, const struct dgm_int8_kernels *kernels, int64_t first,
                     int64_t rows)
{
    const struct dgm_int8_rows from = { .rows = rows,
                                        .k = K,
                                        .lda = K,
                                        .a = rig->a + first * K,
                                        .q = rig->q,
                                        .step = 4 * rows,
                                        .scales = rig->scales,
                                        .sums = rig->sums };
    const struct dgm_int8_tile tile = { .rows = rows,
                                        .panels = dgm_int8_panels(N),
                                        .quads = dgm_int8_quads(K),
                                        .q = rig->q,
                                        .scales = rig->scales,
                                        .sums = rig->sums,
                                        .w = rig->panels,
                                        .w_scales = rig->w_scales,
                                        .end = N,
                                        .c = rig->c + first * N,
                                        .ldc = N,
                                        .alpha = 1 };

    kernels->quantise(&from);
    kernels->tile(&tile);
}

static void measure(int64_t rows)
{
    struct rig *rig = new_rig();

    bench_flops(2.0 * (double)rows * N * K);
    for (size_t i = 0; i < dgm_int8_count(); i++) {
        const struct dgm_int8_kernels *kernels = dgm_int8_entry(i);

        if (!kernels)
            continue;
        bench_case(kernels->name);
        while (bench_again())
            for (int64_t r = 0; r < rows; r += kernels->rows)
                multiply(rig, kernels, r, rows < kernels->rows ? rows : kernels->rows);
        bench_use((double)rig->c[0]);
    }
    free(rig);
}

BENCH(int8_rows)
{
    measure(MOST_ROWS);
}

BENCH(int8_one_row)
{
    measure(1);
}

BENCH(int8_weights)
{
    struct rig *rig = new_rig();

    bench_bytes((double)sizeof rig->weights);
    for (size_t i = 0; i < dgm_int8_count(); i++) {
        if (!dgm_int8_entry(i))
            continue;
        bench_case(dgm_int8_entry(i)->name);
        while (bench_again())
            dgm_int8_pack(dgm_int8_entry(i), rig->panels, rig->w_scales, 0, N, rig->weights, K);
        bench_use((double)rig->w_scales[0]);
    }
    free(rig);
}
