/*
 * poly.h: the constants of exp, log, tanh and the normal distribution in single precision, for C
 * and vector kernels.
 *
 * Polynomials are minimax fits of the relative error (Remez exchange, computed in 40 digits); the
 * largest error of each, before rounding, stands beside it: one ulp is at least 6.0e-8.
 */
#ifndef DGM_KERNEL_SIMD_POLY_H
#define DGM_KERNEL_SIMD_POLY_H

/* ln 2 in two parts; multiples of the first by up to 14 bits are exact (Cody and Waite 1980). */
#define POLY_LOG2_E 1.44269504088896341f
#define POLY_LN2_HIGH 0.693359375f
#define POLY_LN2_LOW -2.12194440054690583e-4f

/* exp(r) = 1 + r + r^2 (E2 + E3 r + ... + E6 r^4), |r| <= ln(2) / 2: 3.1e-9.
 * Outside LOW..HIGH, exp is 0 or infinite in single precision. */
#define POLY_EXP_LOW -104.0f
#define POLY_EXP_HIGH 89.0f
#define POLY_E2 4.999999335e-01f
#define POLY_E3 1.666651913e-01f
#define POLY_E4 4.166840577e-02f
#define POLY_E5 8.368898630e-03f
#define POLY_E6 1.381421879e-03f

/* log(1 + f) = f - f^2 / 2 + f^3 (L0 + ... + L7 f^7), sqrt(1/2) <= 1 + f <= sqrt(2): 5.9e-9. */
#define POLY_L0 3.333333171e-01f
#define POLY_L1 -2.500082103e-01f
#define POLY_L2 2.000122687e-01f
#define POLY_L3 -1.662335741e-01f
#define POLY_L4 1.420175824e-01f
#define POLY_L5 -1.316018208e-01f
#define POLY_L6 1.276157540e-01f
#define POLY_L7 -7.634495195e-02f

/* tanh(x) = x + x^3 (T0 + ... + T4 x^8), |x| <= TANH_SMALL: 4.4e-9. */
#define POLY_TANH_SMALL 0.625f
#define POLY_T0 -3.333328194e-01f
#define POLY_T1 1.333144220e-01f
#define POLY_T2 -5.373971531e-02f
#define POLY_T3 2.063908798e-02f
#define POLY_T4 -5.704987805e-03f

/* The logarithm of the odds that a standard normal number is below x: x (N0 + ... + N9 s^9),
 * s = x^2 up to NORMAL_TOP, from where on s stays and the odds are next to nothing. What x times
 * that probability errs by is 1.0e-8 at most: a fit by least squares, whose weights were moved
 * until all errors were alike (Lawson 1961). NORMAL_PEAK: the density at 0, 1 / sqrt(2 pi). */
#define POLY_NORMAL_TOP 33.0625f
#define POLY_NORMAL_PEAK 0.398942280401432678
#define POLY_N0 1.595769784e+00f
#define POLY_N1 7.266809256e-02f
#define POLY_N2 -6.933429720e-05f
#define POLY_N3 -1.074402686e-04f
#define POLY_N4 6.801949235e-06f
#define POLY_N5 -5.661272889e-08f
#define POLY_N6 -1.721368134e-08f
#define POLY_N7 1.104826703e-09f
#define POLY_N8 -2.906279270e-11f
#define POLY_N9 2.912365426e-13f

#endif
