/*
 * tiles.h: tiles of the task gemm, whichever way they are cut.
 */
#ifndef DGM_DEVICE_CPU_TILES_H
#define DGM_DEVICE_CPU_TILES_H

#include "device/cpu/cpu.h"

/* Tiles in a block of rows, at most: their part of op(a) stays in the second cache. */
#define DGM_CPU_BLOCK_TILES 8

/* The product itself: sums and mask are run_product.c's. */
dgm_status dgm_cpu_multiply(struct dgm_env *env, struct dgm_cpu *cpu,
                            const struct dgm_gemm_args *args);

/* The same by cpu->matrix. */
dgm_status dgm_cpu_multiply_matrix(struct dgm_env *env, struct dgm_cpu *cpu,
                                   const struct dgm_gemm_args *args);

/* C from (i,j) on, and what becomes of the sums of the block of steps from t on. */
static inline void dgm_cpu_tile_c(struct dgm_gemm_tile *tile, const struct dgm_gemm_args *args,
                                  dgm_real *c, const dgm_real *bias, int64_t i, int64_t j,
                                  int64_t t)
{
    const int is_last = t + tile->steps >= args->k;

    tile->c = c + i * args->ldc + j;
    tile->ldc = args->ldc;
    tile->alpha = args->alpha;
    tile->beta = t == 0 ? args->beta : 1;
    tile->bias = is_last && bias ? bias + j : NULL;
    tile->relu = is_last && args->relu;
}

#endif
