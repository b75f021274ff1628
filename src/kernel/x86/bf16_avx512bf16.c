/*
 * bf16_avx512bf16.c: products in bfloat16 by AVX512_BF16: vdpbf16ps adds the product of the upper
 * halves to each lane, then that of the lower ones.
 *
 * arch: x86_64
 * cflags: -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512bf16 -mfma -mprefer-vector-width=512
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx512.h"

#define NARROW_VECTORS 1
#define NARROW_ROWS 14
#define NARROW_FEW 6
#define NARROW_ROW_BYTES 4

#include "kernel/body/body_bf16.h"

typedef __m512 narrow_sums_vector;
typedef __m512i narrow_weights;
typedef __m512i narrow_row;

static inline narrow_sums_vector narrow_begin(const struct dgm_narrow_tile *tile, int64_t i)
{
    (void)tile;
    (void)i;
    return _mm512_setzero_ps();
}

static inline narrow_weights narrow_load_weights(const uint8_t *w)
{
    return _mm512_loadu_si512(w);
}

static inline narrow_row narrow_load_row(const uint8_t *q)
{
    int32_t pair;

    memcpy(&pair, q, sizeof pair);
    return _mm512_set1_epi32(pair);
}

static inline narrow_sums_vector narrow_add(narrow_sums_vector sum, narrow_weights w, narrow_row x)
{
    return _mm512_dpbf16_ps(sum, (__m512bh)x, (__m512bh)w);
}

static inline void narrow_keep(narrow_sum *sums, narrow_sums_vector sum)
{
    _mm512_storeu_ps(sums, sum);
}

#include "kernel/body/body_narrow_sums.h"

const struct dgm_narrow_kernels dgm_bf16_avx512bf16 = {
    .name = "avx512bf16",
    .base = "avx512",
    .needs = DGM_CPU_AVX512 | DGM_CPU_AVX512BF16,
    .slow_on = DGM_CPU_HALF_BF16,
    .rows = NARROW_ROWS,
    .bytes = NARROW_ROW_BYTES,
    .activations = bf16_pairs,
    .weights = bf16_pairs,
    .tile = narrow_tile,
};
