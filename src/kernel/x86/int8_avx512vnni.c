/*
 * int8_avx512vnni.c: products of bytes by AVX-512 VNNI: vpdpbusd adds four products of an unsigned
 * byte, the weight with its 128, and a signed one to each lane, without saturation.
 *
 * arch: x86_64
 * cflags: -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512vnni -mfma -mprefer-vector-width=512
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx512.h"

#define INT8_ROWS 14

static inline void int8_bytes(int8_t *to, ivec q)
{
    _mm_storeu_si128((__m128i *)to, _mm512_cvtepi32_epi8(q));
}

/* Sums fill the registers: up to 6 rows of four panels, 14 of two. */
static inline int64_t int8_panels(int64_t rows)
{
    return rows <= 6 ? 4 : 2;
}

#include "kernel/body/body_int8.h"
#include "kernel/body/body_unroll.h"

/* clang-format off */
/* The sums of a row begin at minus what the 128 in every weight adds. */
#define BEGIN(i) _mm512_set1_epi32(-128 * tile->sums[i])
#define BEGIN_1(i) __m512i a##i = BEGIN(i);
#define BEGIN_2(i) BEGIN_1(i) __m512i b##i = a##i;
#define BEGIN_4(i) BEGIN_2(i) __m512i c##i = a##i, d##i = a##i;

#define ADD(sum, w) sum = _mm512_dpbusd_epi32(sum, w, x);
#define LOAD(i) int32_t four; __m512i x; memcpy(&four, q + 4 * i, 4); x = _mm512_set1_epi32(four);
#define ADD_1(i) { LOAD(i) ADD(a##i, w0) }
#define ADD_2(i) { LOAD(i) ADD(a##i, w0) ADD(b##i, w1) }
#define ADD_4(i) { LOAD(i) ADD(a##i, w0) ADD(b##i, w1) ADD(c##i, w2) ADD(d##i, w3) }

#define KEEP(i, panel, sum) _mm512_storeu_si512(sums + (i * COUNT + panel) * DGM_INT8_LANES, sum);
#define KEEP_1(i) KEEP(i, 0, a##i)
#define KEEP_2(i) KEEP_1(i) KEEP(i, 1, b##i)
#define KEEP_4(i) KEEP_2(i) KEEP(i, 2, c##i) KEEP(i, 3, d##i)

#define WEIGHTS_1 const __m512i w0 = _mm512_loadu_si512(w);
#define WEIGHTS_2 WEIGHTS_1 const __m512i w1 = _mm512_loadu_si512(w + panel);
#define WEIGHTS_4 WEIGHTS_2                                                                 \
    const __m512i w2 = _mm512_loadu_si512(w + 2 * panel);                                   \
    const __m512i w3 = _mm512_loadu_si512(w + 3 * panel);

#define SUMS(R, P)                                                                          \
    static void sums_##R##_##P(int32_t *sums, const struct dgm_int8_tile *tile,             \
                               const uint8_t *w)                                            \
    {                                                                                       \
        enum { COUNT = P };                                                                 \
        const int64_t panel = tile->quads * DGM_INT8_LANES * 4;                             \
        const int8_t *q = tile->q;                                                          \
        ROWS_##R(BEGIN_##P)                                                                 \
                                                                                            \
        for (int64_t t = tile->quads; t > 0; t--) {                                         \
            WEIGHTS_##P                                                                     \
                                                                                            \
            ROWS_##R(ADD_##P)                                                               \
            q += 4 * R;                                                                     \
            w += 4 * DGM_INT8_LANES;                                                        \
        }                                                                                   \
        (void)panel;                                                                        \
        ROWS_##R(KEEP_##P)                                                                  \
    }

SUMS(1, 1) SUMS(2, 1) SUMS(3, 1) SUMS(4, 1) SUMS(5, 1) SUMS(6, 1) SUMS(7, 1)
SUMS(8, 1) SUMS(9, 1) SUMS(10, 1) SUMS(11, 1) SUMS(12, 1) SUMS(13, 1) SUMS(14, 1)
SUMS(1, 2) SUMS(2, 2) SUMS(3, 2) SUMS(4, 2) SUMS(5, 2) SUMS(6, 2) SUMS(7, 2)
SUMS(8, 2) SUMS(9, 2) SUMS(10, 2) SUMS(11, 2) SUMS(12, 2) SUMS(13, 2) SUMS(14, 2)
SUMS(1, 4) SUMS(2, 4) SUMS(3, 4) SUMS(4, 4) SUMS(5, 4) SUMS(6, 4)

#define COLUMN(P)                                                                           \
    sums_1_##P, sums_2_##P, sums_3_##P, sums_4_##P, sums_5_##P, sums_6_##P
#define REST(P)                                                                             \
    sums_7_##P, sums_8_##P, sums_9_##P, sums_10_##P, sums_11_##P, sums_12_##P, sums_13_##P, \
    sums_14_##P
    /* clang-format on */

    static void int8_sums(int32_t *sums, const struct dgm_int8_tile *tile, int64_t panel,
                          int64_t count)
{
    static void (*const by_rows[][INT8_ROWS])(int32_t *, const struct dgm_int8_tile *,
                                              const uint8_t *) = { { COLUMN(1), REST(1) },
                                                                   { COLUMN(2), REST(2) },
                                                                   { COLUMN(4) } };
    const uint8_t *w = tile->w + panel * tile->quads * DGM_INT8_LANES * 4;

    by_rows[count == 4 ? 2 : count - 1][tile->rows - 1](sums, tile, w);
}

const struct dgm_int8_kernels dgm_int8_avx512vnni = { .name = "avx512vnni",
                                                      .base = "avx512",
                                                      .needs = DGM_CPU_AVX512 | DGM_CPU_AVX512VNNI,
                                                      INT8_KERNELS };
