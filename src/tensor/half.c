/*
 * half.c: f16, bf16 and q8_0 by integer arithmetic on the bits of a binary32.
 */
#include "tensor/half.h"

#include <math.h>
#include <string.h>

#include "base/le.h"

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* x / 2^shift, rounded to nearest, ties to even; shift is 1..31. */
static uint32_t shift_rounded(uint32_t x, unsigned shift)
{
    uint32_t rest = x & ((1u << shift) - 1), half = 1u << (shift - 1), q = x >> shift;

    return q + (rest > half || (rest == half && (q & 1)));
}

uint16_t dgm_half_to_f16(float value)
{
    uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7FFFFFFF;
    uint32_t exponent = rest >> 23; /* of binary32, biased by 127; that of f16 is biased by 15 */

    if (rest > 0x7F800000) /* NaN: made quiet, its upper bits kept */
        return (uint16_t)(sign | 0x7E00 | (rest >> 13 & 0x3FF));
    if (exponent >= 143) /* at least 2^16, or infinite */
        return (uint16_t)(sign | 0x7C00);
    if (exponent >= 113) /* normal; rounding may carry into the exponent, up to infinity */
        return (uint16_t)(sign | shift_rounded(rest - (112u << 23), 13));
    if (exponent >= 102) /* subnormal: the significand in units of 2^-24 */
        return (uint16_t)(sign | shift_rounded((rest & 0x7FFFFF) | 0x800000, 126 - exponent));
    return (uint16_t)sign; /* below 2^-25, half of the smallest */
}

float dgm_half_from_f16(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7FFF;

    if (rest >= 0x7C00) /* infinity, NaN */
        return float_of(sign | 0x7F800000 | (rest & 0x3FF) << 13);
    if (rest >= 0x400)
        return float_of(sign | ((rest << 13) + (112u << 23)));
    /* Subnormal, or zero: units of 2^-24. The product is exact. */
    return float_of(sign | bits_of((float)rest * (1.0f / 16777216.0f)));
}

uint16_t dgm_half_to_bf16(float value)
{
    uint32_t bits = bits_of(value);

    if ((bits & 0x7FFFFFFF) > 0x7F800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)shift_rounded(bits, 16);
}

float dgm_half_from_bf16(uint16_t half)
{
    return float_of((uint32_t)half << 16);
}

/* max|x|, or infinity if some x is no finite number. */
static float largest(const float in[DGM_HALF_Q8_COUNT])
{
    uint32_t most = 0;
    int i;

    for (i = 0; i < DGM_HALF_Q8_COUNT; i++) {
        uint32_t bits = bits_of(in[i]) & 0x7FFFFFFF;
        if (bits > most)
            most = bits;
    }
    return float_of(most < 0x7F800000 ? most : 0x7F800000);
}

/* Ties to even in the rounding mode that is never changed. -128 is not used: the range is the same
 * on both sides, as in other writers of q8_0. */
static signed char step_of(float value, float scale)
{
    float q = rintf(value / scale);

    return (signed char)(q > 127.0f ? 127.0f : q < -127.0f ? -127.0f : q);
}

void dgm_half_to_q8(unsigned char out[DGM_HALF_Q8_BYTES], const float in[DGM_HALF_Q8_COUNT])
{
    const uint16_t nan_bits = 0x7E00, most_bits = 0x7BFF; /* 65504 */
    float most = largest(in), scale;
    uint16_t bits = dgm_half_to_f16(most / 127.0f);
    int i;

    if (bits_of(most) == 0x7F800000)
        bits = nan_bits;
    else if (bits > most_bits)
        bits = most_bits;
    dgm_le16_put(out, bits);
    /* The rounded one, by which a reader will multiply. */
    scale = dgm_half_from_f16(bits);
    for (i = 0; i < DGM_HALF_Q8_COUNT; i++) {
        signed char q = bits == nan_bits || bits == 0 ? 0 : step_of(in[i], scale);
        out[2 + i] = (unsigned char)q;
    }
}

void dgm_half_from_q8(float out[DGM_HALF_Q8_COUNT], const unsigned char in[DGM_HALF_Q8_BYTES])
{
    float scale = dgm_half_from_f16(dgm_le16(in));
    int i;

    for (i = 0; i < DGM_HALF_Q8_COUNT; i++) {
        int q = in[2 + i] < 128 ? in[2 + i] : (int)in[2 + i] - 256;
        out[i] = scale * (float)q;
    }
}
