/*
 * bench_narrow.c: products with weights in fewer bits of every instruction set, in the first
 * two caches: many rows of activations and one; and weights to fewer bits.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "kernel/narrow/bf16.h"
#include "kernel/narrow/int8.h"

enum { K = 512, N = 256, MOST_ROWS = 3360 }; /* rows: a multiple of every tile's */

struct rig {
    const struct dgm_narrow_type *type;
    dgm_real a[MOST_ROWS * K], weights[N * K], c[MOST_ROWS * N];
    uint8_t panels[2 * N * K];
    float w_scales[N], scales[MOST_ROWS];
    int32_t sums[MOST_ROWS];
    float q[DGM_NARROW_ROWS * K];
};

static void pack(struct rig *rig, const struct dgm_narrow_kernels *kernels)
{
    const struct dgm_narrow_matrix to = { rig->panels, rig->w_scales };

    dgm_narrow_pack(rig->type, kernels, &to, 0, N, rig->weights, K);
}

static struct rig *new_rig(const struct dgm_narrow_type *type)
{
    struct rig *rig = calloc(1, sizeof *rig);

    if (!rig)
        abort();
    rig->type = type;
    for (int i = 0; i < MOST_ROWS * K; i++)
        rig->a[i] = (dgm_real)(i % 251 * 7919 % 251) / 251 - (dgm_real)0.5;
    for (int i = 0; i < N * K; i++)
        rig->weights[i] = (dgm_real)(i % 509 * 7907 % 509) / 509 - (dgm_real)0.5;
    pack(rig, type->kernels[0]);
    return rig;
}

static void multiply(struct rig *rig, const struct dgm_narrow_kernels *kernels, int64_t first,
                     int64_t rows)
{
    const struct dgm_narrow_rows from = { .rows = rows,
                                          .k = K,
                                          .lda = K,
                                          .a = rig->a + first * K,
                                          .q = (uint8_t *)rig->q,
                                          .step = kernels->bytes * rows,
                                          .scales = rig->scales,
                                          .sums = rig->sums };
    const struct dgm_narrow_tile tile = { .rows = rows,
                                          .panels = dgm_narrow_panels(N),
                                          .groups = dgm_narrow_groups(rig->type, K),
                                          .q = rig->q,
                                          .scales = rig->scales,
                                          .sums = rig->sums,
                                          .w = rig->panels,
                                          .w_scales = rig->w_scales,
                                          .end = N,
                                          .c = rig->c + first * N,
                                          .ldc = N,
                                          .alpha = 1 };

    kernels->activations(&from);
    kernels->tile(&tile);
}

static void measure(const struct dgm_narrow_type *type, int64_t rows)
{
    struct rig *rig = new_rig(type);

    bench_flops(2.0 * (double)rows * N * K);
    for (size_t i = 0; i < type->count; i++) {
        const struct dgm_narrow_kernels *kernels = dgm_narrow_entry(type, i);

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

static void measure_weights(const struct dgm_narrow_type *type)
{
    struct rig *rig = new_rig(type);

    bench_bytes((double)sizeof rig->weights);
    for (size_t i = 0; i < type->count; i++) {
        if (!dgm_narrow_entry(type, i))
            continue;
        bench_case(dgm_narrow_entry(type, i)->name);
        while (bench_again())
            pack(rig, dgm_narrow_entry(type, i));
        bench_use((double)rig->panels[0]);
    }
    free(rig);
}

BENCH(int8_rows)
{
    measure(&dgm_int8, MOST_ROWS);
}

BENCH(int8_one_row)
{
    measure(&dgm_int8, 1);
}

BENCH(int8_weights)
{
    measure_weights(&dgm_int8);
}

BENCH(bf16_rows)
{
    measure(&dgm_bf16, MOST_ROWS);
}

BENCH(bf16_one_row)
{
    measure(&dgm_bf16, 1);
}

BENCH(bf16_weights)
{
    measure_weights(&dgm_bf16);
}
