/*
 * int8.h: products with weights of one byte each: the inner pieces of one instruction set.
 *
 * A weight is q s, q a whole number in -127..127 and s the scale of its row of W (N,K), which is one
 * column of C. A row of activations is quantised just before its product, with a scale of its own:
 *
 *     s = max |x_k| / 127;  q_k = x_k (127 / max), rounded to the nearest, ties to even
 *     c_ij = float(sum_k q_ik w_jk) * (s_i * s_j)
 *
 * and then c = alpha c + beta old, + bias, max(0, .) as in gemm.h. The sum is exact: 32 bits hold it
 * up to DGM_INT8_MOST_K steps. Every operation on floats is rounded by itself, in this order, and
 * none is fused. So c has the same bits on every instruction set and number of threads, and does not
 * depend on other rows of the batch. A row without a finite number everywhere has the scale NaN, and
 * with it its whole row of C; one whose largest number is below DGM_INT8_LEAST counts as zeros.
 *
 * Why one scale for a row of W and not one for each block of 32 as in files of type q8_0: the sum
 * would have to become a float after every eight steps of a vector. What blocks would cost in speed
 * and gain in precision has not been measured.
 *
 * Bytes lie as all instruction sets read them. Weights: panels of DGM_INT8_LANES rows of W; in each,
 * for every four steps, the four bytes of each row, q + 128. Rows and steps that only fill up are
 * 0 + 128. Activations: tiles of up to `rows` rows; in each, for every four steps, the four bytes of
 * each row, q; steps that fill up are 0.
 */
#ifndef DGM_KERNEL_INT8_H
#define DGM_KERNEL_INT8_H

#include <stddef.h>
#include <stdint.h>

#include "base/real.h"

enum {
    DGM_INT8_LANES = 16,     /* rows of W in a panel */
    DGM_INT8_ROWS = 14,      /* most rows of activations in a tile, on any instruction set */
    DGM_INT8_PANELS = 4,     /* panels that a tile takes at a time, at most */
    DGM_INT8_MOST_K = 65536, /* 127 * 255 * K < 2^31 */
};

#define DGM_INT8_LEAST 7.888609052210118e-31f /* 2^-100: 127 / max stays finite */

/* To the nearest whole number, ties to even, for |x| < 2^21: beyond 2^23 a float has no fraction. */
static inline int dgm_int8_round(float x)
{
    const float whole = 12582912.0f; /* 2^23 + 2^22 */
    const float moved = x + whole;   /* its own step: a wider register would keep the fraction */

    return (int)(moved - whole);
}

/* Groups of four steps. */
static inline int64_t dgm_int8_quads(int64_t k)
{
    return (k + 3) / 4;
}

static inline int64_t dgm_int8_panels(int64_t rows)
{
    return (rows + DGM_INT8_LANES - 1) / DGM_INT8_LANES;
}

/* Rows to be quantised: `rows` rows of k reals, lda apart, into one tile, or into lanes of a panel. */
struct dgm_int8_rows {
    int64_t rows, k, lda;
    const dgm_real *a;
    int8_t *q;     /* (quads, rows, 4) */
    int64_t step;  /* bytes from one of the quads to the next: 4 rows, in a panel 4 LANES */
    float *scales; /* (rows) */
    int32_t *sums; /* (rows) of q: what the 128 in every weight adds, divided by 128 */
};

/* One tile of activations times `panels` panels of weights, which follow each other. */
struct dgm_int8_tile {
    int64_t rows, panels, quads;
    const int8_t *q;
    const float *scales;
    const int32_t *sums;
    const uint8_t *w;      /* (panels, quads, LANES, 4) */
    const float *w_scales; /* (panels * LANES) */
    int64_t first, end;    /* lanes that count; c and bias begin at lane `first` */
    dgm_real *c;
    int64_t ldc;
    dgm_real alpha, beta;
    const dgm_real *bias; /* or NULL */
    int relu;
};

struct dgm_int8_kernels {
    const char *name; /* "avx2" */
    const char *base; /* serves kernels of this instruction set and of those above it */
    unsigned needs;   /* DGM_CPU_* that must all be there */
    int rows;         /* of the largest tile, at most DGM_INT8_ROWS */
    void (*quantise)(const struct dgm_int8_rows *job);
    void (*tile)(const struct dgm_int8_tile *tile);
};

extern const struct dgm_int8_kernels dgm_int8_c; /* plain C: the reference */

/* The fastest that goes with the kernels of instruction set `isa` ("avx512") on this processor. */
const struct dgm_int8_kernels *dgm_int8_choose(const char *isa);

/* Entry i of int8_list.h, i < count; NULL where this build or this processor lacks it. */
size_t dgm_int8_count(void);
const struct dgm_int8_kernels *dgm_int8_entry(size_t i);

/* Quantises rows `row` to row + count - 1 of W, each of k reals, as activations are, into their
 * places. */
void dgm_int8_pack(const struct dgm_int8_kernels *kernels, uint8_t *panels, float *scales,
                   int64_t row, int64_t count, const dgm_real *values, int64_t k);
/* Copies a row of one matrix of k columns into a place of another. */
void dgm_int8_copy(uint8_t *panels, float *scales, int64_t row, const uint8_t *from_panels,
                   const float *from_scales, int64_t from_row, int64_t k);
/* The weights of a row of W as reals. */
void dgm_int8_unpack(dgm_real *values, const uint8_t *panels, const float *scales, int64_t row,
                     int64_t k);

#endif
