/*
 * narrow_case.h: what tests of weights in fewer bits share: a random product of one tile, and what
 * a kernel makes of it.
 */
#ifndef DGM_TEST_NARROW_CASE_H
#define DGM_TEST_NARROW_CASE_H

#include "kernel/narrow/amx_again.h"
#include "kernel/narrow/int8_evex.h"
#include "kernel/narrow/narrow.h"
#include "kernel_case.h"

enum { NARROW_MOST_ROWS = DGM_NARROW_ROWS, NARROW_MOST_K = 130 };
enum { NARROW_MOST_N = 7 * DGM_NARROW_LANES, NARROW_GAP = 5 };

/* Entries of a type, and one or two more: what stands in for the AMX and AVX-VNNI of newer
 * processors. */
static inline size_t narrow_entry_count(const struct dgm_narrow_type *type)
{
    return type->count + (type == &dgm_int8 ? 2 : 1);
}

static inline const struct dgm_narrow_kernels *narrow_entry(const struct dgm_narrow_type *type,
                                                            size_t i)
{
    if (i < type->count)
        return dgm_narrow_entry(type, i);
    if (type == &dgm_bf16)
        return bf16_amx_again();
    return i == type->count ? int8_evex() : int8_amx_again();
}

/* Plain C of the same bits. */
static inline const struct dgm_narrow_kernels *narrow_reference(
    const struct dgm_narrow_type *type, const struct dgm_narrow_kernels *kernels)
{
    return kernels->like ? kernels->like : type->kernels[0];
}

/* Weights (n,k), activations (rows,k), and what a product of them needs besides. */
struct narrow_product {
    const struct dgm_narrow_type *type;
    int64_t rows, n, k;
    dgm_real a[NARROW_MOST_ROWS * NARROW_MOST_K], bias[NARROW_MOST_N];
    uint8_t w[NARROW_MOST_N * 2 * (NARROW_MOST_K + 3)];
    float w_scales[NARROW_MOST_N];
    dgm_real w_reals[NARROW_MOST_N * NARROW_MOST_K]; /* as they were before */
    int64_t first, end;
    dgm_real alpha, beta;
    int with_bias, relu;
};

/* What a kernel makes of a product: activations, and C between guards. */
struct narrow_outcome {
    float q[NARROW_MOST_ROWS * (NARROW_MOST_K + 3)];
    float scales[NARROW_MOST_ROWS];
    int32_t sums[NARROW_MOST_ROWS];
    dgm_real c[NARROW_MOST_ROWS * (NARROW_MOST_N + NARROW_GAP)];
};

enum narrow_numbers {
    NARROW_TAME,    /* -2..2 */
    NARROW_HOSTILE, /* the same, one in forty of them zero, denormal, huge or tiny */
    NARROW_WIDE,    /* of all sizes */
    NARROW_KINDS
};

static inline dgm_real narrow_number(enum narrow_numbers numbers, struct dgm_random *random)
{
    static const double special[] = { 0, -0.0, 1e-40, -1e-42, 1e30, -1e30, 1e-30, 3e4, -2e5 };
    const double tame = 4 * dgm_random_unit(random) - 2;

    if (numbers == NARROW_HOSTILE && dgm_random_below(random, 40) == 0)
        return (dgm_real)special[dgm_random_below(random, 9)];
    if (numbers == NARROW_WIDE)
        return (dgm_real)ldexp(tame, (int)dgm_random_below(random, 124) - 62);
    return (dgm_real)tame;
}

static inline void narrow_fill(dgm_real *x, int64_t count, enum narrow_numbers numbers,
                               struct dgm_random *random)
{
    for (int64_t i = 0; i < count; i++)
        x[i] = narrow_number(numbers, random);
}

/* Brings w_reals to the type. */
static inline void narrow_pack(struct narrow_product *p)
{
    const struct dgm_narrow_matrix to = { p->w, p->w_scales };

    memset(p->w, p->type->fill, sizeof p->w);
    memset(p->w_scales, 0, sizeof p->w_scales);
    dgm_narrow_pack(p->type, p->type->kernels[0], &to, 0, p->n, p->w_reals, p->k);
}

static inline void narrow_make(struct narrow_product *p, const struct dgm_narrow_type *type,
                               enum narrow_numbers numbers, struct dgm_random *random)
{
    p->type = type;
    p->rows = 1 + dgm_random_below(random, NARROW_MOST_ROWS);
    p->n = 1 + dgm_random_below(random, NARROW_MOST_N);
    p->k = 1 + dgm_random_below(random, NARROW_MOST_K);
    narrow_fill(p->a, p->rows * p->k, numbers, random);
    narrow_fill(p->bias, p->n, NARROW_TAME, random);
    narrow_fill(p->w_reals, p->n * p->k, numbers, random);
    narrow_pack(p);
    p->first = dgm_random_below(random, 3) == 0
                   ? dgm_random_below(random, p->n < 16 ? (uint32_t)p->n : 16)
                   : 0;
    p->end = p->n;
    p->alpha = dgm_random_below(random, 2) ? 1 : (dgm_real)0.7;
    p->beta = (dgm_real)dgm_random_below(random, 3) / 2;
    p->with_bias = dgm_random_below(random, 2) == 0;
    p->relu = dgm_random_below(random, 2) == 0;
}

/* A product of nothing but w_reals (n,k) and a (rows,k), which the caller fills in before. */
static inline void narrow_plain(struct narrow_product *p, const struct dgm_narrow_type *type,
                                int64_t rows, int64_t n, int64_t k)
{
    p->type = type;
    p->rows = rows;
    p->n = p->end = n;
    p->k = k;
    p->first = 0;
    p->alpha = 1;
    p->beta = 0;
    p->with_bias = p->relu = 0;
    narrow_pack(p);
}

static inline void narrow_compute(const struct dgm_narrow_kernels *kernels,
                                  const struct narrow_product *p, struct narrow_outcome *out)
{
    const struct dgm_narrow_rows rows = { .rows = p->rows,
                                          .k = p->k,
                                          .lda = p->k,
                                          .a = p->a,
                                          .q = (uint8_t *)out->q,
                                          .step = kernels->bytes * p->rows,
                                          .scales = out->scales,
                                          .sums = out->sums };
    const struct dgm_narrow_tile tile = { .rows = p->rows,
                                          .panels = dgm_narrow_panels(p->n),
                                          .groups = dgm_narrow_groups(p->type, p->k),
                                          .q = out->q,
                                          .scales = out->scales,
                                          .sums = out->sums,
                                          .w = p->w,
                                          .w_scales = p->w_scales,
                                          .first = p->first,
                                          .end = p->end,
                                          .c = out->c,
                                          .ldc = p->n + NARROW_GAP,
                                          .alpha = p->alpha,
                                          .beta = p->beta,
                                          .bias = p->with_bias ? p->bias : NULL,
                                          .relu = p->relu };

    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < sizeof out->c / sizeof *out->c; i++)
        out->c[i] = (dgm_real)(i % 17) - 8;
    kernels->activations(&rows);
    kernels->tile(&tile);
}

/* Row i, column j of what was computed. */
static inline dgm_real narrow_at(const struct narrow_product *p, const struct narrow_outcome *out,
                                 int64_t i, int64_t j)
{
    return out->c[i * (p->n + NARROW_GAP) + j];
}

#endif
