/*
 * half.h: the short number formats of model files: f16, bf16 and blocks of 32 bytes with
 * a scale.
 *
 * Reading is exact. Writing rounds to the nearest, ties to even, whatever the target
 * machine.
 */
#ifndef DGM_TENSOR_HALF_H
#define DGM_TENSOR_HALF_H

#include <stdint.h>

/* IEEE 754 binary16. Too large becomes infinity; NaN stays NaN. */
uint16_t dgm_half_to_f16(float value);
float dgm_half_from_f16(uint16_t bits);

/* The upper half of a binary32. NaN stays NaN. */
uint16_t dgm_half_to_bf16(float value);
float dgm_half_from_bf16(uint16_t bits);

/* GGUF's q8_0: 32 numbers as an f16 scale d and 32 signed bytes q; the number is d * q.
 */
#define DGM_HALF_Q8_COUNT 32
#define DGM_HALF_Q8_BYTES 34

/*
 * d is max|x| / 127 rounded to f16, and q = x / d rounded, so |x - d q| <= d / 2, unless
 * d is a subnormal f16 (max|x| < 127 * 2^-14) or too large for one. A block that holds an
 * infinity or a NaN becomes all NaN, lest damage go unseen.
 */
void dgm_half_to_q8(unsigned char out[DGM_HALF_Q8_BYTES], const float in[DGM_HALF_Q8_COUNT]);
void dgm_half_from_q8(float out[DGM_HALF_Q8_COUNT], const unsigned char in[DGM_HALF_Q8_BYTES]);

#endif
