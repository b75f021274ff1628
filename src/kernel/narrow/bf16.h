/*
 * bf16.h: weights and activations in bfloat16, the upper half of a float: a type of narrow.h.
 *
 * A number is rounded to the nearest of 8 bits of significand, ties to even. Then what is nearer to
 * zero than DGM_BF16_LEAST becomes zero, and what is further than DGM_BF16_MOST infinite, so that
 * to round again changes nothing; NaN stays NaN. Activations are rounded just before their product.
 * A group is two steps, of which the later is added first:
 *
 *     s = 0;  for each group, in order:  s = x[1] w[1] + s;  s = x[0] w[0] + s
 *
 * in f32, to nearest. It is the order of vdpbf16ps of AVX512_BF16 (Intel SDM, volume 2), and every
 * other instruction set keeps it but AMX, whose tiles can only sum as matrix.h tells, by 16 groups:
 *
 *     even = odd = 0;  for each group:  even = x[0] w[0] + even;  odd = x[1] w[1] + odd
 *     s = s + (even + odd)
 *
 * So a processor with AMX has bits of its own, whatever the number of rows.
 *
 * A product of two such numbers is exact in f32: it has 16 bits of significand, and is zero or at
 * least 2^-112 and at most 2^126. Therefore one fused step has the bits of a product and a sum. And
 * products are multiples of 2^-126, for numbers of at least 2^-56 are multiples of 2^-63: so are
 * their sums, none of which is denormal. Therefore it does not matter that vdpbf16ps and tdpbf16ps
 * take denormals as zero.
 *
 * Infinities and NaN go through as in f32; which NaN it is may differ. Panels hold halves in the
 * processor's order of bytes, the earlier step first.
 */
#ifndef DGM_KERNEL_BF16_H
#define DGM_KERNEL_BF16_H

#include <math.h>
#include <string.h>

#include "kernel/narrow/narrow.h"

enum { DGM_BF16_STEPS = 2 };

#define DGM_BF16_LEAST 1.3877787807814457e-17f /* 2^-56 */
#define DGM_BF16_MOST 9.18734323983581184e18f  /* 2^63 - 2^55, the last before 2^63 */

/* Groups of k steps. */
static inline int64_t dgm_bf16_pairs(int64_t k)
{
    return (k + DGM_BF16_STEPS - 1) / DGM_BF16_STEPS;
}

static inline float dgm_bf16_widen(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint16_t dgm_bf16_round(float x)
{
    uint32_t bits;
    uint16_t sign, half;
    float size;

    memcpy(&bits, &x, sizeof bits);
    sign = (uint16_t)(bits >> 16 & 0x8000);
    if (isnan(x))
        return (uint16_t)(sign | 0x7FC0);
    half = (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
    size = fabsf(dgm_bf16_widen(half));
    if (size > DGM_BF16_MOST)
        return (uint16_t)(sign | 0x7F80);
    return size < DGM_BF16_LEAST ? 0 : half;
}

extern const struct dgm_narrow_type dgm_bf16;

#endif
