/*
 * matrix_amx.c: matrix products of operands in bf16 by AMX (body_amx.h).
 *
 * arch: x86_64
 * cflags: -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512bf16 -mfma -mprefer-vector-width=512
 */
#include "kernel/narrow/matrix.h"

#include "base/system/cpu.h"
#include "kernel/simd/vec_avx512.h"

#include "kernel/body/body_narrow_floats.h"
#define AMX_ADD(sums, a, w) AMX_ADD_HALVES(sums, a, w)
#include "kernel/body/body_amx.h"

/* ---- packing --------------------------------------------------------------------------------- */

enum { BLOCK = 16 }; /* lines by pairs */

static __mmask16 first(int64_t count)
{
    return (__mmask16)(count >= BLOCK ? 0xFFFF : count > 0 ? (1 << count) - 1 : 0);
}

/* The 16 pairs of one line from step t on, which lie side by side. */
static inline __m512i pairs_of_line(const struct dgm_matrix_pack *pack, int64_t l, int64_t t)
{
    const float *from = pack->from + l * pack->line + t;
    const int64_t left = pack->steps - t;

    if (l >= pack->lines)
        return _mm512_setzero_si512();
    return (__m512i)_mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(first(left - BLOCK), from + BLOCK),
                                        _mm512_maskz_loadu_ps(first(left), from));
}

/* Pair t of 16 lines from l on, which lie side by side. */
static inline __m512i pair_of_lines(const struct dgm_matrix_pack *pack, int64_t l, int64_t t)
{
    const float *from = pack->from + l + t * pack->step;
    const __mmask16 lines = first(pack->lines - l);
    const __m512 early = _mm512_maskz_loadu_ps(t < pack->steps ? lines : 0, from);
    const __m512 late = _mm512_maskz_loadu_ps(t + 1 < pack->steps ? lines : 0, from + pack->step);
    const __m512i low = _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(early));
    const __m512i high = _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(late));

    return _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
}

/* 16 x 16 pairs, turned: by pairs of rows, of pairs, then by quarters of registers. */
static inline void turn(__m512i x[BLOCK])
{
    __m512i y[BLOCK];

    for (int i = 0; i < BLOCK; i += 2) {
        y[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
    }
    for (int i = 0; i < BLOCK; i += 4)
        for (int k = 0; k < 2; k++) {
            x[i + 2 * k] = _mm512_unpacklo_epi64(y[i + k], y[i + k + 2]);
            x[i + 2 * k + 1] = _mm512_unpackhi_epi64(y[i + k], y[i + k + 2]);
        }
    for (int i = 0; i < 4; i++) {
        y[i] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0x88);
        y[i + 4] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0xDD);
        y[i + 8] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0x88);
        y[i + 12] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0xDD);
    }
    for (int i = 0; i < 8; i++) {
        x[i] = _mm512_shuffle_i32x4(y[i], y[i + 8], 0x88);
        x[i + 8] = _mm512_shuffle_i32x4(y[i], y[i + 8], 0xDD);
    }
}

/* 16 lines from l on, 16 pairs from step t on: rows of either, (lines, pairs) or (pairs, lines). */
static inline void pack_block(const struct dgm_matrix_pack *pack, uint32_t *to, int64_t apart,
                              int64_t l, int64_t t, int by_lines)
{
    const int lies_by_lines = pack->step == 1;
    __m512i x[BLOCK];

    for (int i = 0; i < BLOCK; i++)
        x[i] = lies_by_lines ? pairs_of_line(pack, l + i, t) : pair_of_lines(pack, l, t + 2 * i);
    if (lies_by_lines != by_lines)
        turn(x);
    for (int i = 0; i < BLOCK; i++)
        _mm512_storeu_si512(to + i * apart, x[i]);
}

static void pack_rows(const struct dgm_matrix_pack *pack)
{
    const int64_t pairs = dgm_matrix_pairs(pack->steps);
    const int64_t tiles = (pack->lines + DGM_MATRIX_ROWS - 1) / DGM_MATRIX_ROWS;

    for (int64_t l = 0; l < tiles * DGM_MATRIX_ROWS; l += BLOCK)
        for (int64_t t = 0; t < pairs; t += BLOCK)
            pack_block(pack, pack->to + l * pairs + t, pairs, l, 2 * t, 1);
}

static void pack_lanes(const struct dgm_matrix_pack *pack)
{
    for (int64_t t = 0; t < dgm_matrix_pairs(pack->steps); t += BLOCK)
        pack_block(pack, pack->to + t * DGM_NARROW_LANES, DGM_NARROW_LANES, 0, 2 * t, 0);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static void begin(void)
{
    amx_configure(DGM_MATRIX_ROWS, AMX_GROUPS);
}

static void end(void)
{
    AMX_RELEASE();
}

static void narrow_sums(narrow_sum *sums, const struct dgm_narrow_tile *tile, int64_t panel,
                        int64_t count)
{
    amx_sums(sums, tile, panel, count);
}

const struct dgm_matrix_kernels dgm_matrix_amx = {
    .name = "amx",
    .base = "avx512",
    .needs = DGM_CPU_AVX512 | DGM_CPU_AVX512BF16 | DGM_CPU_AMX_BF16,
    .pack_rows = pack_rows,
    .pack_lanes = pack_lanes,
    .begin = begin,
    .tile = narrow_tile,
    .end = end,
};
