/*
 * gemm.h: the inner pieces of the matrix product of one instruction set.
 *
 * A product is cut into tiles of at most mr x nr elements of C and into blocks of DGM_GEMM_K steps
 * of the sum (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008).
 * device/cpu/run_gemm.c does the cutting; the functions here compute a tile or copy operands into
 * the order in which a tile reads them.
 *
 * The promise that everything else rests on: within one instruction set, element (i,j) of C is a
 * function of row i of op(a), column j of op(b), its own old value, bias[j], alpha, beta and relu
 * alone, down to the last bit. It does not depend on m, n, on where the row or column stands, on
 * the form, on how operands were packed, or on the number of threads. For every block of the sum,
 *
 *     s = 0;  for each step t of the block, in order:  s = s + a[t] b[t]     (fused if the set can)
 *
 * then c = alpha s + beta c for the first block (one fused step, beta c not read if beta is 0),
 * c = alpha s + c for the others, and after the last one c = c + bias, c = max(c, 0). Every path,
 * tile edges included, performs exactly these operations on every element; lanes that only pad a
 * tile are never stored. A sentence is therefore translated the same whatever shares its batch.
 */
#ifndef DGM_KERNEL_GEMM_H
#define DGM_KERNEL_GEMM_H

#include <stdint.h>

#include "base/real.h"

/* Steps of the sum in one block. Part of what defines a result: the same everywhere. */
#define DGM_GEMM_K 256

/* Upper limits of mr and nr over all instruction sets. */
#define DGM_GEMM_MAX_MR 16
#define DGM_GEMM_MAX_NR 64

/*
 * One tile of C and one block of the sum. Element (i,t) of op(a) is a[i a_row + t a_step], where
 * a_row or a_step is 1; row t of op(b) is the nr (thin: see there) reals at b + t ldb.
 */
struct dgm_gemm_tile {
    int64_t rows, cols, steps; /* 1..mr, 1..nr, 1..DGM_GEMM_K */
    const dgm_real *a;
    int64_t a_row, a_step;
    const dgm_real *b;
    int64_t ldb;
    dgm_real *c;
    int64_t ldc;
    dgm_real alpha, beta;      /* beta = 0: c is not read. Blocks after the first have beta 1 */
    const dgm_real *bias;      /* cols reals, or NULL; given with the last block only */
    int relu;                  /* likewise */
};

struct dgm_gemm_kernels {
    int mr, nr;

    /* c = alpha a b + beta c + bias on a tile. Of b, only columns < cols are used, but with
     * `b_padded` nonzero the memory of all nr must be readable (packed panels). */
    void (*tile)(const struct dgm_gemm_tile *tile, int b_padded);

    /*
     * The same for an unpacked b of form NT, without copying it: column j of op(b) is the `steps`
     * consecutive reals at b + j ldb. At most thin_rows rows and thin_cols columns. `ahead` is
     * where the weights go on after this block (a prefetch address, ld as b), or NULL.
     */
    int thin_rows, thin_cols;
    void (*thin)(const struct dgm_gemm_tile *tile, const dgm_real *ahead);

    /* Panels: to[t width + j], t < steps, j < width; columns from `cols` to width are zero. */
    /* ... of a matrix (steps, cols) with ld between rows. */
    void (*pack_rows)(dgm_real *to, int width, const dgm_real *from, int64_t ld, int64_t steps,
                      int64_t cols);
    /* ... of a matrix (cols, steps), which is transposed. */
    void (*pack_columns)(dgm_real *to, int width, const dgm_real *from, int64_t ld,
                         int64_t steps, int64_t cols);
};

/* The plain C kernels: the reference, and the only ones when dgm_real is double. */
extern const struct dgm_gemm_kernels dgm_gemm_c;

#endif
