/*
 * gemm.h: the inner pieces of the matrix product of one instruction set.
 *
 * A product is cut into tiles of at most mr x nr elements of C and into blocks of
 * DGM_GEMM_K steps of the sum (Goto and van de Geijn, "Anatomy of high-performance
 * matrix multiplication", 2008). device/cpu/run/run_gemm.c does the cutting; the functions
 * here compute a tile or copy operands into the order in which a tile reads them.
 *
 * The promise that everything else rests on: within one instruction set, element (i,j)
 * of C is a function of row i of op(a), column j of op(b), its own old value, bias[j],
 * alpha, beta and relu alone, down to the last bit. It does not depend on m, n, on
 * where the row or column stands, on the form, on how operands were packed, or on the
 * number of threads. For every block of the sum,
 *
 *     s = 0;  for each step t of the block, in order:  s = a[t] b[t] + s
 *
 * then c = alpha s + beta c for the first block (beta c is rounded, and not read if
 * beta is 0) and c = alpha s + c for the others; after the last one c = c + bias, c =
 * max(0, c). "x y + z" is one fused step where the set has it. Every path, tile edges
 * included, performs exactly these operations on every element; lanes that only pad a
 * tile are never stored. A sentence is therefore translated the same whatever shares
 * its batch.
 */
#ifndef DGM_KERNEL_GEMM_H
#define DGM_KERNEL_GEMM_H

#include <stdint.h>

#include "base/real.h"

/* Steps of the sum in one block. Part of what defines a result: the same everywhere. */
#define DGM_GEMM_K 256

/*
 * One tile of C and one block of the sum. Element (i,t) of op(a) is
 * a[i a_row + t a_step]. For `tile`, element (t,j) of op(b) is b[t ldb + j]; for `thin`,
 * which reads weights as they lie in form NT, it is b[j ldb + t].
 */
struct dgm_gemm_tile {
    int64_t rows, cols, steps; /* 1..mr, 1..nr, 0..DGM_GEMM_K */
    const dgm_real *a;
    int64_t a_row, a_step;
    const dgm_real *b;
    int64_t ldb;
    dgm_real *c;
    int64_t ldc;
    dgm_real alpha, beta; /* beta 0: c is not read; 1 in blocks after the first */
    const dgm_real *bias; /* cols reals, or NULL; given with the last block only */
    int relu;             /* likewise */
    /* What will be needed next, for caches to fetch meanwhile: ahead_width reals from
     * ahead + l ahead_ld on, l < ahead_lines. NULL: nothing. */
    const dgm_real *ahead;
    int64_t ahead_ld, ahead_lines, ahead_width;
};

struct dgm_gemm_kernels {
    int mr, nr;   /* the largest tile */
    int mr_panel; /* the width of packed panels of a: mr rounded up to whole vectors */

    /* All nr columns of b must be readable, though only `cols` count: b is a packed
     * panel, or the tile is whole. */
    void (*tile)(const struct dgm_gemm_tile *tile);

    /* The same on weights in place, at most thin_rows x thin_cols. For few rows: it
     * transposes b on its way through the registers. */
    int thin_rows, thin_cols;
    void (*thin)(const struct dgm_gemm_tile *tile);

    /*
     * Panels: to[t width + j], t < steps, j < width, a whole number of vectors; columns
     * from `cols` to width are zero. pack_rows copies a matrix (steps, cols) with ld
     * between its rows, pack_columns transposes a matrix (cols, steps).
     */
    void (*pack_rows)(dgm_real *to, int width, const dgm_real *from, int64_t ld, int64_t steps,
                      int64_t cols);
    void (*pack_columns)(dgm_real *to, int width, const dgm_real *from, int64_t ld, int64_t steps,
                         int64_t cols);
};

/* The plain C kernels: the reference, and the only ones when dgm_real is double. */
extern const struct dgm_gemm_kernels dgm_gemm_c;

#endif
