/*
 * int8_avxvnni.c: products of bytes by AVX-VNNI, for processors without AVX-512: vpdpbusd adds four
 * products of an unsigned byte, the weight with its 128, and a signed one to each lane, without
 * saturation.
 *
 * arch: x86_64
 * cflags: -mavx2 -mfma -mavxvnni
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx2.h"

/* A test compiles this file with the instruction's form for AVX-512, which more processors run. */
#ifndef INT8_DPBUSD
#define INT8_DPBUSD(sum, w, x) _mm256_dpbusd_avx_epi32(sum, w, x)
#endif

#define INT8_ROWS 6

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
/* The sums of a row begin at minus what the 128 in every weight adds. */
#define BEGIN(i) __m256i a##i = _mm256_set1_epi32(-128 * tile->sums[i]), b##i = a##i;
#define ADD(i)                                                                              \
    {                                                                                       \
        int32_t four;                                                                       \
        __m256i x;                                                                          \
        memcpy(&four, q + 4 * i, 4);                                                        \
        x = _mm256_set1_epi32(four);                                                        \
        a##i = INT8_DPBUSD(a##i, w0, x);                                                    \
        b##i = INT8_DPBUSD(b##i, w1, x);                                                    \
    }
#define KEEP(i)                                                                             \
    _mm256_storeu_si256((__m256i *)(sums + i * DGM_INT8_LANES), a##i);                      \
    _mm256_storeu_si256((__m256i *)(sums + i * DGM_INT8_LANES + 8), b##i);

#define SUMS(R)                                                                             \
    static void sums_##R(int32_t *sums, const struct dgm_int8_tile *tile, const uint8_t *w) \
    {                                                                                       \
        const int8_t *q = tile->q;                                                          \
        ROWS_##R(BEGIN)                                                                     \
                                                                                            \
        for (int64_t t = tile->quads; t > 0; t--) {                                         \
            const __m256i w0 = _mm256_loadu_si256((const __m256i *)w);                      \
            const __m256i w1 = _mm256_loadu_si256((const __m256i *)(w + 32));               \
                                                                                            \
            ROWS_##R(ADD)                                                                   \
            q += 4 * R;                                                                     \
            w += 4 * DGM_INT8_LANES;                                                        \
        }                                                                                   \
        ROWS_##R(KEEP)                                                                      \
    }

SUMS(1) SUMS(2) SUMS(3) SUMS(4) SUMS(5) SUMS(6)
    /* clang-format on */

    static void int8_sums(int32_t *sums, const struct dgm_int8_tile *tile, int64_t panel,
                          int64_t count)
{
    static void (*const by_rows[])(int32_t *, const struct dgm_int8_tile *,
                                   const uint8_t *) = { sums_1, sums_2, sums_3,
                                                        sums_4, sums_5, sums_6 };

    (void)count;
    by_rows[tile->rows - 1](sums, tile, tile->w + panel * tile->quads * DGM_INT8_LANES * 4);
}

const struct dgm_int8_kernels dgm_int8_avxvnni = {
    .name = "avxvnni", .base = "avx2", .needs = DGM_CPU_AVX2 | DGM_CPU_AVXVNNI, INT8_KERNELS
};
