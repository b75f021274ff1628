/*
 * own_math.h: a logarithm, an exponential and a cosine with the same bits on every platform.
 *
 * Only + - * / on doubles, in a fixed order; build with -ffp-contract=off.
 */
#ifndef DGM_BASE_NUMBER_OWN_MATH_H
#define DGM_BASE_NUMBER_OWN_MATH_H

/* Natural logarithm of a finite x > 0, within 2 units in the last place. */
double dgm_own_log(double x);

/* e^x for x in [-700, 0], within 1e-13 of its value. */
double dgm_own_exp(double x);

/* cos(2 pi turn) for turn in [0, 1), within 2.5e-16: in turns the reduction is exact. */
double dgm_own_cos_turn(double turn);

#endif
