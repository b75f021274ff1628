/*
 * bf16_amx.c: products in bfloat16 by AMX (body_amx.h), which sums in an order of its own: bf16.h.
 *
 * arch: x86_64
 * cflags: -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mprefer-vector-width=512
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx512.h"

#include "kernel/body/body_bf16.h"
#define AMX_ADD(sums, a, w) AMX_ADD_HALVES(sums, a, w)
#include "kernel/body/body_amx.h"

static void narrow_sums(narrow_sum *sums, const struct dgm_narrow_tile *tile, int64_t panel,
                        int64_t count)
{
    amx_sums(sums, tile, panel, count);
}

/* Row i to halves, which lie one behind the other, and a zero behind an odd number of them. */
static inline void round_row(const struct dgm_narrow_rows *job, int64_t i, uint16_t *to)
{
    const int64_t end = 2 * dgm_bf16_pairs(job->k);

    for (int64_t t = 0; t < end; t += VEC_WIDTH) {
        const __m512i halves = _mm512_srli_epi32(_mm512_castps_si512(bf16_steps(job, i, t)), 16);
        const int64_t left = end - t;

        _mm512_mask_cvtepi32_storeu_epi16(to + t,
                                          (__mmask16)(left < VEC_WIDTH ? (1 << left) - 1 : 0xFFFF),
                                          halves);
    }
}

/* Rows one after the other: a register takes 64 bytes of each. */
static void amx_activations(const struct dgm_narrow_rows *job)
{
    uint16_t *to = (uint16_t *)(void *)job->q;

    for (int64_t i = 0; i < job->rows; i++, to += 2 * dgm_bf16_pairs(job->k))
        round_row(job, i, to);
}

static void amx_tile(const struct dgm_narrow_tile *tile)
{
    amx_configure(tile->rows, AMX_GROUPS);
    narrow_tile(tile);
    AMX_RELEASE();
}

extern const struct dgm_narrow_kernels dgm_bf16_tiles_c;

const struct dgm_narrow_kernels dgm_bf16_amx = {
    .name = "amx",
    .base = "avx512",
    .needs = DGM_CPU_AVX512 | DGM_CPU_AMX_BF16,
    .like = &dgm_bf16_tiles_c,
    .rows = 2 * AMX_ROWS,
    .bytes = DGM_NARROW_BYTES,
    .activations = amx_activations,
    .weights = bf16_pairs,
    .tile = amx_tile,
};
