/* test_half.c: short number formats, every bit pattern and the ties between neighbours.
 */
#include "tensor/half.h"

#include <math.h>
#include <string.h>

#include "test.h"

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The value of a finite f16 by its definition. */
static double f16_by_definition(unsigned bits)
{
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double magnitude = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);

    return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(half_f16_reads_every_pattern_and_writes_it_back)
{
    unsigned bits;

    for (bits = 0; bits < 65536; bits++) {
        float value = dgm_half_from_f16((uint16_t)bits);
        if ((bits & 0x7C00) != 0x7C00)
            CHECK((double)value == f16_by_definition(bits));
        else if (bits & 0x3FF)
            CHECK(isnan(value));
        else
            CHECK(isinf(value) && (value < 0) == (bits >> 15 == 1));
        if (isnan(value))
            CHECK_INT(dgm_half_to_f16(value), bits | 0x200);
        else
            CHECK_INT(dgm_half_to_f16(value), bits);
    }
}

TEST(half_f16_rounds_to_nearest_and_ties_to_even)
{
    unsigned bits;

    for (bits = 0; bits < 0x7BFF; bits++) {
        double low = f16_by_definition(bits), high = f16_by_definition(bits + 1);
        float middle = (float)((low + high) / 2); /* exact: one bit more */
        CHECK_INT(dgm_half_to_f16(middle), bits + (bits & 1));
        CHECK_INT(dgm_half_to_f16(nextafterf(middle, 0)), bits);
        CHECK_INT(dgm_half_to_f16(nextafterf(middle, INFINITY)), bits + 1);
        CHECK_INT(dgm_half_to_f16(-middle), 0x8000 | (bits + (bits & 1)));
    }
    CHECK_INT(dgm_half_to_f16(65519.0f), 0x7BFF);
    CHECK_INT(dgm_half_to_f16(65520.0f), 0x7C00);
    CHECK_INT(dgm_half_to_f16(3e38f), 0x7C00);
    CHECK_INT(dgm_half_to_f16(-INFINITY), 0xFC00);
    CHECK_INT(dgm_half_to_f16(1e-45f), 0);
}

/* A NaN that signals may become quiet on its way: i386 returns floats in an x87 register. */
static unsigned without_signal(float value)
{
    return isnan(value) ? bits_of(value) | 0x400000 : bits_of(value);
}

TEST(half_bf16_reads_every_pattern_and_rounds_to_even)
{
    unsigned bits, quiet;

    for (bits = 0; bits < 65536; bits++) {
        float value = dgm_half_from_bf16((uint16_t)bits);
        quiet = isnan(value) ? 0x400000 : 0;
        CHECK_INT(without_signal(value), bits << 16 | quiet);
        if (isnan(value))
            CHECK(isnan(dgm_half_from_bf16(dgm_half_to_bf16(value))));
        else
            CHECK_INT(dgm_half_to_bf16(value), bits);
    }
    CHECK_INT(dgm_half_to_bf16(1.0f + 0x1p-8f), 0x3F80);
    CHECK_INT(dgm_half_to_bf16(1.0f + 0x1p-8f + 0x1p-23f), 0x3F81);
    CHECK_INT(dgm_half_to_bf16(1.0f + 0x1p-7f + 0x1p-8f), 0x3F82);
    CHECK_INT(dgm_half_to_bf16(3.4028235e38f), 0x7F80);
}

/* A NaN whose upper bits are zeros is no infinity afterwards, and one of ones does not carry into
 * the sign. */
TEST(half_every_nan_stays_one)
{
    static const uint32_t nans[] = { 0x7F800001, 0xFF800001, 0x7F80FFFF, 0x7F808000,
                                     0x7FFFFFFF, 0xFFFFFFFF, 0x7FFF8000, 0x7FC00000 };

    for (size_t i = 0; i < sizeof nans / sizeof nans[0]; i++) {
        const unsigned sign = nans[i] >> 31;
        uint16_t bf16, f16;
        float value;

        memcpy(&value, &nans[i], sizeof value);
        bf16 = dgm_half_to_bf16(value);
        f16 = dgm_half_to_f16(value);
        CHECK((bf16 & 0x7FFF) > 0x7F80 && bf16 >> 15 == sign);
        CHECK((f16 & 0x7FFF) > 0x7C00 && f16 >> 15 == sign);
    }
}

TEST(half_q8_stays_within_half_a_step)
{
    float in[DGM_HALF_Q8_COUNT], out[DGM_HALF_Q8_COUNT];
    unsigned char block[DGM_HALF_Q8_BYTES];
    unsigned seed = 1;
    int round, i;

    for (round = 0; round < 2000; round++) {
        float scale = ldexpf(1.0f, round % 20 - 5), step;
        for (i = 0; i < DGM_HALF_Q8_COUNT; i++) {
            seed = seed * 1664525u + 1013904223u;
            in[i] = scale * ((float)(seed >> 8) / 8388608.0f - 1.0f);
        }
        dgm_half_to_q8(block, in);
        dgm_half_from_q8(out, block);
        step = dgm_half_from_f16((uint16_t)(block[0] | block[1] << 8));
        for (i = 0; i < DGM_HALF_Q8_COUNT; i++)
            CHECK_NEAR(out[i], in[i], step * 0.500001f);
    }
}

TEST(half_q8_survives_zeros_extremes_and_nan)
{
    float in[DGM_HALF_Q8_COUNT] = { 0 }, out[DGM_HALF_Q8_COUNT];
    unsigned char block[DGM_HALF_Q8_BYTES];
    int i;

    dgm_half_to_q8(block, in);
    dgm_half_from_q8(out, block);
    for (i = 0; i < DGM_HALF_Q8_COUNT; i++)
        CHECK(out[i] == 0.0f);
    in[0] = 127.0f;
    in[1] = 2.5f;
    in[2] = 3.5f;
    in[3] = -127.0f;
    dgm_half_to_q8(block, in);
    CHECK_INT(block[2], 127);
    CHECK_INT(block[3], 2);
    CHECK_INT(block[4], 4);
    CHECK_INT(block[5], 129); /* -127 */
    in[0] = 1e30f;
    dgm_half_to_q8(block, in);
    dgm_half_from_q8(out, block);
    CHECK_NEAR(out[0], 65504.0f * 127.0f, 0);
    /* 1.4 times the least scale that f16 has became that: what lies beyond the last step is the
     * last. */
    in[0] = 127 * 1.4f / 16777216, in[1] = -in[0], in[2] = in[3] = 0.0f;
    dgm_half_to_q8(block, in);
    CHECK_INT(block[2], 127);
    CHECK_INT(block[3], 129); /* -127 */
    in[0] = 1e-30f, in[1] = in[2] = in[3] = 0.0f;
    dgm_half_to_q8(block, in);
    dgm_half_from_q8(out, block);
    CHECK(out[0] == 0.0f);
    in[7] = NAN;
    dgm_half_to_q8(block, in);
    dgm_half_from_q8(out, block);
    CHECK(isnan(out[0]) && isnan(out[7]) && isnan(out[31]));
    in[7] = -INFINITY;
    dgm_half_to_q8(block, in);
    dgm_half_from_q8(out, block);
    CHECK(isnan(out[7]));
}
