/*
 * matrix.h: matrix products of operands in bf16 by the matrix instructions of a processor: what
 * --precision bf16 is on the CPU.
 *
 * Operands are rounded to bf16 (device/precision.h; denormals become zero) while they are copied
 * into the order in which tiles read them. The sum of an element is f32, in blocks of
 * DGM_MATRIX_K steps as in gemm.h; within one, for every 32 steps in order,
 *
 *     even = odd = 0;  for each pair of steps:  even = a[0] b[0] + even;  odd = a[1] b[1] + odd
 *     s = s + (even + odd)
 *
 * each line one rounding, which is the order of tdpbf16ps of AMX (Intel SDM, volume 2). It takes
 * denormal sums as zero. What a sum becomes is as in narrow.h. So an element does not depend on
 * the shape of the product around it, on threads or on how the work is cut.
 */
#ifndef DGM_KERNEL_MATRIX_H
#define DGM_KERNEL_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "kernel/narrow/narrow.h"

enum {
    DGM_MATRIX_K = 2048,  /* steps of a block; part of what defines a result */
    DGM_MATRIX_ROWS = 32, /* of op(a), in a tile */
    DGM_MATRIX_PAIRS = 16 /* pairs of steps, of which packed operands have a multiple */
};

/*
 * What is packed: `lines` rows of op(a), or columns of op(b). Element t of line l is
 * from[l line + t step]; line or step is 1. A pair is steps 2 t, the lower half, and 2 t + 1.
 */
struct dgm_matrix_pack {
    uint32_t *to;
    const dgm_real *from;
    int64_t line, step;
    int64_t lines, steps; /* steps at most DGM_MATRIX_K */
};

static inline int64_t dgm_matrix_pairs(int64_t steps)
{
    const int64_t each = 2 * DGM_MATRIX_PAIRS;

    return (steps + each - 1) / each * DGM_MATRIX_PAIRS;
}

/*
 * Between `begin` and `end` a thread multiplies tiles of narrow.h: `q` is what pack_rows
 * made, `w` what pack_lanes made, `groups` are pairs, at most two panels.
 */
struct dgm_matrix_kernels {
    const char *name;
    const char *base; /* as in narrow.h, and so `needs` */
    unsigned needs;
    /* To (lines, pairs), and rows of zeros up to a multiple of DGM_MATRIX_ROWS. */
    void (*pack_rows)(const struct dgm_matrix_pack *pack);
    /* To a panel (pairs, LANES), of up to LANES lines; zeros for those that lack. */
    void (*pack_lanes)(const struct dgm_matrix_pack *pack);
    void (*begin)(void);
    void (*tile)(const struct dgm_narrow_tile *tile);
    void (*end)(void);
};

/* Plain C, the first entry, is the reference: nothing computes with it but tests. */
size_t dgm_matrix_count(void);
/* NULL where this build or this processor lacks them. */
const struct dgm_matrix_kernels *dgm_matrix_entry(size_t i);

/* The fastest that go with the kernels of instruction set `isa`, NULL being the best there is; NULL
 * where there are none by matrix instructions. */
const struct dgm_matrix_kernels *dgm_matrix_choose(const char *isa);

#endif
