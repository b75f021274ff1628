/*
 * narrow.h: products with weights in fewer bits than f32: what their types share. The types are
 * int8.h and bf16.h; each says what its numbers are and how it sums.
 *
 * Weights lie as all instruction sets read them: in panels of DGM_NARROW_LANES rows of W (N,K),
 * which are columns of C; in each panel, for every group of steps of the sum, the four bytes of
 * each row. Rows and steps that only fill up are zeros. Activations (M,K) are narrowed just before
 * a product, in tiles of up to `rows` rows, in an order that is the kernel's own.
 *
 * What a sum becomes is the same for all types: c = alpha sum + beta old, + bias, max(0, .) as in
 * gemm.h. Every operation is rounded by itself, in this order, and none is fused. So c does
 * not depend on other rows or on threads, and has the same bits on every instruction set that sums
 * in the same order: all of int8, all but AMX of bf16.
 */
#ifndef DGM_KERNEL_NARROW_H
#define DGM_KERNEL_NARROW_H

#include <stddef.h>
#include <stdint.h>

#include "base/real.h"

enum {
    DGM_NARROW_LANES = 16,                                  /* rows of W in a panel */
    DGM_NARROW_BYTES = 4,                                   /* of a row in a group of steps */
    DGM_NARROW_GROUP = DGM_NARROW_LANES * DGM_NARROW_BYTES, /* bytes of a panel in it */
    DGM_NARROW_ROWS = 32,  /* most rows of activations in a tile, on any instruction set */
    DGM_NARROW_PANELS = 4, /* panels that a tile takes at a time, at most */
};

/* Rows to be narrowed: `rows` rows of k reals, lda apart, into a tile, or into lanes of a panel. */
struct dgm_narrow_rows {
    int64_t rows, k, lda;
    const dgm_real *a;
    uint8_t *q;    /* (groups, rows, the kernel's `bytes`); in a panel (groups, LANES, 4) */
    int64_t step;  /* bytes from one group to the next */
    float *scales; /* (rows), and sums (rows): for types that have any */
    int32_t *sums;
};

/* One tile of activations times `panels` panels of weights, which follow each other. */
struct dgm_narrow_tile {
    int64_t rows, panels, groups;
    const void *q;
    const float *scales;
    const int32_t *sums;
    const uint8_t *w;      /* (panels, groups, LANES, 4) */
    const float *w_scales; /* (panels * LANES) */
    int64_t first, end;    /* lanes that count; c and bias begin at lane `first` */
    dgm_real *c;
    int64_t ldc;
    dgm_real alpha, beta;
    const dgm_real *bias; /* or NULL */
    int relu;
};

struct dgm_narrow_kernels {
    const char *name; /* "avx2" */
    const char *base; /* serves kernels of this instruction set and of those above it */
    unsigned needs;   /* DGM_CPU_* that must all be there */
    unsigned
        slow_on; /* DGM_CPU_* on which the entry before, of the same bits, is faster; 0: none */
    /* Plain C that sums as they do; NULL: the first entry. Where it is not NULL, bits differ. */
    const struct dgm_narrow_kernels *like;
    int rows;  /* of the largest tile, at most DGM_NARROW_ROWS */
    int bytes; /* of a row of activations in a group of steps */
    void (*activations)(const struct dgm_narrow_rows *job); /* to the order that `tile` reads */
    void (*weights)(const struct dgm_narrow_rows *job);     /* to panels; zeros are 0 */
    void (*tile)(const struct dgm_narrow_tile *tile);
};

/* A matrix of such weights: scales are NULL in a type without. */
struct dgm_narrow_matrix {
    uint8_t *panels;
    float *scales;
};

struct dgm_narrow_type {
    const char *name; /* "int8" */
    int steps;        /* of a group */
    int fill;         /* the byte of zeros: every byte of a panel is stored xor this */
    int has_scales;   /* one of each row of W */
    int64_t most_k;
    float most; /* what is further from zero becomes infinite */
    /* Weakest first; NULL where this build lacks them. The first are plain C, always there. */
    const struct dgm_narrow_kernels *const *kernels;
    size_t count;
    /* Row `row` of a matrix of k columns as reals. */
    void (*unpack)(dgm_real *values, const struct dgm_narrow_matrix *from, int64_t row, int64_t k);
};

static inline int64_t dgm_narrow_groups(const struct dgm_narrow_type *type, int64_t k)
{
    return (k + type->steps - 1) / type->steps;
}

static inline int64_t dgm_narrow_panels(int64_t rows)
{
    return (rows + DGM_NARROW_LANES - 1) / DGM_NARROW_LANES;
}

/* Where a row's first group lies; the others follow DGM_NARROW_GROUP bytes apart. */
static inline size_t dgm_narrow_place(int64_t row, int64_t groups)
{
    return (size_t)(row / DGM_NARROW_LANES * groups * DGM_NARROW_GROUP +
                    row % DGM_NARROW_LANES * DGM_NARROW_BYTES);
}

/* The kernels of entry i < count; NULL where this build or this processor lacks them. */
const struct dgm_narrow_kernels *dgm_narrow_entry(const struct dgm_narrow_type *type, size_t i);

/* The fastest that go with the kernels of instruction set `isa` ("avx512") on this processor. */
const struct dgm_narrow_kernels *dgm_narrow_choose(const struct dgm_narrow_type *type,
                                                   const char *isa);

/* Rows `row` to row + count - 1 of a matrix of k columns from finite reals (count,k). What shares
 * their panels stays. */
void dgm_narrow_pack(const struct dgm_narrow_type *type, const struct dgm_narrow_kernels *kernels,
                     const struct dgm_narrow_matrix *to, int64_t row, int64_t count,
                     const dgm_real *values, int64_t k);

/* Row `from_row` of one matrix of k columns becomes `row` of another; zeros where it is below 0. */
void dgm_narrow_copy(const struct dgm_narrow_type *type, const struct dgm_narrow_matrix *to,
                     int64_t row, const struct dgm_narrow_matrix *from, int64_t from_row,
                     int64_t k);

#endif
