/*
 * real_math.h: the elementary functions of one dgm_real, for the plain C kernels.
 *
 * In single precision they are our own, by the method of vec_math.h, so that results do not
 * depend on the C library; in double precision (gradient checks) they are the library's.
 */
#ifndef DGM_KERNEL_SIMD_REAL_MATH_H
#define DGM_KERNEL_SIMD_REAL_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"
#include "kernel/simd/poly.h"

#ifdef DGM_REAL_IS_DOUBLE

/* clang-format off */
static inline double dgm_real_exp(double x) { return exp(x); }
static inline double dgm_real_log(double x) { return log(x); }
static inline double dgm_real_tanh(double x) { return tanh(x); }
static inline double dgm_real_sqrt(double x) { return sqrt(x); }
static inline double dgm_real_abs(double x) { return fabs(x); }
/* clang-format on */

static inline double dgm_real_sigmoid(double x)
{
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

static inline double dgm_real_normal(double x)
{
    return 0.5 * erfc(x * -0.70710678118654752);
}

#else

static inline float dgm_real_sqrt(float x)
{
    return sqrtf(x);
}
static inline float dgm_real_abs(float x)
{
    return fabsf(x);
}

/* 2^n, n in -126..127. */
static inline float dgm_real_power_of_2(int n)
{
    uint32_t bits = (uint32_t)(n + 127) << 23;
    float power;

    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline float dgm_real_exp(float x)
{
    float n, r, y;
    int half;

    if (!(x > POLY_EXP_LOW))
        return x <= POLY_EXP_LOW ? 0.0f : x;
    if (x > POLY_EXP_HIGH)
        x = POLY_EXP_HIGH;
    n = (float)(int)(x * POLY_LOG2_E + (x < 0 ? -0.5f : 0.5f));
    r = x - n * POLY_LN2_HIGH;
    r -= n * POLY_LN2_LOW;
    y = ((POLY_E6 * r + POLY_E5) * r + POLY_E4) * r;
    y = ((((y + POLY_E3) * r + POLY_E2) * r) + 1.0f) * r + 1.0f;
    half = (int)n / 2;
    return y * dgm_real_power_of_2(half) * dgm_real_power_of_2((int)n - half);
}

static inline float dgm_real_log(float x)
{
    float f, e = 0, y;
    uint32_t bits;

    if (!(x > 0))
        return x < 0 ? NAN : x == 0 ? -INFINITY : x;
    if (x > 3.40282347e+38f)
        return x;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f; /* 2^23 */
        e = -23;
    }
    memcpy(&bits, &x, sizeof bits);
    /* From sqrt(1/2) on, this carries into the exponent. */
    bits += 0x3f800000 - 0x3f3504f3;
    e += (float)((int)(bits >> 23) - 127);
    bits = (bits & 0x7fffff) + 0x3f3504f3;
    memcpy(&f, &bits, sizeof f);
    f -= 1.0f;
    y = ((POLY_L7 * f + POLY_L6) * f + POLY_L5) * f + POLY_L4;
    y = (((y * f + POLY_L3) * f + POLY_L2) * f + POLY_L1) * f + POLY_L0;
    y = y * f * (f * f) + e * POLY_LN2_LOW;
    y -= 0.5f * (f * f);
    return (f + y) + e * POLY_LN2_HIGH;
}

static inline float dgm_real_tanh(float x)
{
    float size = x < 0 ? -x : x, square = x * x, y;

    if (size > POLY_TANH_SMALL) {
        y = 1.0f - 2.0f / (dgm_real_exp(size + size) + 1.0f);
        return x < 0 ? -y : y;
    }
    y = ((POLY_T4 * square + POLY_T3) * square + POLY_T2) * square;
    y = (y + POLY_T1) * square + POLY_T0;
    return y * square * x + x;
}

static inline float dgm_real_sigmoid(float x)
{
    float e = dgm_real_exp(x < 0 ? x : -x);
    float d = 1.0f + e, lost = e - (d - 1.0f); /* vec_math.h says why */
    float q = (x < 0 ? e : 1.0f) / d;

    return q - q * lost * (x < 0 ? 1.0f - q : q);
}

/* The probability that a standard normal number is below x. */
static inline float dgm_real_normal(float x)
{
    float s = x * x, q;

    if (s > POLY_NORMAL_TOP)
        s = POLY_NORMAL_TOP;
    q = (POLY_N9 * s + POLY_N8) * s + POLY_N7;
    q = ((q * s + POLY_N6) * s + POLY_N5) * s + POLY_N4;
    q = (((q * s + POLY_N3) * s + POLY_N2) * s + POLY_N1) * s + POLY_N0;
    return dgm_real_sigmoid(x * q);
}

#endif

#endif
