/*
 * int8.h: weights of one byte each, and the bytes of activations: a type of narrow.h.
 *
 * A weight is q s, q a whole number in -127..127 and s the scale of its row of W (N,K), which is
 * one column of C. A row of activations is quantised just before its product, with a scale of its
 * own:
 *
 *     s = max |x_k| / 127;  q_k = x_k (127 / max), rounded to the nearest, ties to even
 *     c_ij = float(sum_k q_ik w_jk) * (s_i * s_j)
 *
 * The sum is exact: 32 bits hold it up to DGM_INT8_MOST_K steps. A row without a finite number
 * everywhere has the scale NaN, and with it its whole row of C; one whose largest number is below
 * DGM_INT8_LEAST counts as zeros.
 *
 * Why one scale for a row of W and not one for each block of 32 as in files of type q8_0: the sum
 * would have to become a float after every eight steps of a vector. What blocks would cost in speed
 * and gain in precision has not been measured.
 *
 * A group is four steps. Weights are stored as q + 128, and zeros as 128; activations as q.
 */
#ifndef DGM_KERNEL_INT8_H
#define DGM_KERNEL_INT8_H

#include "kernel/narrow/narrow.h"

enum {
    DGM_INT8_STEPS = 4,
    DGM_INT8_MOST_K = 65536, /* 127 * 255 * K < 2^31 */
};

#define DGM_INT8_LEAST 7.888609052210118e-31f /* 2^-100: 127 / max stays finite */

/* To the nearest whole number, ties to even, for |x| < 2^21: beyond 2^23 a float has no
 * fraction. */
static inline int dgm_int8_round(float x)
{
    const float whole = 12582912.0f; /* 2^23 + 2^22 */
    const float moved = x + whole;   /* its own step: a wider register would keep the fraction */

    return (int)(moved - whole);
}

/* Groups of k steps. */
static inline int64_t dgm_int8_quads(int64_t k)
{
    return (k + DGM_INT8_STEPS - 1) / DGM_INT8_STEPS;
}

extern const struct dgm_narrow_type dgm_int8;

#endif
