/*
 * int8_dotprod.c: products of bytes by the dot product instructions of Armv8.2: sdot adds four
 * products of signed bytes to each lane.
 *
 * arch: aarch64
 * cflags: -march=armv8.2-a+dotprod
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_neon.h"

#define INT8_ROWS 6

static inline void int8_bytes(int8_t *to, ivec q)
{
    int16x4_t words = vqmovn_s32(vreinterpretq_s32_u32(q));
    int8x8_t bytes = vqmovn_s16(vcombine_s16(words, words));

    vst1_lane_s32((int32_t *)(void *)to, vreinterpret_s32_s8(bytes), 0);
}

static inline int64_t int8_panels(int64_t rows)
{
    (void)rows;
    return 1;
}

#include "kernel/body/body_int8.h"
#include "kernel/body/body_unroll.h"

/* clang-format off */
#define BEGIN(i)                                                                            \
    int32x4_t a##i = vdupq_n_s32(0), b##i = a##i, c##i = a##i, d##i = a##i;
#define WEIGHTS(p) vreinterpretq_s8_u8(veorq_u8(vld1q_u8(w + 16 * p), vdupq_n_u8(128)))
#define ADD(i)                                                                              \
    {                                                                                       \
        int32_t four;                                                                       \
        int8x16_t x;                                                                        \
        memcpy(&four, q + 4 * i, 4);                                                        \
        x = vreinterpretq_s8_s32(vdupq_n_s32(four));                                        \
        a##i = vdotq_s32(a##i, w0, x);                                                      \
        b##i = vdotq_s32(b##i, w1, x);                                                      \
        c##i = vdotq_s32(c##i, w2, x);                                                      \
        d##i = vdotq_s32(d##i, w3, x);                                                      \
    }
#define KEEP(i)                                                                             \
    vst1q_s32(sums + i * DGM_INT8_LANES, a##i);                                             \
    vst1q_s32(sums + i * DGM_INT8_LANES + 4, b##i);                                         \
    vst1q_s32(sums + i * DGM_INT8_LANES + 8, c##i);                                         \
    vst1q_s32(sums + i * DGM_INT8_LANES + 12, d##i);

#define SUMS(R)                                                                             \
    static void sums_##R(int32_t *sums, const struct dgm_int8_tile *tile, const uint8_t *w) \
    {                                                                                       \
        const int8_t *q = tile->q;                                                          \
        ROWS_##R(BEGIN)                                                                     \
                                                                                            \
        for (int64_t t = tile->quads; t > 0; t--) {                                         \
            const int8x16_t w0 = WEIGHTS(0), w1 = WEIGHTS(1);                               \
            const int8x16_t w2 = WEIGHTS(2), w3 = WEIGHTS(3);                               \
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

const struct dgm_int8_kernels dgm_int8_dotprod = {
    .name = "dotprod", .base = "neon", .needs = DGM_CPU_NEON | DGM_CPU_DOTPROD, INT8_KERNELS
};
