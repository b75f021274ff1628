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

#define NARROW_VECTORS 2
#define NARROW_ROWS 6
#define NARROW_ROW_BYTES 4

#include "kernel/body/body_int8.h"

typedef __m256i narrow_sums_vector;
typedef __m256i narrow_weights;
typedef __m256i narrow_row;

/* The sums of a row begin at minus what the 128 in every weight adds. */
static inline narrow_sums_vector narrow_begin(const struct dgm_narrow_tile *tile, int64_t i)
{
    return _mm256_set1_epi32(-128 * tile->sums[i]);
}

static inline narrow_weights narrow_load_weights(const uint8_t *w)
{
    return _mm256_loadu_si256((const __m256i *)w);
}

static inline narrow_row narrow_load_row(const uint8_t *q)
{
    return _mm256_set1_epi32(int8_quad(q));
}

static inline narrow_sums_vector narrow_add(narrow_sums_vector sum, narrow_weights w, narrow_row x)
{
    return INT8_DPBUSD(sum, w, x);
}

static inline void narrow_keep(narrow_sum *sums, narrow_sums_vector sum)
{
    _mm256_storeu_si256((__m256i *)sums, sum);
}

#include "kernel/body/body_narrow_sums.h"

const struct dgm_narrow_kernels dgm_int8_avxvnni = {
    .name = "avxvnni", .base = "avx2", .needs = DGM_CPU_AVX2 | DGM_CPU_AVXVNNI, INT8_KERNELS
};
