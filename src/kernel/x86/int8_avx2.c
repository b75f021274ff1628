/*
 * int8_avx2.c: products of bytes by AVX2. vpmaddubsw wants one operand unsigned and saturates at 16
 * bits, so it gets |w| and x with the sign of w: two products of at most 127 * 127 fit.
 *
 * arch: x86_64
 * cflags: -mavx2 -mfma
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx2.h"

#define INT8_ROWS 4

static inline void int8_bytes(int8_t *to, ivec q)
{
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(q), _mm256_extracti128_si256(q, 1));

    _mm_storel_epi64((__m128i *)to, _mm_packs_epi16(words, words));
}

static inline int64_t int8_panels(int64_t rows)
{
    (void)rows;
    return 1;
}

#include "kernel/body/body_int8.h"
#include "kernel/body/body_unroll.h"

/* clang-format off */
#define BEGIN(i) __m256i a##i = _mm256_setzero_si256(), b##i = a##i;
#define ADD_HALF(sum, w, size)                                                              \
    sum = _mm256_add_epi32(                                                                 \
        sum, _mm256_madd_epi16(_mm256_maddubs_epi16(size, _mm256_sign_epi8(x, w)), ones));
#define ADD(i)                                                                              \
    {                                                                                       \
        int32_t four;                                                                       \
        __m256i x;                                                                          \
        memcpy(&four, q + 4 * i, 4);                                                        \
        x = _mm256_set1_epi32(four);                                                        \
        ADD_HALF(a##i, w0, size0)                                                           \
        ADD_HALF(b##i, w1, size1)                                                           \
    }
#define KEEP(i)                                                                             \
    _mm256_storeu_si256((__m256i *)(sums + i * DGM_INT8_LANES), a##i);                      \
    _mm256_storeu_si256((__m256i *)(sums + i * DGM_INT8_LANES + 8), b##i);

#define SUMS(R)                                                                             \
    static void sums_##R(int32_t *sums, const struct dgm_int8_tile *tile, const uint8_t *w) \
    {                                                                                       \
        const __m256i ones = _mm256_set1_epi16(1), sign = _mm256_set1_epi8(-128);           \
        const int8_t *q = tile->q;                                                          \
        ROWS_##R(BEGIN)                                                                     \
                                                                                            \
        for (int64_t t = tile->quads; t > 0; t--) {                                         \
            const __m256i w0 = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)w), sign); \
            const __m256i w1 =                                                              \
                _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(w + 32)), sign);      \
            const __m256i size0 = _mm256_abs_epi8(w0), size1 = _mm256_abs_epi8(w1);         \
                                                                                            \
            ROWS_##R(ADD)                                                                   \
            q += 4 * R;                                                                     \
            w += 4 * DGM_INT8_LANES;                                                        \
        }                                                                                   \
        ROWS_##R(KEEP)                                                                      \
    }

SUMS(1) SUMS(2) SUMS(3) SUMS(4)
    /* clang-format on */

    static void int8_sums(int32_t *sums, const struct dgm_int8_tile *tile, int64_t panel,
                          int64_t count)
{
    static void (*const by_rows[])(int32_t *, const struct dgm_int8_tile *,
                                   const uint8_t *) = { sums_1, sums_2, sums_3, sums_4 };

    (void)count;
    by_rows[tile->rows - 1](sums, tile, tile->w + panel * tile->quads * DGM_INT8_LANES * 4);
}

const struct dgm_int8_kernels dgm_int8_avx2 = {
    .name = "avx2", .base = "avx2", .needs = DGM_CPU_AVX2, INT8_KERNELS
};
