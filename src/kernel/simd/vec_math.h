/*
 * vec_math.h: exp, log, tanh, the logistic function and the normal distribution of a vector, as
 * exact as math.h says.
 * Included after a vec_<isa>.h, whose vocabulary it uses; poly.h has the constants.
 */
#ifndef DGM_KERNEL_SIMD_VEC_MATH_H
#define DGM_KERNEL_SIMD_VEC_MATH_H

#include "kernel/simd/poly.h"

#ifndef VEC_HAS_LDEXP
/* 2^n for a whole n in -126..127. */
static inline vec vec_power_of_2(vec n)
{
    ivec exponent = ivec_add(vec_to_int(n), ivec_set1(127));

    return ivec_floats(ivec_shift_left(exponent, 23));
}

/* x 2^n for a whole n in -252..254, in two steps, so that only the last one can round. */
static inline vec vec_ldexp(vec x, vec n)
{
    vec half = vec_round(vec_mul(n, vec_set1(0.5f)));

    x = vec_mul(x, vec_power_of_2(half));
    return vec_mul(x, vec_power_of_2(vec_sub(n, half)));
}
#endif

/* exp(x) = 2^n exp(r), x = n ln 2 + r. */
static inline vec vec_exp(vec x)
{
    vec n, r, y;

    x = vec_min(vec_set1(POLY_EXP_HIGH), x); /* in this order NaN stays */
    x = vec_max(vec_set1(POLY_EXP_LOW), x);
    n = vec_round(vec_mul(x, vec_set1(POLY_LOG2_E)));
    r = vec_fnma(n, vec_set1(POLY_LN2_HIGH), x);
    r = vec_fnma(n, vec_set1(POLY_LN2_LOW), r);
    y = vec_fma(vec_set1(POLY_E6), r, vec_set1(POLY_E5));
    y = vec_fma(y, r, vec_set1(POLY_E4));
    y = vec_fma(y, r, vec_set1(POLY_E3));
    y = vec_fma(y, r, vec_set1(POLY_E2));
    y = vec_fma(y, r, vec_set1(1.0f));
    y = vec_fma(y, r, vec_set1(1.0f));
    return vec_ldexp(y, n);
}

/* log(x) = e ln 2 + log(1 + f), x = 2^e (1 + f). */
static inline vec vec_log(vec x)
{
    const vec infinity = ivec_floats(ivec_set1(0x7f800000));
    const vmask tiny = vec_gt(vec_set1(1.17549435e-38f), x);
    vec scaled = vec_select(tiny, vec_mul(x, vec_set1(8388608.0f)), x); /* 2^23 */
    ivec bits = vec_bits(scaled);
    /* Adding the distance from sqrt(1/2) to 1 carries into the exponent from there on. */
    ivec moved = ivec_add(bits, ivec_set1(0x3f800000 - 0x3f3504f3));
    ivec exponent = ivec_sub(ivec_shift_right(moved, 23), ivec_set1(127));
    ivec mantissa = ivec_add(ivec_and(moved, ivec_set1(0x7fffff)), ivec_set1(0x3f3504f3));
    vec f = vec_sub(ivec_floats(mantissa), vec_set1(1.0f));
    vec e = vec_sub(vec_from_int(exponent), vec_keep(tiny, vec_set1(23.0f)));
    vec square = vec_mul(f, f);
    vec y = vec_fma(vec_set1(POLY_L7), f, vec_set1(POLY_L6));

    y = vec_fma(y, f, vec_set1(POLY_L5));
    y = vec_fma(y, f, vec_set1(POLY_L4));
    y = vec_fma(y, f, vec_set1(POLY_L3));
    y = vec_fma(y, f, vec_set1(POLY_L2));
    y = vec_fma(y, f, vec_set1(POLY_L1));
    y = vec_fma(y, f, vec_set1(POLY_L0));
    y = vec_mul(vec_mul(y, f), square);
    y = vec_fma(e, vec_set1(POLY_LN2_LOW), y);
    y = vec_fnma(vec_set1(0.5f), square, y);
    y = vec_fma(e, vec_set1(POLY_LN2_HIGH), vec_add(f, y));
    /* Infinity and NaN stay; 0 gives -infinity; what is below gives NaN, as 0 / 0 does. */
    y = vec_select(vec_gt(infinity, x), y, x);
    y = vec_select(vec_eq(x, vec_zero()), vec_sub(vec_zero(), infinity), y);
    return vec_select(vec_gt(vec_zero(), x), vec_sub(infinity, infinity), y);
}

/* tanh |x| = 1 - 2 / (exp(2 |x|) + 1), but a polynomial where that would cancel. */
static inline vec vec_tanh(vec x)
{
    vec size = vec_abs(x), square = vec_mul(x, x);
    vec e = vec_exp(vec_add(size, size));
    vec large = vec_sub(vec_set1(1.0f), vec_div(vec_set1(2.0f), vec_add(e, vec_set1(1.0f))));
    vec y = vec_fma(vec_set1(POLY_T4), square, vec_set1(POLY_T3));

    y = vec_fma(y, square, vec_set1(POLY_T2));
    y = vec_fma(y, square, vec_set1(POLY_T1));
    y = vec_fma(y, square, vec_set1(POLY_T0));
    y = vec_fma(vec_mul(y, square), x, x);
    return vec_select(vec_gt(size, vec_set1(POLY_TANH_SMALL)), vec_copysign(large, x), y);
}

/*
 * 1 / (1 + exp(-x)), by way of e = exp(-|x|), which cannot overflow. The rounding error of 1 + e,
 * which is known exactly (Dekker 1971) since e <= 1, is put right to first order: with
 * d = 1 + e - lost, top / (d + lost) = q - q lost / d, and 1 / d = 1 - e / d.
 */
static inline vec vec_sigmoid(vec x)
{
    const vec one = vec_set1(1.0f);
    vec e = vec_exp(vec_sub(vec_zero(), vec_abs(x)));
    vec top = vec_select(vec_gt(vec_zero(), x), e, one);
    vec d = vec_add(one, e), lost = vec_sub(e, vec_sub(d, one));
    vec q = vec_div(top, d);
    vec inverse = vec_select(vec_gt(vec_zero(), x), vec_sub(one, q), q);

    return vec_sub(q, vec_mul(vec_mul(q, lost), inverse));
}

/* The probability that a standard normal number is below x. */
static inline vec vec_normal(vec x)
{
    vec s = vec_min(vec_set1(POLY_NORMAL_TOP), vec_mul(x, x)); /* in this order NaN stays */
    vec q = vec_fma(vec_set1(POLY_N9), s, vec_set1(POLY_N8));

    q = vec_fma(q, s, vec_set1(POLY_N7));
    q = vec_fma(q, s, vec_set1(POLY_N6));
    q = vec_fma(q, s, vec_set1(POLY_N5));
    q = vec_fma(q, s, vec_set1(POLY_N4));
    q = vec_fma(q, s, vec_set1(POLY_N3));
    q = vec_fma(q, s, vec_set1(POLY_N2));
    q = vec_fma(q, s, vec_set1(POLY_N1));
    q = vec_fma(q, s, vec_set1(POLY_N0));
    return vec_sigmoid(vec_mul(x, q));
}

#endif
