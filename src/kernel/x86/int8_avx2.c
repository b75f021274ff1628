/*
 * int8_avx2.c: products of bytes by AVX2. vpmaddubsw wants one operand unsigned and saturates at 16
 * bits, so it gets |w| and x with the sign of w: two products of at most 127 * 127 fit.
 *
 * arch: x86_64
 * cflags: -mavx2 -mfma
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx2.h"

#define NARROW_VECTORS 2
#define NARROW_ROWS 4
#define NARROW_ROW_BYTES 4

#include "kernel/body/body_int8.h"

typedef __m256i narrow_sums_vector;
typedef __m256i narrow_row;

typedef struct {
    __m256i w, size;
} narrow_weights;

static inline narrow_sums_vector narrow_begin(const struct dgm_narrow_tile *tile, int64_t i)
{
    (void)tile;
    (void)i;
    return _mm256_setzero_si256();
}

static inline narrow_weights narrow_load_weights(const uint8_t *w)
{
    narrow_weights weights;

    weights.w = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)w), _mm256_set1_epi8(-128));
    weights.size = _mm256_abs_epi8(weights.w);
    return weights;
}

static inline narrow_row narrow_load_row(const uint8_t *q)
{
    return _mm256_set1_epi32(int8_quad(q));
}

static inline narrow_sums_vector narrow_add(narrow_sums_vector sum, narrow_weights w, narrow_row x)
{
    __m256i pairs = _mm256_maddubs_epi16(w.size, _mm256_sign_epi8(x, w.w));

    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static inline void narrow_keep(narrow_sum *sums, narrow_sums_vector sum)
{
    _mm256_storeu_si256((__m256i *)sums, sum);
}

#include "kernel/body/body_narrow_sums.h"

const struct dgm_narrow_kernels dgm_int8_avx2 = {
    .name = "avx2", .base = "avx2", .needs = DGM_CPU_AVX2, INT8_KERNELS
};
