/*
 * int8_avx512vnni.c: products of bytes by AVX-512 VNNI: vpdpbusd adds four products of an unsigned
 * byte, the weight with its 128, and a signed one to each lane, without saturation.
 *
 * arch: x86_64
 * cflags: -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512vnni -mfma -mprefer-vector-width=512
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx512.h"

/* Sums fill the registers: up to 6 rows of four panels, 14 of two. */
#define NARROW_VECTORS 1
#define NARROW_ROWS 14
#define NARROW_FEW 6
#define NARROW_ROW_BYTES 4

#include "kernel/body/body_int8.h"

typedef __m512i narrow_sums_vector;
typedef __m512i narrow_weights;
typedef __m512i narrow_row;

/* The sums of a row begin at minus what the 128 in every weight adds. */
static inline narrow_sums_vector narrow_begin(const struct dgm_narrow_tile *tile, int64_t i)
{
    return _mm512_set1_epi32(-128 * tile->sums[i]);
}

static inline narrow_weights narrow_load_weights(const uint8_t *w)
{
    return _mm512_loadu_si512(w);
}

static inline narrow_row narrow_load_row(const uint8_t *q)
{
    return _mm512_set1_epi32(int8_quad(q));
}

static inline narrow_sums_vector narrow_add(narrow_sums_vector sum, narrow_weights w, narrow_row x)
{
    return _mm512_dpbusd_epi32(sum, w, x);
}

static inline void narrow_keep(narrow_sum *sums, narrow_sums_vector sum)
{
    _mm512_storeu_si512(sums, sum);
}

#include "kernel/body/body_narrow_sums.h"

const struct dgm_narrow_kernels dgm_int8_avx512vnni = { .name = "avx512vnni",
                                                        .base = "avx512",
                                                        .needs =
                                                            DGM_CPU_AVX512 | DGM_CPU_AVX512VNNI,
                                                        INT8_KERNELS };
